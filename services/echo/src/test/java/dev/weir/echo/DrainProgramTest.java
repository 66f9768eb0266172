package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients and probes see of a program that is told to stop while it handles messages. */
@Tag("slow")
class DrainProgramTest {
  @TempDir private Path directory;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @Test
  void whatWasAcceptedIsAnsweredWhileProbesSayNotReadyAndNothingMoreIsTaken() throws Exception {
    Path signal = directory.resolve("signal");
    try (ChildJvm program =
        ChildJvm.of(HeldService.class)
            .flags("-Xmx256m")
            .mergeErrors()
            .start(
                signal.toString(),
                "--data=" + directory.resolve("data"),
                "--http-port=0",
                "--drain-timeout-ms=600000")) {
      String management = program.await("management at ");
      String service = program.await("ready at ") + "services/" + HeldService.ADDRESS;
      CompletableFuture<HttpResponse<String>> request =
          client.sendAsync(post(service, "request"), BodyHandlers.ofString());
      program.await(HeldService.HANDLING + "request");
      assertThat(send(post(service + "/events", "event")).statusCode()).isEqualTo(202);
      program.await(HeldService.HANDLING + "event");
      assertThat(status(management + "health/ready")).isEqualTo(200);

      program.terminate();

      Await.until("it is not ready", () -> status(management + "health/ready") == 503);
      assertThat(status(management + "health/live")).isEqualTo(200);
      HttpResponse<String> refused = send(post(service, "too late"));
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.headers().firstValue("retry-after")).isPresent();
      assertThat(send(post(service + "/events", "too late")).statusCode()).isEqualTo(503);
      assertThat(request).isNotDone();

      Files.createFile(signal);

      HttpResponse<String> reply = request.get();
      assertThat(reply.statusCode()).isEqualTo(200);
      assertThat(reply.body()).isEqualTo("request");
      assertThat(program.exitCode()).isZero();
      assertThat(program.lines())
          .contains(
              "held: held: accepted 2, completed 2, failed 0, rejected 0, kept on disk 0",
              "held: stopped")
          .noneMatch(line -> line.contains("too late"));
    }
  }

  private static HttpRequest post(String url, String body) {
    return HttpRequest.newBuilder(URI.create(url))
        .header("Content-Type", "text/plain")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  private int status(String url) {
    try {
      return send(HttpRequest.newBuilder(URI.create(url)).build()).statusCode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Exception e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
