package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Delays and expiries. */
class ScheduleTest extends QueueTestBase {
  private final AtomicLong nowMs = new AtomicLong(System.currentTimeMillis());

  /** A store whose time of day the test sets. */
  private QueueStore openTimedStore() {
    return QueueStore.open(storeOptions().setClock(() -> Instant.ofEpochMilli(nowMs.get())));
  }

  private static void append(DurableQueue<String> queue, String message, MessageOptions options) {
    Outcome outcome = new Outcome();
    queue.append(message, options, Durability.PROCESS, outcome);
    assertThat(outcome.await().failure()).isNull();
  }

  private MessageOptions in(long ms) {
    return MessageOptions.NONE.withNotBeforeMs(nowMs.get() + ms);
  }

  private MessageOptions until(long ms) {
    return MessageOptions.NONE.withExpiresAtMs(nowMs.get() + ms);
  }

  @Test
  void delayedMessagesComeWhenTheirTimeHasComeInTheOrderOfTheirTimes() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "third", in(3_000_000));
      append(queue, "first", in(1_000_000));
      append(queue, "second", in(2_000_000));
      append(queue, "now", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("now");
      assertThat(queue.poll()).isNull();
      Await.until("all are scheduled", () -> queue.stats().scheduled() == 3);
      nowMs.addAndGet(2_500_000);
      append(queue, "wakes the store", MessageOptions.NONE);
      assertThat(reader.drain(3)).containsExactlyInAnyOrder("wakes the store", "first", "second");
      assertThat(queue.stats().scheduled()).isEqualTo(1);
    }
    nowMs.addAndGet(1_000_000);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("third");
    }
  }

  @Test
  void aDelayIsKeptByTheClockOfTheMachine() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      long dueMs = System.currentTimeMillis() + 200;
      append(queue, "later", MessageOptions.NONE.withNotBeforeMs(dueMs));
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("later");
      assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(dueMs);
    }
  }

  @Test
  void expiredMessagesAreCountedAndGone() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      for (int i = 0; i < 100; i++) {
        append(queue, text(i, 50), i % 2 == 0 ? until(1_000_000) : MessageOptions.NONE);
      }
      nowMs.addAndGet(1_000_001);
      List<String> left = new QueueReader<>(queue).drain(50);
      assertThat(left).allMatch(message -> Integer.parseInt(message.split(":")[0]) % 2 == 1);
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().expired()).isEqualTo(50);
      assertThat(queue.deadLetters().count()).isZero();
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void expiredMessagesAreDeadLetteredIfAsked() {
    QueueOptions options = new QueueOptions().setTtlMs(1_000).setDeadLetterExpired(true);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      append(queue, "own", until(1_000_000));
      append(queue, "queue's", MessageOptions.NONE);
      nowMs.addAndGet(2_000);
      assertThat(queue.poll()).isNull();
      Await.until("both are dead", () -> queue.deadLetters().count() == 2);
      DeadLetter<String> letter = queue.deadLetters().list(0, 1).get(0);
      assertThat(letter.reason()).isEqualTo("expired");
      assertThat(letter.deliveries()).isZero();
      assertThat(letter.firstAttemptMs()).isZero();
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drain(2)).containsExactly("own", "queue's");
    }
  }

  @Test
  void aRequestThatExpiredIsToldToWhoeverAttachedSomething() {
    List<String> lost = new ArrayList<>();
    try (QueueStore store = openTimedStore()) {
      DurableQueue<String> queue =
          openQueue(
              store,
              "q",
              new QueueOptions().setTtlMs(1000),
              (attachment, reason) -> lost.add(attachment + " " + reason));
      queue.offer("request", "requester", false);
      nowMs.addAndGet(2_000);
      assertThat(queue.poll()).isNull();
      assertThat(lost).containsExactly("requester EXPIRED");
    }
  }

  @Test
  void aDelayedMessageMayExpireBeforeItsTime() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "a", in(1_000).withExpiresAtMs(nowMs.get() + 500));
      assertThat(queue.poll()).isNull();
      Await.until(
          "it is scheduled", () -> queue.stats().scheduled() == 1 && queue.stats().commits() > 0);
      nowMs.addAndGet(2_000);
      append(queue, "b", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("b");
      Await.until("it expires", () -> queue.poll() == null && queue.stats().expired() == 1);
    }
  }

  @Test
  void aClockThatIsSetBackDelaysNothing() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "soon", in(100));
      nowMs.addAndGet(-3_600_000);
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("soon");
    }
  }

  @Test
  void manyDelayedMessagesNeedNoMemory() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      List<Outcome> outcomes = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        Outcome outcome = new Outcome();
        queue.append(text(i, 200), in(1_000_000 + i), Durability.PROCESS, outcome);
        outcomes.add(outcome);
      }
      outcomes.forEach(outcome -> assertThat(outcome.await().failure()).isNull());
      Await.until(
          "all are scheduled", () -> queue.poll() == null && queue.stats().scheduled() == 20_000);
      nowMs.addAndGet(2_000_000);
      append(queue, "wakes the store", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      List<String> all = reader.drain(20_001);
      all.remove("wakes the store");
      assertThat(all).isEqualTo(texts(0, 20_000, 200));
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }
}
