package dev.weir.echo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prints how large the jar is, how long a start takes until the program is ready, and how much
 * memory the process has then. Nothing is asserted of the figures: they are the machine's.
 */
class EchoStartIT {
  private static final double MIB = 1 << 20;
  private static final int STARTS = Integer.getInteger("weir.start.rounds", 5);
  private static final List<String> FRUGAL = List.of("-Xms16m", "-XX:+UseSerialGC");
  private static final String ONE_COMPILER = "-XX:TieredStopAtLevel=1";

  @TempDir private Path directory;

  /** The kinds of starts take turns, so that what else the machine does meets all of them. */
  @Test
  void printsTimeToReadyMemoryAndSize() throws Exception {
    Path archive = directory.resolve("echo.jsa");
    start("-XX:ArchiveClassesAtExit=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    assertThat(archive).exists();
    Map<String, List<Start>> starts = new LinkedHashMap<>();
    for (int i = 0; i < STARTS; i++) {
      List<String> flags = new ArrayList<>();
      measure(starts, flags);
      flags.add("-XX:SharedArchiveFile=" + archive);
      measure(starts, flags);
      flags.addAll(FRUGAL);
      measure(starts, flags);
      flags.add(ONE_COMPILER);
      measure(starts, flags);
    }
    say(
        "echo.jar has %.1f MiB, its archive %.1f",
        mebibytes(EchoProcess.jar()), mebibytes(archive));
    starts.forEach((flags, of) -> say("%s: %s", flags, summary(of)));
  }

  private void measure(Map<String, List<Start>> starts, List<String> flags) throws Exception {
    String name = String.join(" ", flags).replace(directory + "/", "");
    starts
        .computeIfAbsent("java " + name, first -> new ArrayList<>())
        .add(start(flags.toArray(String[]::new)));
  }

  private Start start(String... flags) throws Exception {
    String data = "--data=" + Files.createTempDirectory(directory, "data");
    long startNs = System.nanoTime();
    try (ChildJvm echo =
        ChildJvm.ofJar(EchoProcess.jar()).flags(flags).mergeErrors().start("--http-port=0", data)) {
      EchoProcess.port(echo);
      long ns = System.nanoTime() - startNs;
      long bytes = residentBytes(echo.pid());
      echo.terminate();
      assertThat(echo.exitCode()).isZero();
      return new Start(ns, bytes);
    }
  }

  /** What the process has in memory; 0 where the system does not tell it. */
  private static long residentBytes(long pid) throws IOException {
    Path status = Path.of("/proc/" + pid + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
        .sum();
  }

  private static String summary(List<Start> starts) {
    double[] seconds = starts.stream().mapToDouble(Start::seconds).sorted().toArray();
    double[] mebibytes = starts.stream().mapToDouble(Start::mebibytes).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "ready after %.2f s (%.2f to %.2f), memory then %.0f MiB; median of %d on %d CPUs, load"
            + " %.1f",
        median(seconds),
        seconds[0],
        seconds[seconds.length - 1],
        median(mebibytes),
        starts.size(),
        Runtime.getRuntime().availableProcessors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }

  private static double median(double[] sorted) {
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }

  private static double mebibytes(Path file) throws IOException {
    return Files.size(file) / MIB;
  }

  private static void say(String format, Object... values) {
    System.out.println("start of echo: " + String.format(Locale.ROOT, format, values));
  }

  private record Start(long ns, long bytes) {
    double seconds() {
      return (double) ns / TimeUnit.SECONDS.toNanos(1);
    }

    double mebibytes() {
      return bytes / MIB;
    }
  }
}
