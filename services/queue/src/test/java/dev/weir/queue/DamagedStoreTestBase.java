package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A store that was filled and killed, and what can be read and is named after some damage. */
abstract class DamagedStoreTestBase extends DataDirectoryTestBase {
  static final int FOUND = 1;
  static final int MESSAGE = 500;

  final Path killed() {
    return directory.resolve("killed");
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(16 << 10);
  }

  final QueueStoreOptions killedOptions() {
    return storeOptions().setDirectory(killed());
  }

  final void kill() throws IOException {
    KilledStore.copy(data(), killed());
  }

  /** Messages of which some are handled; not closed. */
  final void fill(QueueStoreOptions options, int all, int handled) throws IOException {
    try (QueueStore store = QueueStore.open(options);
        DurableQueue<String> queue = openQueue(store)) {
      for (int from = 0; from < all; from += 1000) {
        appendAll(queue, texts(from, from + 1000, MESSAGE));
      }
      new QueueReader<>(queue).drain(handled);
      KilledStore.awaitWritten(queue);
      KilledStore.force(store.engine().files(), data());
      appendAll(queue, List.of("last"));
      kill();
    }
  }

  /** All sequences that are readable, or said to be lost; sequences begin with 1. */
  final TreeSet<Long> named(int all) {
    TreeSet<Long> named = new TreeSet<>();
    ToolRun exported = ToolRun.of("export", killed(), "--all");
    assertThat(exported.exitCode()).as(exported.err()).isEqualTo(FOUND);
    Matcher readable = Pattern.compile("\"sequence\":(\\d+)").matcher(exported.out());
    while (readable.find()) {
      named.add(Long.parseLong(readable.group(1)));
    }
    String said = exported.err() + ToolRun.of("verify", killed()).out();
    assertThat(named.size()).as("readable").isPositive();
    KilledStore.addLost(said, named);
    assertThat(named.last()).as("no more than there were").isLessThanOrEqualTo(all);
    return named;
  }

  /** Sequences that are neither readable nor said to be lost. */
  final TreeSet<Long> unnamed(int all) {
    TreeSet<Long> sequences = new TreeSet<>();
    KilledStore.add(sequences, 1, all);
    sequences.removeAll(named(all));
    return sequences;
  }

  final List<String> drainKilled(int handled) {
    try (QueueStore store = QueueStore.open(killedOptions());
        DurableQueue<String> queue = openQueue(store)) {
      List<String> found = drainAll(queue);
      assertThat(found).as("handled").noneMatch(texts(0, handled, MESSAGE)::contains);
      return found;
    }
  }

  /** All that comes until nothing waits, whatever is lost. */
  static List<String> drainAll(DurableQueue<String> queue) {
    List<String> found = new ArrayList<>();
    Await.until(
        () -> "everything comes: " + queue.stats(),
        () -> {
          for (Delivery<String> next = queue.poll(); next != null; next = queue.poll()) {
            found.add(next.message());
            queue.acknowledge(next);
          }
          return queue.waiting() == 0;
        });
    return found;
  }
}
