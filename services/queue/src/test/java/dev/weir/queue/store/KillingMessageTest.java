package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Delivery;
import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A message whose handler ends the process at once, before any delivery count is written. The
 * process is started again each time.
 */
class KillingMessageTest {
  private static final int MAX_DELIVERIES = 3;
  private static final String KILLS = "kills";

  private final SteppedStore store = new SteppedStore();

  /** By message: the delivery counts that its handler has seen. */
  private final TreeMap<String, List<Integer>> seen = new TreeMap<>();

  /** The killing message kills at its first attempt, and not at a later one. */
  private boolean killsAtOnce = true;

  private int kills;

  private static QueueOptions options(DeliveryOrder order) {
    RetryOptions retry = RetryOptions.fixed(2, 5).setMaxDeliveries(MAX_DELIVERIES);
    return new QueueOptions().setOrder(order).setRetry(retry);
  }

  private void append(DurableQueue<byte[]> queue, String message, MessageOptions options) {
    queue.append(
        message.getBytes(StandardCharsets.UTF_8), options, Durability.PROCESS, failure -> {});
  }

  /** Handles one message after another until none is left, over as many processes as that takes. */
  private DurableQueue<byte[]> handleAll(QueueOptions options, DurableQueue<byte[]> first) {
    DurableQueue<byte[]> queue = first;
    while (queue.stats().waiting() + queue.stats().scheduled() > 0) {
      Delivery<byte[]> next = queue.poll();
      if (next == null) {
        store.pass(1);
      } else if (handle(queue, next)) {
        kills++;
        assertThat(kills).as("kills; deliveries %s", seen).isLessThan(20);
        store.open();
        queue = store.queue(options);
      }
    }
    store.pass(100);
    return queue;
  }

  /** True if the process is killed by it. */
  private boolean handle(DurableQueue<byte[]> queue, Delivery<byte[]> delivery) {
    String message = new String(delivery.message(), StandardCharsets.UTF_8);
    seen.computeIfAbsent(message, ignored -> new ArrayList<>()).add(delivery.deliveryCount());
    if (!message.equals(KILLS)) {
      queue.acknowledge(delivery);
      return false;
    }
    if (killsAtOnce || delivery.failures() > 0) {
      return true;
    }
    queue.fail(delivery, "fails first");
    return false;
  }

  private void deadLetterAfter(int expectedKills, DurableQueue<byte[]> queue, int others) {
    assertThat(queue.stats().deadLetters()).as("dead letters; deliveries %s", seen).isEqualTo(1);
    assertThat(kills).as("kills; deliveries %s", seen).isEqualTo(expectedKills);
    seen.remove(KILLS);
    assertThat(seen).hasSize(others);
    // The acknowledgements of the last moments before a kill may be lost, and no more.
    assertThat(seen.values())
        .allSatisfy(counts -> assertThat(counts.get(counts.size() - 1)).isLessThanOrEqualTo(2));
  }

