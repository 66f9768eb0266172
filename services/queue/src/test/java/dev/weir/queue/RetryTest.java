package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RetryTest extends QueueTestBase {

  private static QueueOptions retrying(int attempts, long backoffMs) {
    return new QueueOptions().setRetry(RetryOptions.fixed(attempts, backoffMs));
  }

  @Test
  void aMessageHasAsManyAttemptsAsWereAskedForUpToTheLargestNumber() {
    QueueOptions options =
        new QueueOptions().setRetry(RetryOptions.exponential(Delivery.MAX_COUNT, 0, 0));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      appendAll(queue, List.of("poison"));
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int attempt = 1; attempt <= Delivery.MAX_COUNT; attempt++) {
        Delivery<String> delivery = reader.next();
        assertThat(delivery.failures()).isEqualTo(attempt - 1);
        queue.fail(delivery, "no");
      }
      Await.until("it is dead", () -> queue.deadLetters().count() == 1);
      assertThat(queue.deadLetters().list(0, 1).get(0).failures()).isEqualTo(Delivery.MAX_COUNT);
    }
  }

  @Test
  void fewerDeliveriesThanAttemptsAreRefused() {
    RetryOptions retry = new RetryOptions().setMaxAttempts(101);
    assertThatThrownBy(() -> new QueueOptions().setRetry(retry))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxDeliveries is 100, allowed is maxAttempts (101) to 127");
  }

  @Test
  void aFailedMessageComesAgainUntilItsAttemptsAreUsedUp() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 1))) {
      appendAll(queue, List.of("poison"));
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int attempt = 1; attempt <= 3; attempt++) {
        Delivery<String> delivery = reader.next();
        assertThat(delivery.message()).isEqualTo("poison");
        assertThat(delivery.deliveryCount()).isEqualTo(attempt);
        assertThat(delivery.failures()).isEqualTo(attempt - 1);
        queue.fail(delivery, "no " + attempt);
      }
      Await.until("it is dead", () -> queue.deadLetters().count() == 1);
      DeadLetter<String> letter = queue.deadLetters().list(0, 10).get(0);
      assertThat(letter.message()).isEqualTo("poison");
      assertThat(letter.reason()).isEqualTo("no 3");
      assertThat(letter.failures()).isEqualTo(3);
      assertThat(letter.deliveries()).isEqualTo(3);
      assertThat(letter.firstAttemptMs()).isPositive().isLessThan(letter.lastAttemptMs());
      assertThat(letter.diedAtMs()).isGreaterThanOrEqualTo(letter.lastAttemptMs());
      QueueStats stats = queue.stats();
      assertThat(stats.retried()).isEqualTo(2);
      assertThat(stats.deadLettered()).isEqualTo(1);
      assertThat(stats.waiting() + stats.scheduled() + stats.unacknowledged()).isZero();
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void aRetryDoesNotBlockTheMessagesBehindIt() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(2, 3_600_000))) {
      appendAll(queue, texts(0, 1000, 100));
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "later");
      assertThat(reader.drain(999)).isEqualTo(texts(1, 1000, 100));
      assertThat(queue.waiting()).isZero();
      assertThat(queue.stats().scheduled()).isEqualTo(1);
    }
  }

  @Test
  void aRejectedMessageIsNotTriedAgain() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(5, 1))) {
      appendAll(queue, List.of("bad"));
      queue.reject(new QueueReader<>(queue).next(), "of no use");
      Await.until("it is dead", () -> queue.deadLetters().count() == 1);
      assertThat(queue.deadLetters().list(0, 1).get(0).reason()).isEqualTo("of no use");
    }
  }

  @Test
  void aDeliveryEndsOnce() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(2, 1))) {
      appendAll(queue, List.of("a"));
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> delivery = reader.next();
      queue.acknowledge(delivery);
      queue.fail(delivery, "too late");
      queue.reject(delivery, "too late");
      Delivery<String> failed = fail(queue, reader, "b");
      queue.acknowledge(failed);
      queue.fail(failed, "twice");
      assertThat(reader.drain(1)).containsExactly("b");
      assertThat(queue.stats().acknowledged()).isEqualTo(2);
      assertThat(queue.deadLetters().count()).isZero();
    }
  }

  private static Delivery<String> fail(
      DurableQueue<String> queue, QueueReader<String> reader, String message) {
    appendAll(queue, List.of(message));
    Delivery<String> delivery = reader.next();
    queue.fail(delivery, "once");
    return delivery;
  }

  @Test
  void aRetrySurvivesARestartWithItsHistory() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 50))) {
      appendAll(queue, texts(0, 10, 50));
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "first");
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 50))) {
      QueueReader<String> reader = new QueueReader<>(queue);
      assertThat(queue.stats().recovered()).isEqualTo(10);
      List<Delivery<String>> all = reader.next(10);
      Delivery<String> again =
          all.stream().filter(delivery -> delivery.failures() == 1).findFirst().orElseThrow();
      assertThat(again.message()).isEqualTo(text(0, 50));
      assertThat(again.deliveryCount()).isEqualTo(2);
      assertThat(all)
          .extracting(Delivery::message)
          .containsExactlyInAnyOrderElementsOf(texts(0, 10, 50));
      all.forEach(queue::acknowledge);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.stats().recovered()).isZero();
    }
  }

  @Test
  void deliveriesOfAMessageBesideTheLineAreRememberedOverARestart() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 1))) {
      appendAll(queue, List.of("a"));
      QueueReader<String> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "once");
      queue.release(reader.next());
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 1))) {
      Delivery<String> third = new QueueReader<>(queue).next();
      assertThat(third.deliveryCount()).isEqualTo(3);
      assertThat(third.failures()).isEqualTo(1);
    }
  }

  @Test
  void aMessageThatIsNeverAcknowledgedDiesAfterTooManyDeliveries() {
    QueueOptions options =
        new QueueOptions().setRetry(new RetryOptions().setMaxAttempts(3).setMaxDeliveries(3));
    for (int i = 0; i < 3; i++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, options)) {
        if (i == 0) {
          appendAll(queue, List.of("crashes the process"));
        }
        queue.release(new QueueReader<>(queue).next());
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      Await.until("it is dead", () -> queue.poll() == null && queue.deadLetters().count() == 1);
      assertThat(queue.deadLetters().list(0, 1).get(0).reason())
          .isEqualTo("delivered 3 times without an end");
    }
  }

  @Test
  void manyFailuresAtOnceAllComeAgain() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(3, 5))) {
      appendAll(queue, texts(0, 5000, 200));
      QueueReader<String> reader = new QueueReader<>(queue);
      reader.next(5000).forEach(delivery -> queue.fail(delivery, "all"));
      List<String> again = new ArrayList<>();
      for (Delivery<String> delivery : reader.next(5000)) {
        assertThat(delivery.failures()).isEqualTo(1);
        again.add(delivery.message());
        queue.acknowledge(delivery);
      }
      assertThat(again).containsExactlyInAnyOrderElementsOf(texts(0, 5000, 200));
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void backOffGrowsToItsBoundAndJitterOnlyShortensIt() {
    RetryOptions options = RetryOptions.exponential(10, 100, 1000).setJitter(0);
    java.util.SplittableRandom random = new java.util.SplittableRandom(1);
    assertThat(options.backoffMs(1, random)).isEqualTo(100);
    assertThat(options.backoffMs(2, random)).isEqualTo(200);
    assertThat(options.backoffMs(4, random)).isEqualTo(800);
    assertThat(options.backoffMs(5, random)).isEqualTo(1000);
    assertThat(options.backoffMs(5000, random)).isEqualTo(1000);
    options.setJitter(0.5);
    for (int i = 0; i < 1000; i++) {
      assertThat(options.backoffMs(2, random)).isBetween(100L, 200L);
    }
    assertThat(RetryOptions.fixed(3, 70).backoffMs(2, random)).isEqualTo(70);
  }

  @Test
  void aRetryComesNoEarlierThanItsBackOff() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, retrying(2, 300))) {
      appendAll(queue, List.of("a"));
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      long startNs = System.nanoTime();
      queue.fail(first, "wait");
      queue.acknowledge(reader.next());
      assertThat(System.nanoTime() - startNs).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(298));
    }
  }
}
