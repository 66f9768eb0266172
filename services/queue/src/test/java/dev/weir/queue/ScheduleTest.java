package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Delays and expiries. */
class ScheduleTest extends QueueTestBase {
  private final AtomicLong nowMs = new AtomicLong(System.currentTimeMillis());

  /** A store whose time passes when the test says so. */
  private QueueStore openTimedStore() {
    return QueueStore.open(
        storeOptions()
            .setClock(() -> Instant.ofEpochMilli(nowMs.get()), () -> nowMs.get() * 1_000_000));
  }

  /** A store whose time of day the test sets, while time passes as ever. */
  private QueueStore openStoreWithTimeOfDay() {
    return QueueStore.open(
        storeOptions().setClock(() -> Instant.ofEpochMilli(nowMs.get()), System::nanoTime));
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
    try (QueueStore store = openStoreWithTimeOfDay();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "soon", in(100));
      nowMs.addAndGet(-3_600_000);
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("soon");
    }
  }

  @Test
  void timesAreKeptThatAreGivenAfterTheClockWasSetBack() {
    try (QueueStore store = openStoreWithTimeOfDay();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "a", MessageOptions.NONE);
      nowMs.addAndGet(-3_600_000);
      long startNs = System.nanoTime();
      append(queue, "b", in(400));
      append(queue, "c", until(100_000));
      QueueReader<String> reader = new QueueReader<>(queue);
      // On a machine that stood still the time of b may come before c is asked for.
      assertThat(reader.drain(3)).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(System.nanoTime() - startNs).isGreaterThan(398_000_000);
      assertThat(queue.stats().expired()).isZero();
    }
  }

  @Test
  void timesAreKeptThatAreGivenAfterTheClockWasSetForward() {
    try (QueueStore store = openStoreWithTimeOfDay();
        DurableQueue<String> queue = openQueue(store)) {
      nowMs.addAndGet(3_600_000);
      long startNs = System.nanoTime();
      append(queue, "later", in(200));
      append(queue, "now", until(100_000));
      assertThat(new QueueReader<>(queue).drain(2)).containsExactlyInAnyOrder("now", "later");
      assertThat(System.nanoTime() - startNs).isGreaterThan(198_000_000);
      assertThat(queue.stats().expired()).isZero();
    }
  }

  @Test
  void aRetryThatIsSetWhileTheClockIsAheadComesInItsTime() {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, 300));
    try (QueueStore store = openStoreWithTimeOfDay();
        DurableQueue<String> queue = openQueue(store, options)) {
      append(queue, "a", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      nowMs.addAndGet(3_600_000);
      long startNs = System.nanoTime();
      queue.fail(first, "not now");
      nowMs.addAndGet(-3_600_000);

      Delivery<String> again = reader.next();

      assertThat(System.nanoTime() - startNs).isGreaterThan(298_000_000);
      assertThat(again.failures()).isEqualTo(1);
      queue.acknowledge(again);
    }
  }

  private static final long DAY_MS = 24 * 3_600_000;

  /** Neither is over while a test runs, however slow the machine is. */
  private static final long BACK_OFF_MS = 5_000_000;

  private static final long DELAY_MS = 2 * BACK_OFF_MS;

  /** Fails one message, and delays another, while the clock is a day ahead or behind. */
  private void leaveARetryAndADelayedMessage(QueueStore store, QueueOptions options, long clockMs) {
    try (DurableQueue<String> queue = openQueue(store, options)) {
      nowMs.addAndGet(clockMs);
      append(queue, "retry", MessageOptions.NONE);
      append(queue, "delayed", in(DELAY_MS));
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "not now");
      Await.until("both wait", () -> queue.poll() == null && queue.stats().scheduled() == 2);
    }
  }

  @Test
  void aRetryWaitsNoLongerWhenTheClockWasADayAheadBeforeARestart() {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, BACK_OFF_MS));
    nowMs.addAndGet(DAY_MS);
    try (QueueStore store = openTimedStore()) {
      leaveARetryAndADelayedMessage(store, options, 0);
    }
    nowMs.addAndGet(-DAY_MS);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      append(queue, "first", MessageOptions.NONE);
      assertThat(reader.drain(1)).containsExactly("first");
      assertThat(queue.poll()).isNull();
      nowMs.addAndGet(BACK_OFF_MS + 1);
      append(queue, "second", MessageOptions.NONE);
      assertThat(reader.drain(2)).containsExactlyInAnyOrder("second", "retry");
      assertThat(queue.poll()).isNull();
      nowMs.addAndGet(BACK_OFF_MS);
      append(queue, "third", MessageOptions.NONE);
      assertThat(reader.drain(2)).containsExactlyInAnyOrder("third", "delayed");
    }
  }

  @Test
  void aDelayIsNotCutByARestartAfterTheClockWasSetForward() {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, BACK_OFF_MS));
    try (QueueStore store = openStoreWithTimeOfDay()) {
      leaveARetryAndADelayedMessage(store, options, DAY_MS);
    }
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      append(queue, "first", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("first");
      assertThat(queue.poll()).isNull();
      nowMs.addAndGet(DELAY_MS + 1);
      append(queue, "second", MessageOptions.NONE);
      assertThat(reader.drain(3)).containsExactlyInAnyOrder("second", "retry", "delayed");
    }
  }

  @Test
  void noMessageWaitsLongerThanTheLongestDelay() {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      append(queue, "in a month", in(30 * DAY_MS));
      Await.until(
          "it waits",
          () -> queue.poll() == null && queue.stats().scheduled() == 1 && queue.waiting() == 0);
    }
    QueueOptions anHour = new QueueOptions().setMaxDelayMs(3_600_000);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, anHour)) {
      append(queue, "tomorrow", in(DAY_MS));
      append(queue, "now", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(reader.drain(1)).containsExactly("now");
      Await.until("it waits", () -> queue.poll() == null && queue.stats().scheduled() == 2);
      nowMs.addAndGet(3_600_001);
      append(queue, "then", MessageOptions.NONE);
      assertThat(reader.drain(3)).containsExactlyInAnyOrder("in a month", "then", "tomorrow");
    }
  }

  @Test
  void scheduledMessagesAreReleasedAtOnceAndStayReleasedOverARestart() throws Exception {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, DAY_MS));
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      append(queue, "retry", MessageOptions.NONE);
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "not now");
      for (int i = 0; i < 3000; i++) {
        Outcome outcome = new Outcome();
        queue.append(text(i, 20), in(DAY_MS + i % 5), Durability.NONE, outcome);
      }
      Await.until("all wait", () -> queue.poll() == null && queue.stats().scheduled() == 3001);
      assertThat(queue.releaseScheduled().get(90, TimeUnit.SECONDS)).isEqualTo(3001);
      assertThat(queue.releaseScheduled().get(90, TimeUnit.SECONDS)).isZero();
      assertThat(reader.drain(1)).hasSize(1);
      append(queue, "delayed still", in(DAY_MS));
    }
    nowMs.addAndGet(1000);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      assertThat(new QueueReader<>(queue).drain(3000)).hasSize(3000);
      Await.until("one waits", () -> queue.poll() == null && queue.stats().scheduled() == 1);
    }
    try (QueueMaintenance maintenance = QueueMaintenance.open(directory)) {
      assertThat(maintenance.releaseScheduled("q")).isEqualTo(1);
    }
    nowMs.set(System.currentTimeMillis() + 1000);
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("delayed still");
    }
  }

  @Test
  void aReleaseReachesDelayedMessagesThatWaitBehindOthers() throws Exception {
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      for (int i = 0; i < 10; i++) {
        append(queue, text(i, 20), in(DAY_MS));
      }
      queue.releaseScheduled().get(90, TimeUnit.SECONDS);
      assertThat(new QueueReader<>(queue).drain(5)).isEqualTo(texts(0, 5, 20));
      append(queue, "later", in(DAY_MS));
    }
    try (QueueStore store = openTimedStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(5)).isEqualTo(texts(5, 10, 20));
      Await.until("one waits", () -> queue.poll() == null && queue.stats().scheduled() == 1);
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
