package dev.weir.queue;

import dev.weir.testing.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;

/**
 * Makes a small directory in the present format, to be kept under {@code
 * src/test/resources/format-<version>} once a version is published:
 *
 * <pre>
 *   orders   packets {0}, {1 ... 12 and a request}, {13}; of the second, 2, 5 and 6 are
 *            acknowledged; 0 was delivered twice, 1, 3 and 4 once
 *   events   packets {0}, {1}, {2}; 1 is acknowledged, 0 was delivered once
 * </pre>
 */
final class FormatFixture {
  private FormatFixture() {}

  /**
   * @param args the directory to make; copy its {@code .jdb} files and {@code weir.format}
   */
  public static void main(String[] args) {
    Path directory = Path.of(args[0]);
    try (QueueStore store = QueueStore.open(options(directory))) {
      orders(store);
      events(store);
    }
    try (QueueStore store = QueueStore.open(options(directory));
        DurableQueue<String> queue = open(store, "orders")) {
      new QueueReader<>(queue).next();
    }
  }

  static QueueStoreOptions options(Path directory) {
    return new QueueStoreOptions(directory).setMinFreeBytes(1 << 20).setLogFileBytes(1 << 20);
  }

  static DurableQueue<String> open(QueueStore store, String name) {
    return store.queue(
        name, new QueueTestBase.TextSerde(), new QueueOptions(), QueueTestBase.NO_LOSSES);
  }

  static String order(int number) {
    return "order " + number + " of " + "a customer, ".repeat(number);
  }

  static String event(int number) {
    return "event " + number;
  }

  private static void orders(QueueStore store) {
    try (DurableQueue<String> queue = open(store, "orders")) {
      CountDownLatch written = new CountDownLatch(13);
      queue.append(
          order(0),
          Durability.PROCESS,
          failure -> {
            // On the writer thread: what is appended here waits for its next turn, in one packet.
            for (int i = 1; i <= 12; i++) {
              queue.append(order(i), Durability.MACHINE, each -> written.countDown());
            }
            queue.offer("a request", null, false);
            written.countDown();
          });
      Await.until("the packet is written", () -> written.getCount() == 0);
      QueueTestBase.appendAll(queue, List.of(order(13)));
      Map<String, Delivery<String>> taken = new TreeMap<>();
      new QueueReader<>(queue).next(7).forEach(each -> taken.put(each.message(), each));
      for (int number : new int[] {2, 5, 6}) {
        queue.acknowledge(taken.get(order(number)));
      }
    }
  }

  private static void events(QueueStore store) {
    List<Delivery<String>> taken = new ArrayList<>();
    try (DurableQueue<String> queue = open(store, "events")) {
      for (int i = 0; i < 3; i++) {
        QueueTestBase.appendAll(queue, List.of(event(i)));
      }
      taken.addAll(new QueueReader<>(queue).next(2));
      queue.acknowledge(taken.get(1));
    }
  }
}
