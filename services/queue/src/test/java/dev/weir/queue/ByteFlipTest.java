package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogFiles;
import dev.weir.queue.store.QueueWork;
import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Flips bytes anywhere in the log files of a store, opens it and takes what comes. Whatever was
 * hit, a message that comes is the one that was appended, in order, once; a store that cannot go on
 * says so in one line. Damage in older files costs no more than is counted as lost. What the last
 * file of a killed store had may be in no index, so its loss is named and not always counted;
 * damage there may also bring back what the damaged transaction acknowledged. {@link
 * SegmentFlipTest} flips bytes of segments.
 */
@Tag("slow")
class ByteFlipTest extends QueueTestBase {
  private static final String[] QUEUES = {"a", "b"};
  private static final int ALL = 3500;
  private static final int DONE = 600;
  private static final int TAKEN = 900;
  private static final int MESSAGES_PER_PACKET = 8;

  private final long seed = Long.getLong("weir.flip.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<String, Integer> outcomes = new TreeMap<>();

  /** A store as an orderly close leaves it, and as a killed process does. */
  private Path closed;

  private Path killed;

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(4096).setSegmentThresholdBytes(0);
  }

  @Test
  @Timeout(900)
  void thirtyFlipsNeverMakeAWrongMessage() throws IOException {
    flip(30);
  }

  @Test
  @Tag("soak")
  @Timeout(3600)
  void aThousandFlipsNeverMakeAWrongMessage() throws IOException {
    flip(1000);
  }

  private void flip(int tries) throws IOException {
    System.out.println("byte flips: seed " + seed + " (-Dweir.flip.seed=" + seed + ")");
    for (int i = 0; i < tries; i++) {
      new Try(i).run();
    }
    System.out.println("byte flips: " + tries + " tries: " + outcomes);
  }

  @BeforeEach
  void fill() throws IOException {
    closed = Files.createDirectory(directory.resolve("closed"));
    killed = directory.resolve("killed");
    // So that checkpoints lie between the messages.
    Files.writeString(
        closed.resolve("je.properties"), "je.checkpointer.bytesInterval=500000" + "\n");
    try (QueueStore store = QueueStore.open(storeOptions().setDirectory(closed));
        DurableQueue<String> a = openQueue(store, "a", new QueueOptions(), NO_LOSSES);
        DurableQueue<String> b = openQueue(store, "b", new QueueOptions(), NO_LOSSES)) {
      for (int from = 0; from < ALL; from += 100) {
        appendAll(a, messages("a", from, from + 100));
        appendAll(b, messages("b", from, from + 100));
      }
      acknowledge(a);
      acknowledge(b);
      Await.until("it is written", () -> (((StoredQueue<?>) a).work() & QueueWork.UPKEEP) == 0);
      // Behind what they acknowledged.
      appendAll(a, messages("a", ALL, ALL + 1));
      appendAll(b, messages("b", ALL, ALL + 1));
      copy(closed, killed);
    }
    assertThat(bodyFiles(closed)).hasSizeGreaterThan(3);
  }

  /** The files of which bytes are flipped, oldest first. */
  List<Path> bodyFiles(Path store) throws IOException {
    return LogDamage.logs(store);
  }

  /** Whether damage of the newest of these files costs no more than is counted as lost. */
  boolean isNewestCounted() {
    return false;
  }

  /** All up to DONE, every third of those behind. */
  private static void acknowledge(DurableQueue<String> queue) {
    List<Delivery<String>> taken = new QueueReader<>(queue).next(TAKEN);
    for (int i = 0; i < TAKEN; i++) {
      if (isAcknowledged(i)) {
        queue.acknowledge(taken.get(i));
      }
    }
  }

  private static boolean isAcknowledged(int number) {
    return number < DONE || number < TAKEN && number % 3 == 0;
  }

  private static List<String> messages(String queue, int from, int to) {
    List<String> messages = new ArrayList<>();
    for (int i = from; i < to; i++) {
      messages.add(message(queue, i));
    }
    return messages;
  }

