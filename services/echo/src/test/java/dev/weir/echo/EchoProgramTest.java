package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import dev.weir.testing.FreePorts;
import io.vertx.core.json.JsonObject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class EchoProgramTest {
  @TempDir private Path directory;

  @Test
  void stopsInOrderOnSigterm() throws Exception {
    try (ChildJvm echo = start()) {
      EchoProcess.port(echo);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(EchoProcess.lines(echo)).last().isEqualTo("echo: stopped");
    }
  }

  /** Before the program has taken the signal over, the JVM ends with the signal's own code. */
  @Test
  void stopsOnSigtermAtAnyMomentOfTheStart() throws Exception {
    for (int delayMs = 0; delayMs <= 1_000; delayMs += 70) {
      try (ChildJvm echo = start()) {
        echo.await("memory: ");
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delayMs));
        echo.terminate();
        assertThat(echo.exitCode()).as("after %d ms", delayMs).isIn(0, 143);
        assertThat(EchoProcess.lines(echo))
            .as("after %d ms", delayMs)
            .allSatisfy(line -> assertThat(line).startsWith("echo: "));
      }
    }
  }

  @Test
  void everyLineIsAJsonObjectIfAsked() throws Exception {
    String[] args = {"--data=" + data(), "--http-port=0", "--set=http.accessLog=COMBINED"};
    try (ChildJvm echo = EchoProcess.start(Map.of("WEIR_LOG_FORMAT", "JSON"), List.of(), args)) {
      String time = new JsonObject(echo.firstLine()).getString("time");
      assertThat(Instant.parse(time)).isBefore(Instant.now());
      String url = echo.await("ready at ").replaceAll("/\".*", "");
      assertThat(status(URI.create(url + "/services/echo.one-way"), "x")).isEqualTo(200);
      echo.await("POST /services/echo.one-way");
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(EchoProcess.lines(echo))
          .map(JsonObject::new)
          .allSatisfy(line -> assertThat(line.fieldNames()).contains("time", "level", "message"))
          .extracting(line -> line.getString("logger"))
          .contains("echo", "dev.weir.gateway.access");
    }
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildJvm echo =
            EchoProcess.start(
                "--set=logFormat=JSON",
                "--data=" + data(),
                "--http-port=" + taken.getLocalPort())) {
      assertThat(echo.exitCode()).isEqualTo(4);
      List<String> lines = EchoProcess.lines(echo);
      JsonObject last = new JsonObject(lines.get(lines.size() - 1));
      assertThat(last.getString("level")).isEqualTo("ERROR");
      assertThat(last.getString("message")).contains("cannot be had on host 127.0.0.1");
    }
  }

  @Test
  void severalInstancesStartAndStopInOrder() throws Exception {
    List<Integer> ports = FreePorts.find(2);
    int port = ports.get(0);
    String[] args = {
      "--data=" + data(), "-instances=2", "--http-port=" + port, "--management-port=" + ports.get(1)
    };
    try (ChildJvm echo = EchoProcess.start(args)) {
      assertThat(EchoProcess.port(echo)).isEqualTo(port);
      assertThat(status(URI.create("http://localhost:" + port + "/services/echo.one-way"), "x"))
          .isEqualTo(200);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(warnings(echo)).isEmpty();
    }
  }

  /** But for threads that stood still, as they do on a machine that is busy with other things. */
  private static List<String> warnings(ChildJvm echo) {
    return EchoProcess.lines(echo).stream()
        .filter(line -> line.contains("WARN") && !line.contains("has been blocked for"))
        .toList();
  }

  @Test
  void requestsToBothPortsMakeNoWarning() throws Exception {
    try (ChildJvm echo = start()) {
      URI service =
          URI.create("http://localhost:" + EchoProcess.port(echo) + "/services/echo.one-way");
      assertThat(status(service, "x")).isEqualTo(200);
      int management = EchoProcess.managementPort(echo);
      HttpRequest live =
          HttpRequest.newBuilder(URI.create("http://localhost:" + management + "/health/live"))
              .build();
      HttpClient client = HttpClient.newHttpClient();
      assertThat(client.send(live, HttpResponse.BodyHandlers.discarding()).statusCode())
          .isEqualTo(200);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(warnings(echo)).isEmpty();
    }
  }

  @Test
  void aSecondStartOnTheSameDirectorySaysWhoHoldsIt() throws Exception {
    try (ChildJvm first = start()) {
      EchoProcess.port(first);
      try (ChildJvm second = start()) {
        assertThat(second.exitCode()).isEqualTo(3);
        assertThat(EchoProcess.lines(second))
            .last()
            .asString()
            .startsWith(
                "echo: directory " + data() + " is in use by process " + first.pid() + " on host ")
            .contains(" since 20");
        assertSaysOnlySettings(second);
      }
    }
  }

  @Test
  void aTakenPortIsOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildJvm echo =
            EchoProcess.start("--data", data(), "--http-port", "" + taken.getLocalPort())) {
      assertThat(echo.exitCode()).isEqualTo(4);
      assertThat(EchoProcess.lines(echo))
          .last()
          .asString()
          .startsWith("echo: port " + taken.getLocalPort() + " cannot be had on host 127.0.0.1: ");
      assertSaysOnlySettings(echo);
    }
  }

  /** The settings, the shares of the heap, and then the one line that says what is wrong. */
  private static void assertSaysOnlySettings(ChildJvm echo) {
    assertThat(EchoProcess.lines(echo))
        .hasSize(9)
        .allSatisfy(line -> assertThat(line).startsWith("echo: "));
  }

  @Test
  void aTakenPortOfTheClusterIsOneLine() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ChildJvm echo =
            EchoProcess.start(
                "-cluster", "--cluster-member-port", "" + taken.getLocalPort(), "--http-port=0")) {
      assertThat(echo.exitCode()).isEqualTo(4);
      assertThat(EchoProcess.lines(echo))
          .last()
          .asString()
          .contains("cannot be had on host 127.0.0.1");
      assertSaysOnlySettings(echo);
    }
  }

  @Test
  void aWrongOptionIsOneLine() throws Exception {
    refused("echo: Unknown option: '--bogus'", "--bogus");
    refused("echo: http: port is 70000, allowed is 0 to 65535", "--http-port", "70000");
    refused("echo: -conf is none.json, which is no file that can be read", "-conf", "none.json");
    refused(
        "echo: -options: eventLoopPoolSize must be > 0", "-options", "{\"eventLoopPoolSize\":0}");
    refused(
        "echo: echo: pool: workers is 0, allowed is 1 to 1000000", "--set", "echo.pool.workers=0");
  }

  private static void refused(String line, String... args) throws Exception {
    try (ChildJvm echo = EchoProcess.start(args)) {
      assertThat(echo.exitCode()).isEqualTo(2);
      assertThat(EchoProcess.lines(echo)).containsExactly(line);
    }
  }

  @Test
  void aFlagWinsOverAPropertyOverAVariableOverTheFile() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("echo.json"),
            "{\"instances\":2,\"http\":{\"port\":1},\"echo\":{\"pool\":{\"workers\":1}},"
                + "\"store\":{\"directory\":\"from-file\"}}");
    Map<String, String> variables =
        Map.of("WEIR_HTTP_PORT", "2", "WEIR_ECHO_POOL_WORKERS", "2", "WEIR_INSTANCES", "3");
    List<String> properties = List.of("-Dweir.http.port=3", "-Dweir.echo.pool.workers=3");
    try (ChildJvm echo =
        EchoProcess.start(
            variables, properties, "-conf", "" + file, "--http-port", "4", "--check")) {
      assertThat(echo.exitCode()).isZero();
      assertThat(String.join("\n", echo.lines()))
          .contains("\"port\":4,", "\"workers\":3", "instances 3", "\"directory\":\"from-file\"");
    }
  }

  @Test
  void saysNoSecret() throws Exception {
    Map<String, String> tokens =
        Map.of(
            "WEIR_DATA_TOKENS", "someone:s3cret-data-0123456789",
            "WEIR_ADMIN_TOKENS", "s3cret-admin-0123456789");
    try (ChildJvm echo =
        EchoProcess.start(tokens, List.of(), "--data", data(), "--http-port", "0", "--verbose")) {
      URI uri =
          URI.create(
              "http://localhost:"
                  + EchoProcess.port(echo)
                  + "/services/echo.one-way?token=s3cret-query");
      assertThat(status(uri, "s3cret-data-0123456789")).isEqualTo(200);
      assertThat(status(uri, "s3cret-admin-0123456789")).isEqualTo(403);
      assertThat(status(uri, "s3cret-wrong-0123456789")).isEqualTo(401);
      URI admin =
          URI.create(
              "http://localhost:"
                  + EchoProcess.managementPort(echo)
                  + "/admin/services?token=s3cret-query");
      assertThat(status(admin, "s3cret-none")).isEqualTo(401);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      assertThat(String.join("\n", echo.lines())).contains("echo: http {").doesNotContain("s3cret");
    }
  }

  private static int status(URI uri, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void explainsItself() throws Exception {
    try (ChildJvm echo = EchoProcess.start("--help")) {
      assertThat(echo.exitCode()).isZero();
      assertThat(String.join("\n", echo.lines()))
          .contains("-conf", "-cluster", "-instances", "Exit codes:", "WEIR_HTTP_PORT");
    }
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private ChildJvm start() {
    return EchoProcess.start("--data", data(), "--http-port", "0");
  }
}
