package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import io.vertx.core.json.JsonObject;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever clients send, the program answers or refuses within its heap. */
@Tag("slow")
class EchoHeapTest {
  private static final int FLOOD_S = 2;

  /** Until it is closed. */
  private static final int ENDLESS_S = 3_600;

  private static final int EVENTS = 200;
  private static final int MAX_BODY_AT_64_MIB = 2 << 20;
  private static final String TOKEN = "token-of-the-test-4711";

  /** What clients may be told: handled, too large, busy, overloaded. */
  private static final Set<String> ANSWERS =
      Set.of("200", "202", "413", "429", "503", "closed with 1013");

  private static final Pattern END = Pattern.compile("([a-z0-9 ]+)=(\\d+)");

  /**
   * @param connections for HTTP/2 streams, at most 50 on a connection
   */
  private record Flood(String protocol, String address, int bodyBytes, int connections) {
    /** The least that are handled: a program that refuses all would live too. */
    int useful() {
      boolean few = bodyBytes > 10_000 || connections == 1;
      return bodyBytes > MAX_BODY_AT_64_MIB ? 0 : few ? 1 : 100;
    }

    @Override
    public String toString() {
      return protocol + " " + address + ", " + bodyBytes + " bytes, " + connections;
    }
  }

  private static final List<Flood> FLOODS =
      List.of(
          new Flood("http1", "echo.two-way", 1_000, 1),
          new Flood("http1", "echo.two-way", 1_000, 1_000),
          new Flood("http1", "echo.events/events", 100_000, 400),
          new Flood("http1", "echo.events/events", 500_000, 400),
          new Flood("http1", "echo.two-way", 500_000, 400),
          new Flood("http1", "echo.events/events", 10_000_000, 20),
          new Flood("http2", "echo.two-way", 1_000, 1_000),
          new Flood("http2", "echo.two-way", 500_000, 100),
          new Flood("http2", "echo.events/events", 2_000_000, 50),
          new Flood("http2", "echo.events/events", 10_000_000, 5),
          new Flood("ws", "echo.two-way", 1_000, 1_000),
          new Flood("ws", "echo.two-way", 60_000, 200),
          new Flood("ws", "echo.two-way", 100_000, 50),
          new Flood("ws", "echo.two-way", 1_500_000, 20),
          new Flood("ws", "echo.two-way", 9_000_000, 5));

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void noFloodOfAnySizeAndShapeEndsTheProgram() throws Exception {
    flood(64);
  }

  @Tag("soak")
  @ParameterizedTest
  @ValueSource(ints = {96, 128, 256, 512, 1024})
  void noFloodOfAnySizeAndShapeEndsTheProgramAtOtherHeaps(int heapMiB) throws Exception {
    flood(heapMiB);
  }