  private static String message(String queue, int number) {
    StringBuilder text = new StringBuilder(queue).append(number).append(':');
    Random letters = new Random(number);
    letters.ints(500 + number % 100, '!', '~').forEach(letter -> text.append((char) letter));
    return text.toString();
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (String name : List.of("weir.format", "weir.end")) {
      Files.copy(from.resolve(name), to.resolve(name));
    }
    for (Path log : LogFiles.withSegments(from)) {
      try {
        Files.copy(log, to.resolve(log.getFileName()));
      } catch (NoSuchFileException e) {
        // Deleted by JE meanwhile: the last file, which is copied last, says so.
      }
    }
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
        Files.delete(file);
      }
    }
  }

  private final class Try {
    private final Path damaged = directory.resolve("damaged copy");
    private final String what;
    private final boolean old;

    Try(int number) throws IOException {
      boolean orderly = random.nextInt(3) > 0;
      copy(orderly ? closed : killed, damaged);
      List<Path> logs = bodyFiles(damaged);
      boolean isOlder = random.nextBoolean();
      old = isOlder || isNewestCounted();
      Path log = logs.get(logs.size() - 1 - (isOlder ? 1 + random.nextInt(logs.size() - 1) : 0));
      StringBuilder flips = new StringBuilder();
      for (int i = random.nextInt(3); i >= 0; i--) {
        long offset = random.nextLong(Files.size(log));
        LogDamage.flip(log, offset, 1 + random.nextInt(255));
        flips.append(' ').append(offset);
      }
      what =
          String.format(
              "seed %s, try %s, %s, %s, bytes%s",
              seed, number, orderly ? "closed" : "killed", log.getFileName(), flips);
    }

    void run() throws IOException {
      String outcome = open();
      outcomes.merge((old ? "older file: " : "last file: ") + outcome, 1, Integer::sum);
      Await.until(what + ": threads end", () -> threads().isEmpty());
      delete(damaged);
    }

    private String open() {
      try (QueueStore store = QueueStore.open(storeOptions().setDirectory(damaged))) {
        long lost = 0;
        for (String name : QUEUES) {
          lost += take(store, name);
        }
        return lost < 0 ? "stopped" : lost == 0 ? "whole" : "some lost";
      } catch (QueueException e) {
        assertClear(e);
        return "refused";
      }
    }

    private void assertClear(QueueException e) {
      assertThat(e.getMessage())
          .as(what)
          .contains(damaged.toString())
          .contains("restore the directory from a backup")
          .doesNotContain("\n");
    }

    /** Messages that were lost, less than 0 if the store stopped. */
    private long take(QueueStore store, String name) {
      List<String> found = new ArrayList<>();
      try (DurableQueue<String> queue = openQueue(store, name, new QueueOptions(), NO_LOSSES)) {
        boolean[] stopped = {false};
        Await.until(
            what + ": everything comes, " + queue.stats(),
            () -> {
              for (Delivery<String> next = queue.poll(); next != null; next = queue.poll()) {
                found.add(next.message());
                queue.acknowledge(next);
              }
              stopped[0] = store.fault() != null && isStopped(store);
              return stopped[0] || queue.waiting() == 0;
            });
        check(name, found, stopped[0] ? Long.MAX_VALUE : queue.stats().lost());
        return stopped[0] ? -1 : queue.stats().lost();
      }
    }

    private boolean isStopped(QueueStore store) {
      try {
        openQueue(store, "another", new QueueOptions(), NO_LOSSES).close();
        return false;
      } catch (QueueException e) {
        assertClear(e);
        return true;
      }
    }

    private void check(String name, List<String> found, long lost) {
      int last = -1;
      TreeSet<Integer> missing = new TreeSet<>();
      for (int i = 0; i <= ALL; i++) {
        if (!isAcknowledged(i)) {
          missing.add(i);
        }
      }
      for (String text : found) {
        int number = Integer.parseInt(text.substring(1, text.indexOf(':')));
        assertThat(text.equals(message(name, number)))
            .as("%s: %s is intact", what, number)
            .isTrue();
        assertThat(number).as("%s: behind %s", what, last).isGreaterThan(last);
        if (old) {
          assertThat(number).as(what).isGreaterThanOrEqualTo(DONE - MESSAGES_PER_PACKET);
        }
        last = number;
        missing.remove(number);
      }
      if (old) {
        assertThat((long) missing.size())
            .as("%s: missing %s", what, missing)
            .isLessThanOrEqualTo(lost);
      }
    }
  }
}
