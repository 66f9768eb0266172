package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.options.ByteBudget;
import dev.weir.testing.Await;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyOrderTest extends QueueTestBase {

  private static QueueOptions ordered(DeliveryOrder order) {
    return new QueueOptions().setOrder(order).setRetry(RetryOptions.fixed(Delivery.MAX_COUNT, 1));
  }

  private static void append(DurableQueue<String> queue, String key, int number, int length) {
    queue.append(
        key + "-" + text(number, length),
        MessageOptions.NONE.withKey(key),
        Durability.PROCESS,
        failure -> assertThat(failure).isNull());
  }

  private static String key(String message) {
    return message.substring(0, message.indexOf('-'));
  }

  private static int number(String message) {
    return Integer.parseInt(message.substring(message.indexOf('-') + 1, message.indexOf(':')));
  }

  @Test
  void aKeyWaitsForItsMessageAndOthersGoOn() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, ordered(DeliveryOrder.KEY))) {
      append(queue, "a", 0, 10);
      append(queue, "a", 1, 10);
      append(queue, "b", 0, 10);
      append(queue, "a", 2, 10);
      append(queue, "b", 1, 10);
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> a0 = reader.next();
      Delivery<String> b0 = reader.next();
      assertThat(a0.message()).startsWith("a-0");
      assertThat(b0.message()).startsWith("b-0");
      assertThat(queue.poll()).isNull();
      queue.acknowledge(b0);
      assertThat(reader.next().message()).startsWith("b-1");
      queue.acknowledge(a0);
      Delivery<String> a1 = reader.next();
      assertThat(a1.message()).startsWith("a-1");
      queue.fail(a1, "again");
      Delivery<String> again = reader.next();
      assertThat(again.message()).startsWith("a-1");
      queue.reject(again, "enough");
      assertThat(reader.next().message()).startsWith("a-2");
    }
  }

  @Test
  void keysThatAreOutTakeAtMostA64thOfTheHeap() {
    int most = (int) Math.max(1000, Runtime.getRuntime().maxMemory() / 64 / 256);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, ordered(DeliveryOrder.KEY))) {
      for (int i = 0; i < most + 100; i++) {
        assertThat(queue.offer("x", MessageOptions.NONE.withKey("k" + i), null, true))
            .isEqualTo(DurableQueue.Admission.ACCEPTED);
      }
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> out = new ArrayList<>(reader.next(most));
      assertThat(queue.poll()).isNull();
      queue.acknowledge(out.remove(0));
      out.add(reader.next());
      assertThat(queue.poll()).isNull();
      out.forEach(queue::acknowledge);
      assertThat(reader.drain(99)).hasSize(99);
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void keysThatWaitForTheirNextAttemptTakeAtMostA64thOfTheHeap() throws Exception {
    int most = (int) Math.max(1000, Runtime.getRuntime().maxMemory() / 64 / 256);
    QueueOptions options =
        new QueueOptions().setOrder(DeliveryOrder.KEY).setRetry(RetryOptions.fixed(5, 3_600_000));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      for (int i = 0; i < most + 100; i++) {
        assertThat(queue.offer("x", MessageOptions.NONE.withKey("k" + i), null, true))
            .isEqualTo(DurableQueue.Admission.ACCEPTED);
      }
      QueueReader<String> reader = new QueueReader<>(queue);
      reader.next(most).forEach(delivery -> queue.fail(delivery, "not now"));
      Await.until(
          () -> "all wait for their next attempt: " + queue.stats(),
          () -> queue.stats().scheduled() == most);
      assertThat(queue.poll()).isNull();
      assertThat(queue.waiting()).isEqualTo(100);

      queue.releaseScheduled().get(90, TimeUnit.SECONDS);

      assertThat(reader.drain(most + 100)).hasSize(most + 100);
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void messagesThatWaitForTheirKeyCountAgainstTheBuffersOfAllQueues() {
    ByteBudget buffers = new ByteBudget(1 << 20);
    try (QueueStore store = QueueStore.open(storeOptions().setBufferBudget(buffers));
        DurableQueue<String> queue = openQueue(store, ordered(DeliveryOrder.KEY))) {
      for (int i = 0; i < 500; i++) {
        append(queue, "k", i, 100);
      }
      Delivery<String> out = new QueueReader<>(queue).next();
      Await.until("the others wait for their key", () -> queue.poll() == null);
      Await.until("all are written", () -> queue.stats().writtenMessages() == 500);
      assertThat(buffers.usedBytes()).isGreaterThan(45_000);
      queue.acknowledge(out);
      assertThat(new QueueReader<>(queue).drain(499)).hasSize(499);
    }
    assertThat(buffers.usedBytes()).isZero();
  }

  @Test
  void messagesThatWaitedForTheirKeyAreDeliveredInAnyOtherOrderOfTheQueue() {
    for (DeliveryOrder other : new DeliveryOrder[] {DeliveryOrder.NONE, DeliveryOrder.QUEUE}) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, ordered(DeliveryOrder.KEY))) {
        for (int i = 0; i < 1000; i++) {
          append(queue, "k", i, 200);
        }
        new QueueReader<>(queue).next();
        Await.until("the others wait for their key", () -> queue.poll() == null);
        Await.until("they are written", () -> queue.stats().writtenMessages() == 1000);
      }
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, ordered(other))) {
        assertThat(new QueueReader<>(queue).drain(1000)).doesNotHaveDuplicates();
        Await.until("nothing is left", () -> queue.stats().bytes() == 0);
      }
    }
  }

  @Test
  void aQueueOfStrictOrderDeliversOneByOne() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, ordered(DeliveryOrder.QUEUE))) {
      appendAll(queue, texts(0, 200, 50));
      QueueReader<String> reader = new QueueReader<>(queue);
      Random random = new Random(3);
      for (int i = 0; i < 200; i++) {
        Delivery<String> delivery = reader.next();
        assertThat(queue.poll()).isNull();
        while (random.nextInt(3) == 0) {
          queue.fail(delivery, "again");
          delivery = reader.next();
        }
        assertThat(delivery.message()).isEqualTo(text(i, 50));
        queue.acknowledge(delivery);
      }
    }
  }

  @Test
  void aKeyThatIsStuckDoesNotStopOthersHoweverManyWaitBehindIt() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            openQueue(store, ordered(DeliveryOrder.KEY).setReadAheadBytes(64 << 10))) {
      for (int i = 0; i < 5000; i++) {
        append(queue, "stuck", i, 200);
      }
      append(queue, "free", 0, 200);
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      assertThat(first.message()).startsWith("stuck-0");
      Delivery<String> free = reader.next();
      assertThat(free.message()).startsWith("free-0");
      queue.acknowledge(free);
      queue.acknowledge(first);
      for (int i = 1; i < 5000; i++) {
        Delivery<String> next = reader.next();
        assertThat(number(next.message())).isEqualTo(i);
        queue.acknowledge(next);
      }
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyKeyKeepsItsOrderOverFailuresAndRestarts(long seed) {
    keepOrder(seed);
  }

  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {3, 4, 5, 6, 7, 8})
  void everyKeyKeepsItsOrderInMoreRuns(long seed) {
    keepOrder(seed);
  }

  /** Random keys, failures and restarts against the order each key must have. */
  private void keepOrder(long seed) {
    Random random = new Random(seed);
    int keys = 1 + random.nextInt(30);
    int messages = 3000;
    QueueOptions options =
        ordered(DeliveryOrder.KEY)
            .setReadAheadBytes(random.nextBoolean() ? 1 << 20 : 8 << 10)
            .setWriteThrough(random.nextBoolean());
    Map<String, Integer> appended = new HashMap<>();
    Map<String, Integer> done = new HashMap<>();
    int left = messages;
    boolean first = true;
    while (left > 0) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, options)) {
        for (int i = 0; first && i < messages; i++) {
          String key = "k" + random.nextInt(keys);
          append(queue, key, appended.merge(key, 1, Integer::sum) - 1, 20 + random.nextInt(100));
        }
        first = false;
        left -= consume(queue, random, random.nextInt(left) + 1, done, true);
      }
    }
    assertThat(done).isEqualTo(appended);
  }

  @Test
  void aKeyKeepsItsOrderOverARestartWhenADelayedMessageBehindItComesFirst() {
    QueueOptions options = ordered(DeliveryOrder.KEY).setReadAheadBytes(8 << 10);
    int messages = 500;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      for (int i = 0; i < messages; i++) {
        append(queue, "a", i, 500);
      }
      MessageOptions later =
          MessageOptions.NONE.withNotBeforeMs(System.currentTimeMillis() + 3_600_000);
      queue.append("later", later, Durability.PROCESS, failure -> {});
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(number(reader.next().message())).isZero();
      Await.until("the others wait", () -> queue.poll() == null && queue.stats().scheduled() == 1);
    }
    InstantSource inADay = InstantSource.offset(InstantSource.system(), Duration.ofDays(1));
    try (QueueStore store = QueueStore.open(storeOptions().setClock(inADay, System::nanoTime));
        DurableQueue<String> queue = openQueue(store, options)) {
      Await.until("its time has come", () -> queue.stats().scheduled() == 0);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("later");
      List<String> rest = reader.drain(messages);
      for (int i = 0; i < messages; i++) {
        assertThat(number(rest.get(i))).isEqualTo(i);
      }
    }
  }

  /** Messages come while others wait on disk, and go to memory, to disk, and to memory again. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void everyKeyKeepsItsOrderWhenMessagesComeBetweenRestarts(long seed) {
    Random random = new Random(seed);
    QueueOptions options = ordered(DeliveryOrder.KEY).setReadAheadBytes(8 << 10);
    Map<String, Integer> appended = new HashMap<>();
    Map<String, Integer> done = new HashMap<>();
    int left = 0;
    for (int restart = 0; restart < 12; restart++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, options)) {
        for (int part = 0; part < 10; part++) {
          for (int i = random.nextInt(300); i > 0; i--) {
            String key = "k" + random.nextInt(4);
            int length = 20 + random.nextInt(1500);
            append(queue, key, appended.merge(key, 1, Integer::sum) - 1, length);
            left++;
          }
          boolean last = part == 9;
          int most = last && restart == 11 ? left : random.nextInt(Math.min(left, 300) + 1);
          left -= consume(queue, random, most, done, last);
        }
      }
    }
    assertThat(done).isEqualTo(appended);
  }

  /** Returns how many were acknowledged before the restart. */
  private static int consume(
      DurableQueue<String> queue,
      Random random,
      int most,
      Map<String, Integer> done,
      boolean beforeRestart) {
    QueueReader<String> reader = new QueueReader<>(queue);
    List<Delivery<String>> open = new ArrayList<>();
    Set<String> busy = new HashSet<>();
    int acknowledged = 0;
    while (acknowledged < most) {
      Delivery<String> next = open.isEmpty() ? reader.next() : queue.poll();
      if (next != null) {
        String key = key(next.message());
        assertThat(busy.add(key)).as("one at a time of %s", key).isTrue();
        assertThat(number(next.message())).as(key).isEqualTo(done.getOrDefault(key, 0));
        open.add(next);
      }
      if (next == null || random.nextInt(3) == 0) {
        Delivery<String> ended = open.remove(random.nextInt(open.size()));
        String key = key(ended.message());
        busy.remove(key);
        if (random.nextInt(4) == 0) {
          queue.fail(ended, "again");
        } else {
          queue.acknowledge(ended);
          done.merge(key, 1, Integer::sum);
          acknowledged++;
        }
      }
    }
    if (beforeRestart) {
      open.forEach(queue::release);
    } else {
      for (Delivery<String> rest : open) {
        queue.acknowledge(rest);
        done.merge(key(rest.message()), 1, Integer::sum);
        acknowledged++;
      }
    }
    return acknowledged;
  }
}
