package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.WaitingMessages.Deletion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Operators delete, release, requeue and copy while messages come and go: each message has one end,
 * also over a restart or a kill in their midst.
 */
@Tag("slow")
class RacingOperatorsTest extends QueueTestBase {
  private static final long RACE_NS = TimeUnit.MILLISECONDS.toNanos(1500);

  private final Set<Integer> accepted = ConcurrentHashMap.newKeySet();
  private final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<Integer> deleted = ConcurrentHashMap.newKeySet();
  private final Set<Integer> buried = ConcurrentHashMap.newKeySet();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopped;
  private int copies;

  private QueueStoreOptions options(Path data, Random random) {
    return new QueueStoreOptions(data)
        .setMinFreeBytes(1 << 20)
        .setLogFileBytes(1 << 20)
        .setAckFlushMs(1 + random.nextInt(20))
        .setSegmentThresholdBytes(random.nextBoolean() ? 0 : 1 << 10)
        .setPacketBytes(4 << 10);
  }

  private static QueueOptions queueOptions(Random random) {
    return new QueueOptions()
        .setOrder(DeliveryOrder.values()[random.nextInt(2)])
        .setReadAheadBytes(4 << 10)
        .setWriteThrough(random.nextBoolean())
        .setRetry(RetryOptions.fixed(3, random.nextInt(40)));
  }

