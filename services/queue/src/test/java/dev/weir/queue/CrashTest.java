package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Kills a child JVM at random moments, again and again over the same directory: opening, recovery
 * and everything else may be hit. What is checked:
 *
 * <ul>
 *   <li>a message whose append completed, and that was not being acknowledged, is delivered by the
 *       next process; those of earlier processes too, however often they were killed;
 *   <li>in the order of the appends, without gaps, intact, each once per process;
 *   <li>a message comes again only if its acknowledgement was not yet on disk: none does of which
 *       an append in a later transaction has completed;
 *   <li>a request does not come again.
 * </ul>
 */
@Tag("slow")
class CrashTest extends QueueTestBase {
  private static final long NUMBERS_PER_ROUND = 1_000_000_000;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** When to kill: a random time behind one of these. */
  private List<String> aims =
      List.of(JeMarks.OPEN, JeMarks.OPENED, JeMarks.OPENED, JeMarks.OPENED, JeMarks.OPENED);

  /** Accepted and not acknowledged: must be delivered. */
  private final TreeSet<Long> due = new TreeSet<>();

  /** Acknowledged on disk: must not be delivered. */
  private final Set<Long> done = new HashSet<>();

  /** Acknowledgements that may or may not have reached the disk. */
  private final Set<Long> uncertain = new HashSet<>();

  private long accepted;
  private long acknowledged;
  private long again;
  private long redelivered;

  @Test
  @Timeout(900)
  void everyAcceptedMessageSurvivesKills() throws IOException {
    kill(15);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void everyAcceptedMessageSurvivesAThousandKills() throws IOException {
    kill(1000);
  }

  @Test
  @Timeout(900)
  void everyAcceptedMessageSurvivesKillsWhileFilesAreOpenedCleanedAndCheckpointed()
      throws IOException {
    aimedKill(10);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void everyAcceptedMessageSurvivesSixHundredAimedKills() throws IOException {
    aimedKill(600);
  }

  /** With so much to clean that there is always something to hit. */
  private void aimedKill(int rounds) throws IOException {
    Files.writeString(
        directory.resolve("je.properties"),
        """
        je.checkpointer.bytesInterval=20000
        je.cleaner.bytesInterval=20000
        je.cleaner.minUtilization=80
        """);
    aims = List.of(JeMarks.OPEN, JeMarks.CLEAN, JeMarks.CHECKPOINT);
    kill(rounds);
  }

  private void kill(int rounds) throws IOException {
    System.out.println("crash test: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    int round = 0;
    // Kills that all come early, on a busy machine, say little: then later ones, until enough has
    // been done.
    while (round < rounds || round < rounds * 10 && (accepted < rounds * 10L || done.isEmpty())) {
      round++;
      Durability durability = round % 2 == 0 ? Durability.PROCESS : Durability.MACHINE;
      check(round, run(round, rounds, durability));
    }
    drain();
    System.out.printf(
        "crash test: %d kills, %d accepted, %d acknowledged, %d delivered again of which %d were"
            + " acknowledged%n",
        round, accepted, acknowledged, redelivered, again);
    assertThat(accepted).isGreaterThanOrEqualTo(rounds * 10L);
    assertThat(done).isNotEmpty();
  }

  private List<String> run(int round, int rounds, Durability durability) throws IOException {
    String aim = aims.get(random.nextInt(aims.size()));
    long aliveMs =
        random.nextInt(aim.equals(JeMarks.OPENED) ? 350 : aim.equals(JeMarks.OPEN) ? 400 : 20);
    try (ChildJvm child =
        ChildJvm.start(
            CrashChild.class,
            directory.toString(),
            durability.name(),
            Long.toString(random.nextLong()),
            Long.toString(round * NUMBERS_PER_ROUND))) {
      assertThat(child.says(aim)).as("seed %s: %s", seed, aim).isTrue();
      if (round > rounds) {
        child.awaitLine("acknowledgement on disk", line -> line.matches("F [1-9].*"));
      }
      long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(aliveMs);
      Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
      assertThat(child.isAlive()).as("seed %s: %s", seed, round).isTrue();
      child.kill();
      return child.allLines();
    }
  }

  private void check(int round, List<String> lines) {
    long base = round * NUMBERS_PER_ROUND;
    Life life = new Life(base);
    // A line that the kill cut off says nothing.
    for (String line : lines) {
      if (line.length() > 2 && line.charAt(1) == ' ' && line.charAt(0) != 'M') {
        life.take(line);
      }
    }
    assertThat(life.wrong).as("seed %s, round %s", seed, round).isEmpty();
  }

  /** What one process said. */
  private final class Life {
    private final long base;
    private final TreeSet<Long> found;
    private final List<Long> ended = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();
    private long last = -1;
    private int flushed;

    Life(long base) {
      this.base = base;
      this.found = new TreeSet<>(due);
    }

    void take(String line) {
      if (line.startsWith("X")) {
        wrong.add(line);
        return;
      }
      long number;
      try {
        number = Long.parseLong(line.substring(2));
      } catch (NumberFormatException e) {
        wrong.add("line " + line);
        return;
      }
      switch (line.charAt(0)) {
        case 'A' -> {
          accepted++;
          // It may have been delivered and acknowledged before its sender was told.
          if (!uncertain.contains(number)) {
            due.add(number);
          }
        }
        case 'D' -> delivered(number);
        case 'k' -> {
          due.remove(number);
          uncertain.add(number);
        }
        case 'K' -> ended.add(number);
        case 'F' -> flushed(number);
        default -> {}
      }
    }

    private void delivered(long number) {
      check(number > last, number + " came after " + last);
      check(!done.contains(number), number + " was acknowledged on disk and came again");
      if (number >= base) {
        check(
            last < base || number == last + 1, number + " came after " + last + " of this process");
        check(found.isEmpty(), number + " came before " + (found.isEmpty() ? 0 : found.first()));
      } else {
        check(number % CrashChild.REQUEST_EVERY != 0, "request " + number + " came again");
        check(
            found.isEmpty() || number <= found.first(),
            number + " came, " + (found.isEmpty() ? 0 : found.first()) + " did not");
        found.remove(number);
        redelivered++;
        again += uncertain.contains(number) ? 1 : 0;
        // Not known to be accepted, but it was: from now on it is due.
        due.add(number);
      }
      last = number;
    }

    private void flushed(long count) {
      for (; flushed < count; flushed++) {
        done.add(ended.get(flushed));
        acknowledged++;
      }
    }

    private void check(boolean right, String what) {
      if (!right) {
        wrong.add(what);
      }
    }
  }

  private void drain() {
    try (QueueStore store = QueueStore.open(CrashChild.options(directory));
        DurableQueue<byte[]> queue = store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
      Life life = new Life(Long.MAX_VALUE);
      QueueReader<byte[]> reader = new QueueReader<>(queue);
      while (queue.waiting() > 0) {
        Delivery<byte[]> delivery = reader.next();
        life.delivered(CrashChild.number(delivery.message()));
        queue.acknowledge(delivery);
      }
      assertThat(life.wrong).as("seed %s", seed).isEmpty();
      assertThat(life.found).as("seed %s, never delivered", seed).isEmpty();
      assertThat(queue.stats().bytes()).isZero();
      assertThat(queue.stats().lost()).isZero();
    }
    try (QueueStore store = QueueStore.open(CrashChild.options(directory));
        DurableQueue<byte[]> queue = store.queue("q", Serde.BYTES, new QueueOptions(), NO_LOSSES)) {
      assertThat(queue.waiting()).isZero();
    }
  }
}