  @Test
  void becomesADeadLetterAfterMaxDeliveriesAndTheOthersAreHandled() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    for (int i = 0; i < 200; i++) {
      append(queue, i == 60 ? KILLS : "m" + i, MessageOptions.NONE);
    }
    store.pass(100);
    queue = handleAll(options, queue);
    // The first delivery began within the time in which counts are written.
    assertThat(seen.get(KILLS)).containsExactly(1, 1, 2, 3);
    deadLetterAfter(4, queue, 199);
  }

  @Test
  void becomesADeadLetterWhenItBlocksOthersOfItsKey() {
    QueueOptions options = options(DeliveryOrder.KEY);
    DurableQueue<byte[]> queue = store.queue(options);
    for (int i = 0; i < 50; i++) {
      MessageOptions its = MessageOptions.NONE.withKey("k" + i % 3);
      append(queue, i == 3 ? KILLS : "m" + i, its);
    }
    store.pass(100);
    queue = handleAll(options, queue);
    deadLetterAfter(4, queue, 49);
  }

  @Test
  void becomesADeadLetterWhenItKillsAtItsRetry() {
    killsAtOnce = false;
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    append(queue, KILLS, MessageOptions.NONE);
    append(queue, "other", MessageOptions.NONE);
    store.pass(100);
    queue = handleAll(options, queue);
    assertThat(seen.get(KILLS)).containsExactly(1, 2, 2, 3);
    deadLetterAfter(3, queue, 1);
  }

  @Test
  void becomesADeadLetterWhenItWasDelayed() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    append(queue, KILLS, MessageOptions.NONE.withNotBeforeMs(store.nowMs() + 50));
    append(queue, "other", MessageOptions.NONE);
    store.pass(1);
    queue = handleAll(options, queue);
    deadLetterAfter(4, queue, 1);
  }

  @Test
  void becomesADeadLetterOnAFullDiskToo() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    for (int i = 0; i < 50; i++) {
      append(queue, i == 10 ? KILLS : "m" + i, MessageOptions.NONE);
    }
    store.pass(100);
    store.disk.otherBytes = Math.max(0, store.disk.freeBytes() - store.disk.minFreeBytes + 1);
    queue = handleAll(options, queue);
    store.disk.otherBytes = 0;
    store.pass(2000);
    deadLetterAfter(4, queue, 49);
  }

  /** Holds up to four deliveries at once; the process dies with all of them. */
  private DurableQueue<byte[]> handleFourAtOnce(QueueOptions options, DurableQueue<byte[]> first) {
    DurableQueue<byte[]> queue = first;
    List<Delivery<byte[]>> inHand = new ArrayList<>();
    while (queue.stats().waiting() + queue.stats().scheduled() + inHand.size() > 0) {
      Delivery<byte[]> next = inHand.size() < 4 ? queue.poll() : null;
      if (next != null) {
        inHand.add(next);
        continue;
      }
      store.pass(1);
      next = inHand.size() < 4 ? queue.poll() : null;
      if (next != null) {
        inHand.add(next);
      } else if (inHand.stream().anyMatch(KillingMessageTest::kills)) {
        inHand.forEach(each -> seen(each));
        inHand.clear();
        kills++;
        assertThat(kills).as("kills; deliveries %s", seen).isLessThan(20);
        store.open();
        queue = store.queue(options);
      } else if (!inHand.isEmpty()) {
        handle(queue, inHand.remove(0));
      }
    }
    store.pass(100);
    return queue;
  }

  private static boolean kills(Delivery<byte[]> delivery) {
    return new String(delivery.message(), StandardCharsets.UTF_8).equals(KILLS);
  }

  private void seen(Delivery<byte[]> delivery) {
    seen.computeIfAbsent(
            new String(delivery.message(), StandardCharsets.UTF_8), ignored -> new ArrayList<>())
        .add(delivery.deliveryCount());
  }

  @ParameterizedTest
  @EnumSource
  void messagesInHandBesideItAreNotCountedToDeathWithIt(DeliveryOrder order) {
    QueueOptions options = options(order);
    DurableQueue<byte[]> queue = store.queue(options);
    for (int i = 0; i < 40; i++) {
      MessageOptions its = MessageOptions.NONE.withKey("k" + i % 7);
      append(queue, i == 12 ? KILLS : "m" + i, its);
    }
    store.pass(100);
    queue = handleFourAtOnce(options, queue);
    assertThat(queue.stats().deadLetters()).as("dead letters; deliveries %s", seen).isEqualTo(1);
    assertThat(kills).as("kills; deliveries %s", seen).isBetween(3, 4);
    assertThat(seen.get(KILLS).get(seen.get(KILLS).size() - 1)).isEqualTo(MAX_DELIVERIES);
    assertThat(seen).hasSize(40);
  }

  @Test
  void theLastDeliveryIsAloneAndTheConsumerIsToldWhenItIsOver() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    append(queue, "a", MessageOptions.NONE);
    append(queue, "b", MessageOptions.NONE);
    store.pass(100);
    for (int i = 1; i < MAX_DELIVERIES; i++) {
      queue.poll();
      store.pass(1);
      queue.poll();
      store.pass(100);
      store.open();
      queue = store.queue(options);
      store.pass(1);
      queue.poll();
      store.pass(1);
    }
    Delivery<byte[]> a = queue.poll();
    assertThat(a.deliveryCount()).isEqualTo(MAX_DELIVERIES);
    AtomicInteger told = new AtomicInteger();
    queue.onReadable(told::incrementAndGet);
    assertThat(queue.poll()).as("b beside a").isNull();
    store.pass(100);
    assertThat(queue.poll()).as("b beside a").isNull();
    assertThat(told).hasValue(0);
    queue.fail(a, "not this time");
    queue.fail(a, "twice");
    store.pass(3);
    assertThat(queue.poll()).as("its count is written first").isNull();
    store.pass(1);
    assertThat(told.get()).isPositive();
    assertThat(queue.poll().deliveryCount()).isEqualTo(MAX_DELIVERIES);
  }

  @Test
  void countsAreNotWrittenAheadAfterAnOrderlyClose() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    append(queue, "a", MessageOptions.NONE);
    append(queue, "b", MessageOptions.NONE);
    store.pass(1);
    close(queue);
    store.open();
    queue = store.queue(options);
    store.pass(1);
    assertThat(queue.poll()).isNotNull();
    assertThat(queue.poll()).isNotNull();
  }

  private void close(DurableQueue<byte[]> queue) {
    ((StoredQueue<byte[]>) queue).beginClose();
    store.pass(100);
    assertThat(((StoredQueue<byte[]>) queue).isEnded()).isTrue();
  }

  @Test
  void aMessageThatWasNotHandedOutIsNotCounted() {
    QueueOptions options = options(DeliveryOrder.NONE);
    DurableQueue<byte[]> queue = store.queue(options);
    append(queue, "a", MessageOptions.NONE);
    store.pass(1);
    for (int i = 0; i < 10; i++) {
      store.open();
      store.queue(options);
      store.open();
      queue = store.queue(options);
      store.pass(1);
      assertThat(queue.poll()).as("its count is written first").isNull();
      assertThat(queue.waiting()).isEqualTo(1);
      store.pass(100);
      close(queue);
    }
    store.open();
    queue = store.queue(options);
    store.pass(1);
    assertThat(queue.poll().deliveryCount()).isEqualTo(1);
  }

  @Test
  void aMessageThatWasNotHandedOutIsPurgedWithTheOthers() {
    QueueOptions options = options(DeliveryOrder.KEY);
    DurableQueue<byte[]> queue = store.queue(options);
    for (int i = 0; i < 3; i++) {
      append(queue, "m" + i, MessageOptions.NONE.withKey("k"));
    }
    store.pass(1);
    store.open();
    queue = store.queue(options);
    store.pass(1);
    assertThat(queue.poll()).as("its count is written first").isNull();
    CompletableFuture<Long> purge = queue.purge();
    store.pass(100);
    assertThat(purge).isCompletedWithValue(3L);
    assertThat(queue.waiting()).isZero();
    append(queue, "next", MessageOptions.NONE.withKey("k"));
    store.pass(1);
    assertThat(queue.poll()).isNotNull();
  }
}
