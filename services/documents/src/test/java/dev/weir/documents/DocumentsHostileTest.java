package dev.weir.documents;

import static dev.weir.testing.HostileClient.ascii;
import static dev.weir.testing.HostileClient.pipelined;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.HostileClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that send a little and make the program hold much, because there are large documents. The
 * program has a small heap; it refuses them, tells others that it is busy, or serves them, and
 * serves all afterwards.
 */
@Tag("slow")
class DocumentsHostileTest {
  private static final Pattern READY = Pattern.compile("documents: ready at http://[^:]+:(\\d+)/");
  private static final String CONF =
      "{'documents':{'factories':{'log':{'changeLogBytes':33554432}}}}";
  private static final int DOCUMENTS = 60;
  private static final int DOCUMENT_BYTES = 900_000;

  interface Sender {
    void send(HostileClient client) throws IOException;
  }

  enum Attack {
    PAGES_UNREAD(client -> client.send(60, pipelined("/documents/log?limit=100", 10))),
    DOCUMENTS_UNREAD(
        client -> {
          for (int i = 0; i < DOCUMENTS; i++) {
            client.send(4, pipelined("/documents/log/" + i, 10));
          }
        }),
    STREAMS_UNREAD(client -> client.send(64, pipelined("/documents/log/changes?from=0", 1))),
    SMALL_PATCHES(
        client ->
            client.send(
                300,
                ascii(
                    ("PATCH /documents/log/0 HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Type: application/merge-patch+json\r\n"
                            + "Content-Length: 7\r\n\r\n{\"n\":1}")
                        .repeat(20))));

    final Sender sender;

    Attack(Sender sender) {
      this.sender = sender;
    }
  }

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SMALL_PATCHES")
  void survives(Attack attack) throws Exception {
    attacked(attack);
  }

  /** It takes a minute. */
  @Tag("soak")
  @Test
  void survivesSmallPatchesOfALargeDocument() throws Exception {
    attacked(Attack.SMALL_PATCHES);
  }

  private void attacked(Attack attack) throws Exception {
    try (ChildJvm program = start()) {
      int port = port(program);
      byte[] large = ascii("{\"t\":\"" + "x".repeat(DOCUMENT_BYTES) + "\"}");
      for (int i = 0; i < DOCUMENTS; i++) {
        assertThat(put(port, "/documents/log/" + i, BodyPublishers.ofByteArray(large)))
            .isEqualTo(201);
      }
      put(port, "/documents/log/small", BodyPublishers.ofString("{}"));
      try (HostileClient client = new HostileClient(port)) {
        attack.sender.send(client);
        for (int i = 0; i < 20; i++) {
          assertThat(get(port, "/documents/log/small"))
              .as("what an honest client is told during %s; %s", attack, program.lines())
              .isIn(200, 503);
          assertThat(get(port, "/documents/log?limit=1"))
              .as("what an honest query is told during %s; %s", attack, program.lines())
              .isIn(200, 503);
        }
      }
      Await.until("it serves after " + attack, () -> isServed(port, "/documents/log/0"));
      assertThat(program.isAlive()).as("%s: %s", attack, program.lines()).isTrue();
      program.terminate();
      assertThat(program.exitCode()).as("exit code; %s", program.lines()).isZero();
    }
  }

  private ChildJvm start() {
    return ChildJvm.of(DocumentsMain.class)
        .flags("-Xmx64m")
        .mergeErrors()
        .start(
            "--http-port=0",
            "--management-port=0",
            "--data=" + directory.resolve("data"),
            "-conf=" + CONF.replace('\'', '"'));
  }

  private static int port(ChildJvm program) {
    String line = program.awaitLine("ready", each -> READY.matcher(each).matches());
    assertThat(line).as("%s", program.lines()).isNotNull();
    return Integer.parseInt(READY.matcher(line).replaceAll("$1"));
  }

  private int put(int port, String path, BodyPublisher body) throws IOException {
    return status(request(port, path).PUT(body));
  }

  private int get(int port, String path) throws IOException {
    return status(request(port, path));
  }

  private boolean isServed(int port, String path) {
    try {
      return get(port, path) == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static HttpRequest.Builder request(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
        .timeout(Duration.ofSeconds(Await.DEADLINE_S));
  }

  private int status(HttpRequest.Builder request) throws IOException {
    try {
      return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
