package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.body.Bodies;
import dev.weir.bench.eventbus.fixture.ServiceFixture;
import dev.weir.bench.eventbus.http.OutsideHttpScenario.Work;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The servers and the bodies of {@link OutsideHttpScenario}, for a client of another make. */
public final class OutsideServersMain {
  private static final List<Work> SERVED =
      List.of(Work.BARE, Work.BYTES, Work.JSON, Work.BARE_TWO_WAY, Work.JSON_TWO_WAY);

  private OutsideServersMain() {}

  /**
   * Writes a body of each kind, says where it listens as echo does, and runs until it is ended.
   *
   * @param args the directory for the bodies and for the data of the services
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Path.of(args[0]);
    for (HttpBody kind : HttpBody.values()) {
      Bodies bodies = kind.bodies(HttpCase.STATE_BYTES);
      Files.write(directory.resolve(kind.toString()), ((Buffer) bodies.take(0)).getBytes());
    }
    HttpFixture fixture = HttpFixture.on(ServiceFixture.in(directory.resolve("servers")));
    for (Work work : SERVED) {
      HttpReceiver receiver = work.receive(fixture, body -> {});
      String url = "http://" + HttpFixture.HOST + ":" + receiver.port() + work.requestPath();
      System.out.println(work + ": ready at " + url);
    }
  }
}
