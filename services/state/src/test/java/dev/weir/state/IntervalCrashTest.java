package dev.weir.state;

import static dev.weir.state.IntervalCrashChild.CHAINS;
import static dev.weir.state.IntervalCrashChild.SAFE_CHAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that writes to a factory with a commit interval, with SIGKILL. What the next one
 * finds is a state that the store had: of each chain of operations the first ones without a gap,
 * and of no chain less than a document that is there knew of it. It has all that was committed.
 */
@Tag("slow")
class IntervalCrashTest {
  @TempDir Path directory;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** What was lost, for the report. */
  private int lost;

  private long oldestLostMs;

  /** A document that was found. */
  private record Found(String key, int n, int[] known) {
    static Found of(String line) {
      String[] words = line.split(" ");
      int[] known = Arrays.stream(words, 3, words.length).mapToInt(Integer::parseInt).toArray();
      return new Found(words[1], Integer.parseInt(words[2]), known);
    }

    int chain() {
      return key.charAt(0) - '0';
    }
  }

  @Test
  @Timeout(300)
  void aKillLosesTheLastWritesOnlyAndLeavesAStateThatTheStoreHad() {
    liveAndBeKilled(6);
  }

  @Test
  @Tag("soak")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void aHundredKillsLoseTheLastWritesOnly() {
    liveAndBeKilled(100);
  }

  private void liveAndBeKilled(int rounds) {
    for (int round = 0; round < rounds; round++) {
      String data = directory.resolve("documents-" + round).toString();
      String interval = "" + List.of(10, 50, 500).get(round % 3);
      boolean isSafe = round % 2 == 1;
      String[] args =
          isSafe ? new String[] {data, interval, "safe"} : new String[] {data, interval};
      try (ChildJvm child = start(args)) {
        int least = 1 + random.nextInt(3_000);
        // Commits come without a call: nothing is closed, and no other factory need be written.
        child.awaitLine("commit of " + least, line -> isCommitted(line, least));
        int more = random.nextInt(100);
        int before = child.lines().size();
        Await.until("more lines", () -> child.lines().size() > before + more);
        child.kill();
        check(child.allLines(), data, isSafe);
      }
      System.out.printf(
          "IntervalCrashTest: interval %s ms, safe %s: %d acknowledged writes lost, the oldest was"
              + " %d ms old%n",
          interval, isSafe, lost, oldestLostMs);
    }
  }

  private static ChildJvm start(String... args) {
    return ChildJvm.of(IntervalCrashChild.class).flags("-Xmx96m").start(args);
  }

  private static boolean isCommitted(String line, int least) {
    return line.startsWith("S ") && committed(line)[0] >= least;
  }

  private static int[] committed(String line) {
    return Arrays.stream(line.substring(2).split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  private void check(List<String> written, String data, boolean isSafe) {
    assertThat(written).as("seed %d", seed).noneMatch(line -> line.startsWith("X "));
    int[] least = new int[CHAINS];
    for (String line : written) {
      if (line.startsWith("S ")) {
        int[] now = committed(line);
        System.arraycopy(now, 0, least, 0, now.length);
      } else if (line.startsWith("A " + SAFE_CHAIN + " ")) {
        least[SAFE_CHAIN] = Integer.parseInt(line.split(" ")[2]);
      }
    }
    List<Found> found;
    try (ChildJvm child = start(data)) {
      assertThat(child.exitCode()).as("seed %d", seed).isZero();
      assertThat(child.lines()).contains("R").noneMatch(line -> line.startsWith("X "));
      found = child.lines().stream().filter(line -> line.startsWith("F ")).map(Found::of).toList();
    }
    int[] done = new int[CHAINS];
    for (int chain = 0; chain < CHAINS; chain++) {
      done[chain] = operations(chain, found, least[chain]);
    }
    for (Found each : found) {
      for (int chain = 0; chain < CHAINS; chain++) {
        assertThat(each.known()[chain])
            .as("what %s knew of chain %d, seed %d", each.key(), chain, seed)
            .isLessThanOrEqualTo(done[chain]);
      }
    }
    assertThat(done[SAFE_CHAIN] > 0).isEqualTo(isSafe);
    count(written, done);
  }

  /** How many operations of a chain make what was found of it. */
  private int operations(int chain, List<Found> found, int least) {
    Map<String, Integer> there = new HashMap<>();
    found.stream()
        .filter(each -> each.chain() == chain)
        .forEach(each -> there.put(each.key(), each.n()));
    int last = there.values().stream().mapToInt(n -> n).max().orElse(0);
    // A deletion that came last may have left no trace.
    for (int n = last + 1; n >= Math.max(least, last); n--) {
      if (there.equals(after(chain, n))) {
        return n;
      }
    }
    throw new AssertionError(
        "no number of operations of chain "
            + chain
            + ", at least "
            + least
            + ", makes "
            + there
            + ", seed "
            + seed);
  }

  /** The documents of a chain after its first operations. */
  private static Map<String, Integer> after(int chain, int operations) {
    Map<String, Integer> there = new HashMap<>();
    for (int n = Math.max(1, operations - 10 * IntervalCrashChild.KEYS); n <= operations; n++) {
      if (IntervalCrashChild.isDeletion(chain, n)) {
        there.remove(IntervalCrashChild.key(chain, n));
      } else {
        there.put(IntervalCrashChild.key(chain, n), n);
      }
    }
    return there;
  }

  private void count(List<String> written, int[] done) {
    lost = 0;
    oldestLostMs = 0;
    List<Long> times = new ArrayList<>();
    List<Long> lostTimes = new ArrayList<>();
    int[] last = new int[CHAINS];
    for (String line : written) {
      if (line.startsWith("A ")) {
        String[] words = line.split(" ");
        int chain = Integer.parseInt(words[1]);
        last[chain] = Integer.parseInt(words[2]);
        times.add(Long.parseLong(words[3]));
        if (last[chain] > done[chain]) {
          lostTimes.add(Long.parseLong(words[3]));
        }
      }
    }
    for (int chain = 0; chain < CHAINS; chain++) {
      lost += Math.max(0, last[chain] - done[chain]);
    }
    if (!lostTimes.isEmpty()) {
      oldestLostMs = times.get(times.size() - 1) - lostTimes.get(0);
    }
  }
}
