package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.testing.ChildJvm;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flood of ten times what echo can answer, by wrk, which is a package of most distributions. */
@Tag("slow")
@Tag("soak")
class EchoOverloadTest {
  private static final int WORKERS = 20;
  private static final int WAITING = 100;
  private static final int CONNECTIONS = 10 * (WORKERS + WAITING);
  private static final int FLOOD_S = 60;
  private static final long SETTLED_S = 20;
  private static final long MAX_GROWTH_KB = 64 << 10;
  private static final long MAX_LATENCY_MS = 5_000;
  private static final long MAX_RECOVERY_MS = 2_000;
  private static final int ANSWERS_IN_A_ROW = 20;
  private static final long PATIENCE_S = 60;
  private static final Pattern RESULT =
      Pattern.compile("flood: accepted (\\d+), refused (\\d+), other (\\d+), errors (\\d+)");

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void refusesWhatIsTooMuchAndAnswersTheRestInTime() throws Exception {
    assumeThat(Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(Path::of))
        .anyMatch(bin -> Files.isExecutable(bin.resolve("wrk")));
    try (ChildJvm echo = start()) {
      int port = EchoProcess.port(echo);
      assertThat(ask(port)).isEqualTo(200);
      Process wrk = flood(port);
      CompletableFuture<Long> floodEndNs = wrk.onExit().thenApply(ended -> System.nanoTime());
      long startNs = System.nanoTime();
      long settledKb = 0;
      long slowestMs = 0;
      while (wrk.isAlive()) {
        slowestMs = Math.max(slowestMs, latencyMs(port));
        if (settledKb == 0 && System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(SETTLED_S)) {
          settledKb = residentKb(echo);
        }
      }
      long recoveryMs = recoveryMs(port, floodEndNs.join());
      long grownKb = residentKb(echo) - settledKb;
      List<String> said = wrk.inputReader().lines().toList();
      System.out.printf(
          "%s; slowest accepted %d ms, memory %d KiB after %d s and %+d, recovery %d ms%n",
          said, slowestMs, settledKb, SETTLED_S, grownKb, recoveryMs);
      assertOnlyRefused(said);
      assertThat(slowestMs).as("ms of an accepted request").isLessThan(MAX_LATENCY_MS);
      assertThat(grownKb).as("KiB more").isLessThan(MAX_GROWTH_KB);
      assertThat(recoveryMs).as("ms to recover").isLessThan(MAX_RECOVERY_MS);
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
    }
  }

  private ChildJvm start() {
    return EchoProcess.start(
        "--http-port=0",
        "--data=" + directory.resolve("data"),
        "--set=echo.delayMs=10",
        "--set=echo.pool.workers=" + WORKERS,
        "--set=echo.pool.memoryMessages=" + WAITING,
        "--set=echo.pool.diskBytes=0");
  }

  private static Process flood(int port) throws Exception {
    Path script = Path.of(EchoOverloadTest.class.getResource("/flood.lua").toURI());
    return new ProcessBuilder(
            "wrk",
            "--threads=1",
            "--connections=" + CONNECTIONS,
            "--duration=" + FLOOD_S,
            "--timeout=30",
            "--script=" + script,
            "http://127.0.0.1:" + port + "/services/echo.two-way")
        .redirectErrorStream(true)
        .start();
  }

  /** Of one request among the flood; 0 if it was refused. */
  private long latencyMs(int port) throws Exception {
    long startNs = System.nanoTime();
    int status = ask(port);
    assertThat(status).isIn(200, 429, 503);
    return status == 200 ? TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) : 0;
  }

  /** From the end of the flood until so many requests in a row, one at a time, are answered. */
  private long recoveryMs(int port, long floodEndNs) throws Exception {
    long giveUpNs = floodEndNs + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    int inARow = 0;
    while (inARow < ANSWERS_IN_A_ROW) {
      inARow = ask(port) == 200 ? inARow + 1 : 0;
      assertThat(System.nanoTime() - giveUpNs).as("ns over the patience").isNegative();
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - floodEndNs);
  }

  private int ask(int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/services/echo.two-way"))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{}"))
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }

  private static long residentKb(ChildJvm echo) throws Exception {
    return Files.readAllLines(Path.of("/proc", "" + echo.pid(), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }

  private static void assertOnlyRefused(List<String> said) {
    Matcher result =
        said.stream()
            .map(RESULT::matcher)
            .filter(Matcher::matches)
            .findFirst()
            .orElseThrow(() -> new AssertionError("wrk said " + said));
    assertThat(Long.parseLong(result.group(1))).as("accepted").isPositive();
    assertThat(Long.parseLong(result.group(2))).as("refused").isPositive();
    assertThat(result.group(3)).as("other answers").isEqualTo("0");
    assertThat(result.group(4)).as("errors of connections").isEqualTo("0");
  }
}