  private Thread start(String name, Runnable turn) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (!stopped) {
                  turn.run();
                }
              } catch (Throwable e) {
                failures.add(e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  private static int number(String message) {
    return Integer.parseInt(message.substring(0, message.indexOf(':')));
  }

  private void append(DurableQueue<String> queue, Random random, int[] next) {
    int number = next[0]++;
    MessageOptions its = MessageOptions.NONE;
    if (random.nextInt(3) == 0) {
      its = its.withKey("k" + random.nextInt(5));
    }
    if (random.nextInt(10) == 0) {
      its = its.withNotBeforeMs(System.currentTimeMillis() + random.nextInt(100));
    }
    Durability durability = random.nextInt(50) == 0 ? Durability.MACHINE : Durability.PROCESS;
    Outcome outcome = new Outcome();
    queue.append(text(number, 20 + random.nextInt(600)), its, durability, outcome);
    if (random.nextInt(8) == 0 || queue.waiting() > 2_000) {
      outcome.await();
    }
    if (queue.waiting() > 5_000) {
      pause();
    }
    outcomes.add(new Sent(number, outcome));
  }

  private record Sent(int number, Outcome outcome) {}

  private final Queue<Sent> outcomes = new ConcurrentLinkedQueue<>();

  private static void pause() {
    LockSupport.parkNanos(1_000_000);
  }

  private void consume(DurableQueue<String> queue, Random random, List<Delivery<String>> held) {
    Delivery<String> delivery = queue.poll();
    if (delivery == null) {
      pause();
      return;
    }
    int number = number(delivery.message());
    if (deleted.contains(number)) {
      throw new AssertionError(number + " was deleted and is delivered");
    }
    int dice = random.nextInt(100);
    if (dice < 60) {
      acknowledged.add(number);
      queue.acknowledge(delivery);
    } else if (dice < 85) {
      queue.fail(delivery, "not now");
    } else if (dice < 90) {
      queue.reject(delivery, "poison");
    } else {
      held.add(delivery);
    }
    if (held.size() > 20 || dice > 98 && !held.isEmpty()) {
      Delivery<String> ends = held.remove(random.nextInt(held.size()));
      acknowledged.add(number(ends.message()));
      queue.acknowledge(ends);
    }
  }

  private void delete(DurableQueue<String> queue, Random random) {
    List<WaitingMessage<String>> shown =
        queue.waitingMessages().list(0, 1 + random.nextInt(WaitingMessages.MAX_LIST));
    for (int i = 0; i < 10 && !shown.isEmpty() && !stopped; i++) {
      WaitingMessage<String> chosen = shown.get(random.nextInt(shown.size()));
      Deletion deletion = queue.waitingMessages().delete(chosen.sequence());
      if (deletion == Deletion.DELETED && !deleted.add(number(chosen.message()))) {
        failures.add(new AssertionError(chosen + " is deleted twice"));
      }
    }
  }

  private void operate(DurableQueue<String> queue, QueueStore store, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> queue.releaseScheduled().join();
      case 1 -> queue.deadLetters().requeueAll();
      case 2 ->
          queue
              .deadLetters()
              .list(0, 3)
              .forEach(letter -> queue.deadLetters().requeue(letter.number()));
      case 3 ->
          queue
              .deadLetters()
              .list(0, 2)
              .forEach(
                  letter -> {
                    if (queue.deadLetters().purge(letter.number())) {
                      buried.add(number(letter.message()));
                    }
                  });
      case 4 -> {
        if (copies < 3) {
          copies++;
          store.backup(directory.resolve("copy" + random.nextLong()));
        }
      }
      default -> pause();
    }
  }

  private void race(QueueStore store, DurableQueue<String> queue, Random random, int[] next) {
    stopped = false;
    List<Thread> threads = new ArrayList<>();
    List<Delivery<String>> held = new ArrayList<>();
    Random first = new Random(random.nextLong());
    Random second = new Random(random.nextLong());
    Random third = new Random(random.nextLong());
    Random fourth = new Random(random.nextLong());
    threads.add(start("appender", () -> append(queue, first, next)));
    threads.add(start("consumer", () -> consume(queue, second, held)));
    threads.add(start("deleter", () -> delete(queue, third)));
    threads.add(start("operator", () -> operate(queue, store, fourth)));
    long startNs = System.nanoTime();
    while (System.nanoTime() - startNs < RACE_NS && failures.isEmpty()) {
      pause();
    }
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
    assertThat(failures).isEmpty();
    for (Sent sent : outcomes) {
      if (sent.outcome.await().failure() == null) {
        accepted.add(sent.number);
      }
    }
    outcomes.clear();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void eachMessageHasOneEndWhateverOperatorsDo(long seed) throws IOException {
    Random random = new Random(seed);
    int[] next = {0};
    Path data = directory.resolve("data");
    for (int run = 0; run < 4; run++) {
      boolean kill = random.nextBoolean();
      Path after = kill ? directory.resolve("run" + run) : data;
      try (QueueStore store = QueueStore.open(options(data, random));
          DurableQueue<String> queue = openQueue(store, "q", queueOptions(random), NO_LOSSES)) {
        race(store, queue, random, next);
        if (kill) {
          KilledStore.copy(data, after);
        }
      }
      data = after;
    }
    Set<Integer> left = new TreeSet<>();
    try (QueueStore store = QueueStore.open(options(data, random));
        DurableQueue<String> queue =
            openQueue(
                store, "q", new QueueOptions().setRetry(RetryOptions.fixed(3, 1)), NO_LOSSES)) {
      do {
        queue.releaseScheduled().join();
        for (Delivery<String> got = queue.poll(); got != null; got = queue.poll()) {
          left.add(number(got.message()));
          queue.acknowledge(got);
        }
        queue.deadLetters().requeueAll();
        pause();
      } while (queue.waiting() + queue.stats().scheduled() + queue.deadLetters().count() > 0);
      assertThat(queue.stats().lost()).isZero();
    }
    Set<Integer> twice = new TreeSet<>(left);
    twice.retainAll(deleted);
    assertThat(twice).as("deleted and there").isEmpty();
    Set<Integer> missing = new TreeSet<>(accepted);
    missing.removeAll(left);
    missing.removeAll(acknowledged);
    missing.removeAll(deleted);
    missing.removeAll(buried);
    assertThat(missing).as("lost of %d", accepted.size()).isEmpty();
  }
}
