package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that uses a log at random moments, again and again over the same directory. What
 * was forced is there, what is there was appended so and has no hole, a truncation is for good, and
 * snapshots and records are whole, the old or the new.
 */
@Tag("slow")
class JeLogCrashTest {
  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final LogCrashModel model = new LogCrashModel();
  private long epoch = 1;

  @TempDir Path directory;

  @Test
  @Timeout(900)
  void whatWasForcedSurvivesTenKills() throws IOException {
    kill(10);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void whatWasForcedSurvivesFiveHundredKills() throws IOException {
    kill(500);
  }

  private void kill(int rounds) throws IOException {
    System.out.println("log crash test: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    long lines = 0;
    for (int round = 1; round <= rounds; round++) {
      List<String> told = run();
      lines += told.size();
      epoch = Math.max(epoch, LogCrashModel.highestEpoch(told)) + 2;
      try (TransactionLog log = JeTransactionLog.open(directory)) {
        model.take(told);
        model.check(log);
      } catch (AssertionError | RuntimeException e) {
        String last = String.join("\n", told.subList(Math.max(0, told.size() - 40), told.size()));
        throw new AssertionError("seed " + seed + ", round " + round + ", after\n" + last, e);
      }
    }
    System.out.printf(
        "log crash test: %d kills, %d lines told, %d batches read%n", rounds, lines, model.kept);
    assertThat(model.kept).isGreaterThan(rounds);
  }

  private List<String> run() throws IOException {
    ChildJvm child =
        ChildJvm.start(
            LogCrashChild.class,
            directory.toString(),
            Long.toString(random.nextLong()),
            Long.toString(epoch));
    try (child) {
      // Some are killed while they open the log.
      boolean early = random.nextInt(6) == 0;
      long aliveMs = random.nextInt(early ? 400 : 300);
      if (!early) {
        child.await("o");
      }
      long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aliveMs);
      Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
      assertThat(child.isAlive()).as("the child with seed %s lives", seed).isTrue();
    }
    return child.lines();
  }
}
