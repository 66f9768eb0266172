package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Kills processes while they copy a damaged log, again and again over the same directory. */
@Tag("slow")
class SalvageCrashTest extends QueueTestBase {
  private static final int MESSAGE = 4000;
  private static final int ALL = 2000;
  private static final int KILLS = 10;
  private static final int[] DAMAGED = {1010, 1200, 1400, 1600, 1800};
  private static final int MOST_LOST = DAMAGED.length * 5;

  private final long seed = Long.getLong("weir.crash.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** Opens the store and reads, until it is killed. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) {
      QuietLog.set();
      QueueStore store = QueueStore.open(options(Path.of(args[0])));
      DurableQueue<String> queue = store.queue("q", new TextSerde(), new QueueOptions(), NO_LOSSES);
      System.out.println("opened");
      QueueReader<String> reader = new QueueReader<>(queue);
      while (queue.waiting() > 0) {
        reader.next();
      }
      System.out.println("read");
      Await.until("it is killed", () -> false);
    }
  }

  private static QueueStoreOptions options(Path directory) {
    return new QueueStoreOptions(directory)
        .setMinFreeBytes(1 << 20)
        .setLogFileBytes(1 << 20)
        .setPacketBytes(4 << 10);
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return options(directory);
  }

  @Test
  @Timeout(900)
  void aCopyMayBeKilledTenTimes() throws IOException {
    System.out.println("salvage crash: seed " + seed + " (-Dweir.crash.seed=" + seed + ")");
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, ALL, MESSAGE));
    }
    for (int number : DAMAGED) {
      LogDamage.flip(directory, text(number, MESSAGE));
    }
    for (int i = 0; i < KILLS; i++) {
      try (ChildJvm child = ChildJvm.start(Child.class, directory.toString())) {
        assertThat(child.says("opened")).as("seed %s: round %s", seed, i).isTrue();
        long killNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(500));
        Await.until("the time to kill", () -> System.nanoTime() - killNs >= 0);
        child.kill();
      }
    }
    drain();
  }

  private void drain() {
    List<String> found = new ArrayList<>();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      Await.until(
          "the queue is empty",
          () -> {
            for (Delivery<String> next = queue.poll(); next != null; next = queue.poll()) {
              found.add(next.message());
              queue.acknowledge(next);
            }
            return queue.waiting() == 0;
          });
      assertThat(queue.stats().lost()).as("seed %s", seed).isEqualTo(ALL - found.size());
    }
    List<String> rest = new ArrayList<>(texts(0, ALL, MESSAGE));
    rest.retainAll(new HashSet<>(found));
    assertThat(found.equals(rest)).as("seed %s: in order, each once", seed).isTrue();
    assertThat(ALL - found.size()).as("seed %s: lost", seed).isBetween(DAMAGED.length, MOST_LOST);
  }
}
