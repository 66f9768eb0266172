package dev.weir.bench.eventbus.http;

import dev.weir.bench.eventbus.body.Bodies;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bare servers and the bodies of {@link OutsideHttpScenario}, for a client of another make. */
public final class OutsideBareMain {
  private OutsideBareMain() {}

  /**
   * Writes a body of each kind, says where it listens as echo does, and runs until it is ended.
   *
   * @param args the directory for the bodies
   */
  public static void main(String[] args) throws IOException {
    for (HttpBody kind : HttpBody.values()) {
      Bodies bodies = kind.bodies(HttpCase.STATE_BYTES);
      Files.write(Path.of(args[0], kind.toString()), ((Buffer) bodies.take(0)).getBytes());
    }
    // One event loop for both, as in the scenario.
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    say("one-way", listen(vertx, false));
    say("two-way", listen(vertx, true));
  }

  private static HttpServer listen(Vertx vertx, boolean twoWay) {
    HttpCase httpCase =
        new HttpCase(HttpProtocol.HTTP1, HttpBody.JSON, twoWay, HttpCase.STATE_BYTES);
    return BareServer.listen(vertx, httpCase, body -> {}).await();
  }

  private static void say(String name, HttpServer server) {
    System.out.println(name + ": ready at http://127.0.0.1:" + server.actualPort() + "/");
  }
}
