package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills processes while their disk is full, or was a moment ago. What was accepted and not done
 * with is delivered by one of the next, and a disk that has room again is drained.
 */
@Tag("slow")
class FullDiskKillTest extends QueueTestBase {
  private static final int NUMBERS_PER_ROUND = 1_000_000;
  private static final int MEBIBYTES = 48;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Set<Integer> accepted = new TreeSet<>();
  private final Set<Integer> ended = new TreeSet<>();
  private SmallDisk smallDisk;
  private int refusals;

  @BeforeEach
  void mount() throws Exception {
    System.out.println("full disk kill test: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    smallDisk = SmallDisk.mount(directory.resolve("disk"), MEBIBYTES);
  }

  @AfterEach
  void unmount() {
    if (smallDisk != null) {
      smallDisk.unmount();
    }
  }

  private Path data() {
    return directory.resolve("disk").resolve("data");
  }

  @Test
  @Timeout(900)
  void nothingIsLostByEightKillsOnAFullDisk() throws IOException {
    kill(8);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void nothingIsLostByAHundredKillsOnAFullDisk() throws IOException {
    kill(100);
  }

  private void kill(int kills) throws IOException {
    Path foreign = null;
    for (int round = 1; round <= kills; round++) {
      try (ChildJvm child =
          ChildJvm.start(
              FullDiskKillChild.class,
              data().toString(),
              Long.toString(random.nextLong()),
              Integer.toString(round * NUMBERS_PER_ROUND))) {
        foreign = round(child, foreign);
        child.kill();
        take(child.allLines());
      }
    }
    if (foreign != null) {
      Files.delete(foreign);
    }
    drain();
  }

  /** Returns the file of others that fills the disk, or null. */
  private Path round(ChildJvm child, Path before) throws IOException {
    Path foreign = before;
    if (!opens(child)) {
      // Only a disk that others have filled is a reason.
      assertThat(foreign).as("seed %s: %s", seed, child.allLines()).isNotNull();
      refusals++;
      Files.delete(foreign);
      return null;
    }
    if (foreign == null && random.nextInt(4) > 0) {
      awaitLines(child, random.nextInt(2000));
      long room = Files.getFileStore(data()).getUsableSpace() / 4;
      foreign = smallDisk.fillUp(random.nextBoolean() ? 0 : random.nextInt((int) room + 1));
    }
    if (foreign != null) {
      awaitFull(child);
      awaitLines(child, random.nextInt(200));
      if (random.nextInt(3) == 0) {
        Files.delete(foreign);
        foreign = null;
      }
    }
    awaitLines(child, random.nextInt(300));
    return foreign;
  }

  private static boolean opens(ChildJvm child) {
    Await.until(
        () -> "it opens, or says why not: " + child.lines(),
        () -> child.hasSaid("O ") || child.hasSaid("R ") || child.hasSaid("X "));
    return child.hasSaid("O ");
  }

  private void awaitFull(ChildJvm child) {
    int from = child.lines().size();
    Await.until(
        () -> "seed " + seed + ": it says that the disk is full: " + last(child),
        () -> child.lines().stream().skip(from).anyMatch("F"::equals) || !child.isAlive());
  }

  private void awaitLines(ChildJvm child, int more) {
    int from = child.lines().size();
    Await.until(
        () -> "seed " + seed + ": it goes on: " + last(child),
        () -> child.lines().size() >= from + more || !child.isAlive());
    assertThat(child.isAlive()).as("seed %s: alive; %s", seed, last(child)).isTrue();
  }

  private static List<String> last(ChildJvm child) {
    List<String> lines = child.lines();
    return lines.subList(Math.max(0, lines.size() - 20), lines.size());
  }

  private void take(List<String> lines) {
    for (String line : lines) {
      switch (line.charAt(0)) {
        case 'A' -> accepted.add(Integer.parseInt(line.substring(2)));
        case 'E' -> ended.add(Integer.parseInt(line.substring(2)));
        case 'X' -> throw new AssertionError("seed " + seed + ": " + line);
        default -> {}
      }
    }
  }

  private void drain() {
    Set<Integer> delivered = new TreeSet<>();
    try (QueueStore store = QueueStore.open(FullDiskKillChild.storeOptions(data()));
        DurableQueue<String> queue = openQueue(store, FullDiskKillChild.options())) {
      Await.until(
          () -> "seed " + seed + ": all is drained: " + queue.stats(),
          () -> {
            // Rejected, or failed too often.
            queue.deadLetters().requeueAll();
            for (Delivery<String> got = queue.poll(); got != null; got = queue.poll()) {
              delivered.add(FullDiskKillChild.number(got));
              queue.acknowledge(got);
            }
            QueueStats stats = queue.stats();
            return stats.waiting() + stats.scheduled() + stats.deadLetters() == 0;
          });
      assertThat(queue.stats().lost() + queue.stats().corruptPackets()).isZero();
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
    Set<Integer> missing = new TreeSet<>(accepted);
    missing.removeAll(ended);
    assertThat(missing).as("seed %s: accepted, not done with", seed).isNotEmpty();
    missing.removeAll(delivered);
    assertThat(missing).as("seed %s: lost", seed).isEmpty();
    System.out.printf(
        "full disk kill test: %d accepted, %d ended, %d openings refused%n",
        accepted.size(), ended.size(), refusals);
  }
}
