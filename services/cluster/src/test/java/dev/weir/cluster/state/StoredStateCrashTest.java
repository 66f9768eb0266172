package dev.weir.cluster.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.protocol.LogEnd;
import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process with a state on a disk at random moments, again and again over the same
 * directory. The state is always what the log leads to, object for object.
 */
@Tag("slow")
class StoredStateCrashTest {
  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<StoredMember.Part> parts = new ArrayList<>();
  private long epoch;

  @TempDir Path directory;

  @Test
  @Timeout(900)
  void theStateIsWhatTheLogLeadsToAfterTwelveKills() {
    kill(12);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void theStateIsWhatTheLogLeadsToAfterFiveHundredKills() {
    kill(500);
  }

  private void kill(int rounds) {
    System.out.println("state crash test: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    long checked = 0;
    for (int round = 1; round <= rounds; round++) {
      List<String> told = run();
      try (StoredMember member = new StoredMember(directory, random.nextInt(30_000))) {
        take(told, member.log.end());
        member.check(parts);
        checked += member.end();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round + ", after " + parts, e);
      }
    }
    System.out.printf("state crash test: %d kills, %d messages checked%n", rounds, checked);
    assertThat(checked).isGreaterThan(rounds);
  }

  private void take(List<String> told, LogEnd end) {
    List<StoredMember.Part> said = new ArrayList<>();
    for (String line : told) {
      String[] words = line.split(" ");
      if (words.length == 4 && words[0].equals("e")) {
        said.add(new StoredMember.Part(Long.parseLong(words[2]), Long.parseLong(words[1])));
      }
    }
    for (StoredMember.Part part : said) {
      epoch = Math.max(epoch, part.epoch());
      boolean isLast = part == said.get(said.size() - 1);
      // The last truncation may not have happened, or not in whole.
      if (!isLast || end.epoch() == part.epoch()) {
        parts.removeIf(before -> before.position() >= part.position());
        parts.add(part);
      }
    }
  }

  private List<String> run() {
    ChildJvm child =
        ChildJvm.start(
            StoredStateChild.class,
            directory.toString(),
            Long.toString(random.nextLong()),
            Long.toString(epoch + 1));
    try (child) {
      // Some are killed while they open the log.
      boolean early = random.nextInt(6) == 0;
      long aliveMs = random.nextInt(early ? 500 : 1_000);
      if (!early) {
        child.await("e");
      }
      long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aliveMs);
      Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
      assertThat(child.isAlive()).as("the child with seed %s lives", seed).isTrue();
    }
    return child.lines();
  }
}
