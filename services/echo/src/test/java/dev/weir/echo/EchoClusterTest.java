package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes, each a process, on one event bus. */
@Tag("slow")
class EchoClusterTest {
  private static final Pattern FIGURES =
      Pattern.compile("echo: echo\\.two-way: accepted (\\d+), completed (\\d+), .*");
  private static final int REQUESTS = 100;
  private static final int ALONE = 10;
  private static final String TOKEN = "an-admin-token-of-a-test-that-is-long-enough";

  @TempDir private Path directory;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Requests that the first node has answered since the other one has left. */
  private int alone;

  @Test
  void twoNodesShareTheRequestsAndOneGoesOnAlone() throws Exception {
    List<Integer> ports = FreePorts.find(4);
    try (ChildJvm first = start("a", ports, 0);
        ChildJvm second = start("b", ports, 1)) {
      int port = EchoProcess.port(first);
      askBoth(port, EchoProcess.port(second));
      second.terminate();
      assertThat(second.exitCode()).isZero();
      int elsewhere = completed(second);
      assertThat(elsewhere).isBetween(1, 2 * REQUESTS - 1);
      // The first learns a little later that the other has left; until then they take turns.
      Await.until("it answers alone", () -> answersAlone(port) && answersAlone(port));
      for (int i = 0; i < ALONE; i++) {
        assertThat(answersAlone(port)).isTrue();
      }
      first.terminate();
      assertThat(first.exitCode()).isZero();
      assertThat(completed(first)).isEqualTo(2 * REQUESTS - elsewhere + alone);
    }
  }

  @Test
  void aNodeThatIsKilledIsShownAsLeft() throws Exception {
    List<Integer> ports = FreePorts.find(4);
    Path tokens = Files.writeString(directory.resolve("tokens"), "ops:" + TOKEN + "\n");
    Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-------"));
    String admin = "--set=http.tokens.adminTokensFile=" + tokens;
    try (ChildJvm first = start("a", ports, 0, admin);
        ChildJvm second = start("b", ports, 1)) {
      int management = EchoProcess.managementPort(first);
      EchoProcess.port(second);
      Await.until("it sees the other", () -> nodes(management).size() == 2);
      JsonObject cluster = cluster(management);
      assertThat(cluster.getBoolean("clustered")).isTrue();
      assertThat(cluster.getJsonArray("addresses")).contains("echo.two-way");
      assertThat(nodes(management))
          .extracting(node -> node.getString("address"))
          .containsExactlyInAnyOrder("127.0.0.1:" + ports.get(0), "127.0.0.1:" + ports.get(1));

      second.kill();

      Await.until(
          "the other is shown as left",
          () -> nodes(management).stream().anyMatch(each -> each.getString("leftAt") != null));
      assertThat(nodes(management)).hasSize(2);
      assertThat(nodes(management).get(0).getBoolean("thisNode")).isTrue();
      JsonObject left = nodes(management).get(1);
      assertThat(left.getString("address")).isEqualTo("127.0.0.1:" + ports.get(1));
      assertThat(Instant.parse(left.getString("leftAt")))
          .isAfter(Instant.parse(left.getString("since")));
    }
  }

  private List<JsonObject> nodes(int management) {
    return cluster(management).getJsonArray("nodes").stream().map(JsonObject.class::cast).toList();
  }

  private JsonObject cluster(int management) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + "/admin/cluster"))
            .header("Authorization", "Bearer " + TOKEN)
            .build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return new JsonObject(answer.body());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no answer", e);
    }
  }

  /**
   * The second node has the address when its own requests, which take turns too, are all answered;
   * the first learns of it from the cluster at the same time or a little later, so both ask until
   * enough have gone around.
   */
  private void askBoth(int first, int second) throws Exception {
    for (int i = 0; i < REQUESTS; i++) {
      for (int port : List.of(first, second)) {
        HttpResponse<String> answer = ask(port, "{\"n\":" + i + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("{\"n\":" + i + "}");
      }
    }
  }

  private boolean answersAlone(int port) {
    try {
      boolean answers = ask(port, "alone").statusCode() == 200;
      alone += answers ? 1 : 0;
      return answers;
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }

  private HttpResponse<String> ask(int port, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/services/echo.two-way"))
            .header("Content-Type", body.startsWith("{") ? "application/json" : "text/plain")
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private static int completed(ChildJvm echo) {
    for (String line : echo.lines()) {
      Matcher figures = FIGURES.matcher(line);
      if (figures.matches()) {
        return Integer.parseInt(figures.group(2));
      }
    }
    throw new AssertionError("no figures in " + echo.lines());
  }

  private ChildJvm start(String name, List<Integer> ports, int node, String... more) {
    Stream<String> arguments =
        Stream.of(
            "-cluster",
            "--cluster-member-port=" + ports.get(node),
            "-cluster-port=" + ports.get(2 + node),
            "--cluster-join=127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1),
            "--http-port=0",
            "--data=" + directory.resolve(name));
    return EchoProcess.start(Stream.concat(arguments, Stream.of(more)).toArray(String[]::new));
  }
}
