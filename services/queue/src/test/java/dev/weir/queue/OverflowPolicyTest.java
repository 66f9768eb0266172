package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.DurableQueueTest.GatedSerde;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.store.StoredQueue;
import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens over a budget: it has a name and is counted. */
@SuppressWarnings("try") // Closing twice is what is tested.
class OverflowPolicyTest extends QueueTestBase {
  private static final int MESSAGE = 100;
  private static final long BUDGET = 10_000;

  private static QueueOptions options(OverflowPolicy policy) {
    return new QueueOptions().setPolicy(policy).setMaxBytes(BUDGET);
  }

  @Override
  public QueueStoreOptions storeOptions() {
    return super.storeOptions().setPacketBytes(1024);
  }

  /** Appends until one is refused; returns how many were accepted. */
  private static int fill(DurableQueue<String> queue, Reason reason) {
    for (int i = 0; ; i++) {
      Outcome outcome = append(queue, text(i, MESSAGE)).await();
      if (!outcome.isAccepted()) {
        assertThat(outcome.refusal()).isEqualTo(reason);
        return i;
      }
      assertThat(i).isLessThan(1000);
    }
  }

  @Test
  void failRefusesOverTheBudgetAndAcceptsAgainWhenThereIsRoom() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options(OverflowPolicy.FAIL))) {
      int accepted = fill(queue, Reason.QUEUE_FULL);

      assertThat(accepted).isBetween(70, 95);
      assertThat(queue.offer(text(0, MESSAGE), null, true)).isEqualTo(Admission.QUEUE_FULL);
      assertThat(queue.stats().rejected()).isEqualTo(2);
      assertThat(queue.stats().bytes()).isBetween(BUDGET - 200, BUDGET);
      assertThat(append(queue, "x").failure()).isNull();

      assertThat(new QueueReader<>(queue).drain(accepted)).isEqualTo(texts(0, accepted, MESSAGE));
      append(queue, text(accepted, MESSAGE)).await();
      assertThat(queue.stats().appended()).isEqualTo(accepted + 2);
      assertThat(queue.stats().rejected()).isEqualTo(2);
    }
  }

  @Test
  void dropNewestDropsTheArrivingMessageByName() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options(OverflowPolicy.DROP_NEWEST))) {
      int accepted = fill(queue, Reason.DROPPED);
      assertThat(queue.offer(text(0, MESSAGE), null, true)).isEqualTo(Admission.DROPPED);
      assertThat(queue.stats().rejected()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drainAll()).isEqualTo(texts(0, accepted, MESSAGE));
    }
  }

  @Test
  void dropOldestKeepsTheNewestInOrderAndCountsTheRest() {
    for (long readAhead : new long[] {0, 3000, 1 << 20}) {
      AtomicInteger lost = new AtomicInteger();
      String name = "ahead" + readAhead;
      QueueOptions options = options(OverflowPolicy.DROP_OLDEST).setReadAheadBytes(readAhead);
      try (QueueStore store = openStore();
          DurableQueue<String> queue =
              openQueue(
                  store,
                  name,
                  options,
                  (attachment, reason) ->
                      lost.addAndGet(reason == Reason.DROPPED ? 1 : 1_000_000))) {
        int sent = 3000;
        for (int i = 0; i < sent; i++) {
          if (i % 2 == 0) {
            append(queue, text(i, MESSAGE));
          } else {
            assertThat(queue.offer(text(i, MESSAGE), i, true)).isEqualTo(Admission.ACCEPTED);
          }
        }
        Await.until(
            "it comes down to the budget: " + queue.stats(), () -> queue.stats().bytes() <= BUDGET);
        ((StoredQueue<String>) queue).check();
        QueueStats stats = queue.stats();
        assertThat(stats.dropped() + stats.waiting()).isEqualTo(sent);
        assertThat(queue.stats().rejected()).isZero();
        List<String> left = new QueueReader<>(queue).drainAll();
        assertThat(left).hasSizeGreaterThan(60);
        assertThat(left).isEqualTo(texts(sent - left.size(), sent, MESSAGE));
        Await.until("losses are told", () -> lost.get() == (sent - left.size()) / 2);
        assertThat(queue.stats().bytes()).isZero();
      }
    }
  }

  @Test
  void dropOldestCountsFailedMessagesAndDropsThemFirst() {
    QueueOptions options =
        options(OverflowPolicy.DROP_OLDEST)
            .setWriteBufferBytes(1 << 10)
            .setRetry(RetryOptions.fixed(5, 3_600_000));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 2000; i++) {
        String message = text(i, MESSAGE);
        Await.until("it is admitted", () -> append(queue, message).await().isAccepted());
        queue.fail(reader.next(), "not now");
        assertThat(queue.stats().bytes()).isLessThan(BUDGET + (4 << 10));
      }
      assertThat(queue.stats().scheduled()).isPositive();
      Await.until(
          () -> "each waits for its time or is dropped: " + queue.stats(),
          () -> {
            QueueStats stats = queue.stats();
            return stats.dropped() + stats.scheduled() == 2000;
          });
      // By their number: what they take is not to be believed here.
      assertThat(queue.stats().scheduled() * MESSAGE).isBetween(BUDGET / 4, BUDGET);
    }
  }

  @Test
  void dropOldestCountsDelayedMessages() {
    QueueOptions options = options(OverflowPolicy.DROP_OLDEST).setWriteBufferBytes(1 << 10);
    MessageOptions inAnHour =
        MessageOptions.NONE.withNotBeforeMs(System.currentTimeMillis() + 3_600_000);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      for (int i = 0; i < 2000; i++) {
        String message = text(i, MESSAGE);
        Await.until(
            "it is admitted",
            () -> {
              Outcome outcome = new Outcome();
              queue.append(message, inAnHour, Durability.PROCESS, outcome);
              return outcome.await().isAccepted();
            });
        assertThat(queue.stats().bytes()).isLessThan(BUDGET + (4 << 10));
      }
      // Those that nobody has asked for still count as waiting.
      QueueStats stats = queue.stats();
      long kept = stats.waiting() + stats.scheduled();
      assertThat(stats.dropped() + kept).isEqualTo(2000);
      // By their number: what they take is not to be believed here.
      assertThat(kept * MESSAGE).isBetween(BUDGET / 4, BUDGET);
    }
  }

  @ParameterizedTest
  @EnumSource(DeliveryOrder.class)
  void dropOldestDropsAFailedMessageThatIsDueAndDeliversTheOthers(DeliveryOrder order) {
    QueueOptions options =
        options(OverflowPolicy.DROP_OLDEST).setOrder(order).setRetry(RetryOptions.fixed(5, 1));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      int sent = 0;
      while (queue.stats().dropped() == 0 || queue.waiting() == 0) {
        append(queue, text(sent++, MESSAGE)).await();
        if (sent % 2 == 1) {
          queue.fail(reader.next(), "not now");
        }
        assertThat(sent).as("messages until some are dropped").isLessThan(2000);
      }
      // What is dropped from now on nobody would wait for in vain.
      Await.until(
          () -> "it comes down to the budget: " + queue.stats(),
          () -> queue.stats().bytes() <= BUDGET);
      while (isLeft(queue.stats())) {
        queue.acknowledge(reader.next());
      }
      // The last failures may still be on their way to the dead letters.
      Await.until(() -> "nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
  }

  /** Asked of one snapshot: a message goes from scheduled to waiting at any moment. */
  private static boolean isLeft(QueueStats stats) {
    return stats.waiting() + stats.scheduled() > 0;
  }

  @Test
  void dropOldestDropsWhatAnOpeningFindsAndWhatARequeueAddsOverTheBudget() {
    RetryOptions late = RetryOptions.fixed(5, 3_600_000);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, new QueueOptions().setRetry(late))) {
      appendAll(queue, texts(0, 300, MESSAGE));
      List<Delivery<String>> all = new QueueReader<>(queue).next(300);
      all.subList(0, 150).forEach(delivery -> queue.fail(delivery, "not now"));
      all.subList(150, 300).forEach(delivery -> queue.reject(delivery, "poison"));
    }
    QueueOptions options = options(OverflowPolicy.DROP_OLDEST).setRetry(late);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      Await.until(
          () -> "the rest is dropped: " + queue.stats(), () -> queue.stats().bytes() <= BUDGET);
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(150);
      Await.until(
          () -> "the rest is dropped again: " + queue.stats(),
          () -> queue.stats().bytes() <= BUDGET);
      QueueStats stats = queue.stats();
      assertThat(stats.dropped() + stats.scheduled() + stats.waiting()).isEqualTo(300);
    }
  }

  @Test
  void dropOldestRefusesWhenTheConsumerHasEverything() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options(OverflowPolicy.DROP_OLDEST))) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> taken = new ArrayList<>();
      Outcome outcome = append(queue, text(0, MESSAGE)).await();
      while (outcome.isAccepted()) {
        taken.add(reader.next());
        assertThat(taken).hasSizeLessThan(200);
        outcome = append(queue, text(taken.size(), MESSAGE)).await();
      }
      assertThat(outcome.refusal()).isEqualTo(Reason.QUEUE_FULL);
      assertThat(queue.stats().dropped()).isZero();
      taken.forEach(queue::acknowledge);
      assertThat(append(queue, text(0, MESSAGE)).await().failure()).isNull();
    }
  }

  @Test
  void blockedAppendsCompleteInOrderAsRoomIsMade() {
    QueueOptions options = options(OverflowPolicy.BLOCK).setMaxBlocked(50);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      List<Outcome> outcomes = append(queue, texts(0, 1000, MESSAGE));
      List<Outcome> refused =
          outcomes.stream().filter(outcome -> outcome.isTold() && !outcome.isAccepted()).toList();
      assertThat(refused).isNotEmpty().allMatch(out -> out.refusal() == Reason.QUEUE_FULL);
      int admitted = outcomes.size() - refused.size();
      assertThat(outcomes.subList(admitted, 1000)).isEqualTo(refused);
      assertThat(queue.offer("overtakes?", null, true)).isEqualTo(Admission.QUEUE_FULL);

      assertThat(new QueueReader<>(queue).drain(admitted)).isEqualTo(texts(0, admitted, MESSAGE));
      assertThat(outcomes.subList(0, admitted)).allMatch(outcome -> outcome.await().isAccepted());
      assertThat(queue.stats().appended()).isEqualTo(admitted);
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void anAcknowledgementAloneLetsABlockedAppendIn() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options(OverflowPolicy.BLOCK))) {
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> taken = new ArrayList<>();
      Outcome last = append(queue, text(0, MESSAGE));
      while (last.isTold() || queue.waiting() > 0) {
        taken.add(reader.next());
        last.await();
        last = append(queue, text(taken.size(), MESSAGE));
      }
      taken.forEach(queue::acknowledge);
      assertThat(last.await().failure()).isNull();
    }
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedAtOnceThoughOthersAreBlocked() {
    QueueOptions options = options(OverflowPolicy.BLOCK).setMaxMessageBytes(5000);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      List<Outcome> outcomes = append(queue, texts(0, 150, MESSAGE));
      assertThat(append(queue, text(0, 5001)).refusal()).isEqualTo(Reason.MESSAGE_TOO_LARGE);
      assertThat(new QueueReader<>(queue).drain(150)).isEqualTo(texts(0, 150, MESSAGE));
      assertThat(outcomes).allMatch(outcome -> outcome.await().isAccepted());
    }
  }

  @Test
  void blockedAppendsFailByNameWhenTheQueueIsClosed() {
    List<Outcome> outcomes;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options(OverflowPolicy.BLOCK))) {
      outcomes = append(queue, texts(0, 500, MESSAGE));
      queue.close();
      assertThat(append(queue, "late").refusal()).isEqualTo(Reason.CLOSED);
      assertThat(queue.stats().appended() + queue.stats().rejected()).isEqualTo(500 + 1);
    }
    assertThat(outcomes).allMatch(outcome -> outcome.timesTold() == 1);
    List<Outcome> accepted = outcomes.stream().filter(Outcome::isAccepted).toList();
    assertThat(outcomes.subList(accepted.size(), 500))
        .isNotEmpty()
        .allMatch(outcome -> outcome.refusal() == Reason.CLOSED);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drainAll()).isEqualTo(texts(0, accepted.size(), MESSAGE));
    }
  }

  @Test
  void aMessageThatIsTooLargeIsRefusedByName() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            openQueue(store, new QueueOptions().setMaxMessageBytes(100).setMaxBytes(1000))) {
      Outcome outcome = append(queue, text(0, 101));
      assertThat(outcome.failure())
          .hasMessage("message too large for queue q: maxMessageBytes is 100, maxBytes is 1000")
          .hasNoCause();
      assertThat(outcome.refusal()).isEqualTo(Reason.MESSAGE_TOO_LARGE);
      assertThat(queue.offer(text(0, 101), null, true)).isEqualTo(Admission.MESSAGE_TOO_LARGE);
      assertThat(append(queue, text(0, 100)).await().failure()).isNull();
      assertThat(queue.stats().rejected()).isEqualTo(2);
    }
  }

  @Test
  void moreThanTheWriteBufferHoldsIsRefusedByNameUntilTheDiskCatchesUp() {
    GatedSerde gated = new GatedSerde();
    QueueOptions options = new QueueOptions().setWriteBufferBytes(2000);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("gated", gated, options, NO_LOSSES);
        GatedSerde gate = gated) {
      ConcurrentLinkedQueue<Outcome> accepted = new ConcurrentLinkedQueue<>();
      Outcome last = append(queue, text(0, MESSAGE));
      while (last.refusal() == null) {
        accepted.add(last);
        assertThat(accepted).hasSizeLessThan(100);
        last = append(queue, text(accepted.size(), MESSAGE));
      }
      assertThat(last.refusal()).isEqualTo(Reason.BUFFER_FULL);
      assertThat(queue.offer(text(0, MESSAGE), null, true)).isEqualTo(Admission.BUFFER_FULL);
      assertThat(queue.stats().bufferedBytes()).isBetween(1700L, 2000L);
      gate.close();
      accepted.forEach(outcome -> assertThat(outcome.await().failure()).isNull());
      assertThat(append(queue, "fits").await().failure()).isNull();
      assertThat(new QueueReader<>(queue).drainAll()).hasSize(accepted.size() + 1);
    }
  }
}