  private void flood(int heapMiB) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (ChildJvm echo = start(heapMiB)) {
      int port = EchoProcess.port(echo);
      for (Flood flood : FLOODS) {
        String ends = run(flood, port);
        System.out.printf("%d MiB, %s: %s%n", heapMiB, flood, ends);
        assertThat(echo.isAlive()).as("%s: %s; %s", flood, ends, echo.lines()).isTrue();
        Set<String> kinds = kinds(ends);
        if (flood.bodyBytes() > heapMiB << 20 >> 5) {
          kinds.remove("closed with 1009");
        }
        if (!ANSWERS.containsAll(kinds) || useful(ends) < flood.useful()) {
          wrong.add(flood + ": " + ends);
        }
        Await.until("it answers after " + flood, () -> answers(port));
      }
      assertThat(wrong).isEmpty();
      echo.terminate();
      assertThat(echo.exitCode()).as("exit code; %s", echo.lines()).isZero();
    }
  }

  @Test
  void sigtermEndsTheProgramInOrderDuringAFlood() throws Exception {
    Flood flood = new Flood("http1", "echo.events/events", 500_000, 64);
    try (ChildJvm echo = start(64)) {
      int port = EchoProcess.port(echo);
      int management = EchoProcess.managementPort(echo);
      try (ChildJvm client = client(flood, port, ENDLESS_S)) {
        Await.until("clients are refused", () -> refusals(management) > 0);
        assertThat(client.isAlive()).as("the flood lasts; %s", client.lines()).isTrue();
        echo.terminate();
        assertThat(echo.exitCode()).as("exit code; %s", echo.lines()).isZero();
        assertThat(EchoProcess.lines(echo)).last().isEqualTo("echo: stopped");
      }
    }
  }

  private double refusals(int management) {
    HttpRequest metrics =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + management + "/metrics")).build();
    try (Stream<String> lines = http.send(metrics, BodyHandlers.ofLines()).body()) {
      return lines
          .filter(line -> line.startsWith("weir_gateway_rejected_requests_total"))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Test
  void anExhaustedHeapEndsTheProgramWithItsOwnCodeAndKeepsWhatWasAccepted() throws Exception {
    Path signal = directory.resolve("eat");
    Path journal = directory.resolve("journal");
    Set<String> accepted = new TreeSet<>();
    try (ChildJvm echo = startHungry(signal, journal)) {
      int port = EchoProcess.port(echo);
      int management = EchoProcess.managementPort(echo);
      assertThat(post(management, "/admin/services/echo.events/pause").statusCode()).isEqualTo(200);
      for (int i = 0; i < EVENTS; i++) {
        HttpResponse<String> response = post(port, "/services/echo.events/events");
        assertThat(response.statusCode()).isEqualTo(202);
        accepted.add(new JsonObject(response.body()).getString("id"));
      }
      Files.createFile(signal);
      long startNs = System.nanoTime();
      assertThat(echo.exitCode()).as("exit code; %s", echo.lines()).isEqualTo(5);
      System.out.printf("ended after %d ms%n", (System.nanoTime() - startNs) / 1_000_000);
      assertThat(echo.lines()).anyMatch(line -> line.contains("the heap is exhausted"));
    }
    Files.delete(signal);
    try (ChildJvm echo = startHungry(signal, journal)) {
      EchoProcess.port(echo);
      Await.until("what was accepted is handled", () -> handled(journal).containsAll(accepted));
    }
  }

  private static Set<String> handled(Path journal) {
    try (Stream<String> lines = Files.lines(journal)) {
      return lines.map(line -> line.split(" ")[0]).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ChildJvm startHungry(Path signal, Path journal) {
    return ChildJvm.of(HungryEcho.class)
        .flags("-XX:-UseSerialGC", "-XX:+UseG1GC", "-Xmx64m")
        .environment(Map.of("WEIR_ADMIN_TOKENS", TOKEN))
        .mergeErrors()
        .start(
            signal.toString(),
            "--http-port=0",
            "--data=" + directory.resolve("kept"),
            "--set=echo.journal=" + journal);
  }

  private HttpResponse<String> post(int port, String path)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + TOKEN)
            .POST(BodyPublishers.ofString("{}"))
            .build();
    return http.send(request, BodyHandlers.ofString());
  }

  private ChildJvm start(int heapMiB) {
    return ChildJvm.of(EchoMain.class)
        .flags("-XX:-UseSerialGC", "-XX:+UseG1GC", "-Xmx" + heapMiB + "m")
        .mergeErrors()
        .start("--http-port=0", "--data=" + directory.resolve("data"));
  }

  private static String run(Flood flood, int port) {
    try (ChildJvm client = client(flood, port, FLOOD_S)) {
      return client.await("flood: ");
    }
  }

  private static ChildJvm client(Flood flood, int port, int seconds) {
    return ChildJvm.of(FloodClient.class)
        // Or what its own want of heap breaks passes for an end by the server.
        .flags("-Xmx1g", "-XX:+ExitOnOutOfMemoryError")
        .mergeErrors()
        .start(
            flood.protocol(),
            String.valueOf(port),
            "/services/" + flood.address(),
            String.valueOf(flood.bodyBytes()),
            String.valueOf(flood.connections()),
            String.valueOf(seconds));
  }

  /** How many requests were handled. */
  private static int useful(String ends) {
    int useful = 0;
    Matcher matcher = END.matcher(ends.split(" causes ")[0]);
    while (matcher.find()) {
      useful += matcher.group(1).trim().startsWith("20") ? Integer.parseInt(matcher.group(2)) : 0;
    }
    return useful;
  }

  private static Set<String> kinds(String ends) {
    Set<String> kinds = new TreeSet<>();
    Matcher matcher = END.matcher(ends.split(" causes ")[0]);
    while (matcher.find()) {
      kinds.add(matcher.group(1).trim());
    }
    return kinds;
  }

  private boolean answers(int port) {
    try {
      return post(port, "/services/echo.two-way").statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
