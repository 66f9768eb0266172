package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.je.LogEntry;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.LogScan;
import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A message whose move to another table is damaged comes twice, or is named; it never vanishes. */
@Tag("slow")
class DamagedMoveTest extends DataDirectoryTestBase {
  private static final int FIRST_WRITE = 31;
  private static final int LAST_WRITE = 36;
  private static final int TYPE_OFFSET = 4;
  private static final int[] TAILS = {8, 60};
  private static final int[] NONE = {};
  private static final int MESSAGE = 300;
  private static final int ALL = 12;
  private static final int RETRIED = 3;
  private static final int DEAD = 5;
  private static final List<Long> NOT_HANDLED = List.of((long) RETRIED, (long) DEAD);
  private static final QueueOptions LATER =
      new QueueOptions().setRetry(RetryOptions.fixed(5, 3_600_000));

  /** Where a log entry is. */
  private record Place(Path file, LogEntry entry) {}

  /** Finds the entries from the first move on. */
  private static List<Place> entries(Path from) throws IOException {
    List<Place> all = new ArrayList<>();
    LogScan.of(
        from,
        new LogScan.Visitor() {
          private Path file;

          @Override
          public void file(long number, boolean isLast) {
            file = from.resolve(LogFiles.name(number));
          }

          @Override
          public void entry(LogEntry entry, ByteBuffer content) {
            all.add(new Place(file, entry));
          }
        });
    return all;
  }

  private static boolean isWrite(Place place) {
    return place.entry.type() >= FIRST_WRITE && place.entry.type() <= LAST_WRITE;
  }

  /**
   * One packet, of which a message is to be tried again later, another is a dead letter, and the
   * others are handled, one of them at a time.
   *
   * @return the entry with which the moves begin
   */
  private int fill(Path killed) throws IOException {
    int before;
    try (QueueStore store = QueueStore.open(storeOptions());
        DurableQueue<String> queue = openQueue(store, LATER)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
      List<Delivery<String>> taken = new ArrayList<>();
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < ALL; i++) {
        taken.add(reader.next());
      }
      queue.acknowledge(taken.get(0));
      KilledStore.awaitWritten(queue);
      before = entries(data()).size();
      queue.fail(taken.get(RETRIED), "later");
      Await.until("it is scheduled", () -> queue.stats().scheduled() == 1);
      KilledStore.awaitWritten(queue);
      queue.reject(taken.get(DEAD), "never");
      Await.until("it is dead", () -> queue.stats().deadLetters() == 1);
      KilledStore.awaitWritten(queue);
      for (int i = 1; i < ALL; i++) {
        if (i != RETRIED && i != DEAD) {
          queue.acknowledge(taken.get(i));
          KilledStore.awaitWritten(queue);
        }
      }
      KilledStore.force(store.engine().files(), data());
      KilledStore.copy(data(), killed);
    }
    return before;
  }

  /** Copies the log, damages the copy, and looks for what was not handled. */
  private String lossOf(Path killed, String what, Place from, long offset, byte[] damage)
      throws IOException {
    Path copy = directory.resolve("copy");
    KilledStore.copy(killed, copy);
    try {
      Path log = copy.resolve(from.file.getFileName());
      byte[] bytes = Files.readAllBytes(log);
      for (int i = 0; i < damage.length; i++) {
        bytes[(int) offset + i] ^= damage[i];
      }
      Files.write(log, bytes);
      TreeSet<Long> found = new TreeSet<>();
      Pattern text = Pattern.compile("\"text\":\"(\\d+):");
      Matcher readable = text.matcher(ToolRun.of("export", copy, "--all", "--text").out());
      while (readable.find()) {
        found.add(Long.parseLong(readable.group(1)));
      }
      if (found.containsAll(NOT_HANDLED)) {
        return null;
      }
      TreeSet<Long> named = new TreeSet<>();
      KilledStore.addLost(ToolRun.of("verify", copy).out(), named);
      for (long number : NOT_HANDLED) {
        // Sequences begin with 1.
        if (!found.contains(number) && !named.contains(number + 1)) {
          return what + ": " + number + " has vanished, found " + found + ", named " + named;
        }
      }
      return null;
    } finally {
      for (Path file : LogDamage.all(copy)) {
        Files.delete(file);
      }
    }
  }

  private static byte[] damage(long bytes) {
    byte[] damage = new byte[(int) bytes];
    Arrays.fill(damage, (byte) 0xa5);
    return damage;
  }

  /** Damages one entry after the other, and runs of entries; returns what has vanished. */
  private List<String> losses(int entriesFromTheFirstMove, int run, int typeBits)
      throws IOException {
    Path killed = directory.resolve("killed");
    int first = fill(killed);
    List<Place> entries = entries(killed);
    int end = Math.min(entries.size(), first + entriesFromTheFirstMove);
    List<String> losses = new ArrayList<>();
    for (int i = first; i < end; i++) {
      Place place = entries.get(i);
      LogEntry entry = place.entry;
      String at = "entry " + (i - first) + " of type " + entry.type();
      for (int bit = 0; isWrite(place) && bit < typeBits; bit++) {
        byte[] flip = {(byte) (1 << bit)};
        losses.add(lossOf(killed, at + ", its type", place, entry.offset() + TYPE_OFFSET, flip));
      }
      for (int tail : isWrite(place) ? TAILS : NONE) {
        byte[] damage = damage(Math.min(tail, entry.size()));
        long from = entry.end() - damage.length;
        losses.add(lossOf(killed, at + ", its last " + tail, place, from, damage));
      }
      for (int j = i; j < Math.min(end, i + run); j++) {
        LogEntry last = entries.get(j).entry;
        byte[] damage = damage(last.end() - entry.offset());
        losses.add(lossOf(killed, at + " to " + (j - first), place, entry.offset(), damage));
      }
    }
    losses.removeIf(loss -> loss == null);
    return losses;
  }

  @Test
  void aMessageWhoseMoveIsDamagedIsFoundOrNamed() throws IOException {
    assertThat(losses(16, 2, 1)).isEmpty();
  }

  @Test
  @Tag("soak")
  @Timeout(1800)
  void whateverIsDamagedNoMessageVanishes() throws IOException {
    assertThat(losses(1000, 12, Byte.SIZE)).isEmpty();
  }
}
