package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Kills a process again and again, with SIGKILL, and looks at what the next one finds. */
@Tag("slow")
class CrashTest {
  private static final int KILLED = 128 + 9;
  private static final long HANGS_MS = 120_000;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path directory;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final CrashLog log = new CrashLog(Long.toString(seed));
  private final ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
  private Process child;

  @AfterEach
  void killTheChild() {
    killer.shutdownNow();
    if (child != null) {
      child.destroyForcibly();
    }
  }

  @Test
  @Timeout(900)
  void whatWasAcceptedOutlivesEveryKill() throws Exception {
    outlivesKills(12);
  }

  @Test
  @Tag("soak")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void whatWasAcceptedOutlivesHundredsOfKills() throws Exception {
    outlivesKills(500);
  }

  private void outlivesKills(int rounds) throws Exception {
    System.out.println("CrashTest: seed " + seed);
    for (int round = 0; round < rounds; round++) {
      liveAndBeKilled(round);
    }
    liveAndEnd(rounds);
    long before = log.started();
    liveAndEnd(rounds + 1);
    assertThat(log.started())
        .as("seed %d: after a clean end nothing is left", seed)
        .isEqualTo(before);
    assertThat(log.accepted()).isGreaterThan(rounds);
    System.out.println("CrashTest: " + log);
  }

  /** Most are killed while they send, one in five perhaps before; one in 25 lives longer. */
  private void liveAndBeKilled(int round) throws IOException, InterruptedException {
    boolean early = round % 5 == 3;
    long lifeMs = early ? random.nextInt(60) : 20 + random.nextInt(381);
    lifeMs += round % 25 == 7 ? CrashLog.FLUSHED_MS + 500 : 0;
    Durability durability = round % 2 == 0 ? Durability.PROCESS : Durability.MACHINE;
    start(round, durability.name(), Long.toString(round * CrashLog.ROUND));
    ProcessHandle handle = child.toHandle();
    AtomicLong killedAtNs = new AtomicLong();
    try (BufferedReader lines = child.inputReader()) {
      boolean doomed = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.line(line, System.nanoTime());
        if (!doomed && (early || line.startsWith("A"))) {
          doomed = true;
          killer.schedule(() -> kill(handle, killedAtNs), lifeMs, TimeUnit.MILLISECONDS);
        }
      }
    }
    assertThat(child.waitFor()).as(end(round)).isEqualTo(KILLED);
    assertThat(killedAtNs.get()).as("killed in time, " + end(round)).isNotZero();
    log.killed(killedAtNs.get());
  }

  /** By its handle: what the child has printed can still be read. */
  private static void kill(ProcessHandle child, AtomicLong killedAtNs) {
    killedAtNs.set(System.nanoTime());
    child.destroyForcibly();
  }

  private void liveAndEnd(int round) throws IOException, InterruptedException {
    start(round, Durability.PROCESS.name());
    try (BufferedReader lines = child.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.line(line, System.nanoTime());
      }
    }
    assertThat(child.waitFor()).as(end(round)).isZero();
    log.ended();
  }

  private void start(int round, String... more) throws IOException {
    log.begin(round);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                CrashChild.class.getName(),
                directory.resolve("data").toString()));
    command.addAll(List.of(more));
    Process started = new ProcessBuilder(command).redirectError(errors(round).toFile()).start();
    child = started;
    killer.schedule(started.toHandle()::destroyForcibly, HANGS_MS, TimeUnit.MILLISECONDS);
  }

  private Path errors(int round) {
    return directory.resolve("errors-" + round + ".txt");
  }

  private String end(int round) throws IOException {
    return "end of child " + round + ", seed " + seed + ": " + Files.readString(errors(round));
  }
}
