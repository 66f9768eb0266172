package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.Await;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DeadLettersTest extends QueueTestBase {

  /** Rejects everything that was appended. */
  private static void bury(DurableQueue<String> queue, List<String> messages) {
    long before = queue.stats().deadLettersTrimmed() + queue.deadLetters().count();
    appendAll(queue, messages);
    QueueReader<String> reader = new QueueReader<>(queue);
    for (int i = 0; i < messages.size(); i++) {
      queue.reject(reader.next(), "reason " + i);
    }
    Await.until(
        "all are dead",
        () -> {
          QueueStats stats = queue.stats();
          return stats.deadLetters() + stats.deadLettersTrimmed() == before + messages.size();
        });
  }

  @Test
  void areListedInOrderAndReadByNumber() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 25, 100));
      DeadLetters<String> dead = queue.deadLetters();
      assertThat(dead.count()).isEqualTo(25);
      assertThat(dead.bytes()).isGreaterThan(2500);
      List<DeadLetter<String>> page = dead.list(0, 10);
      assertThat(page).extracting(DeadLetter::message).isEqualTo(texts(0, 10, 100));
      page = dead.list(page.get(9).number() + 1, 100);
      assertThat(page).extracting(DeadLetter::message).isEqualTo(texts(10, 25, 100));
      assertThat(dead.read(page.get(3).number())).contains(page.get(3));
      assertThat(dead.read(99_999)).isEmpty();
      assertThatThrownBy(() -> dead.list(0, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("max is 0, allowed is 1 to 1000");
    }
  }

  @Test
  void oneIsRequeuedWithAllItsAttempts() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 3, 100));
      DeadLetter<String> second = queue.deadLetters().list(0, 3).get(1);
      assertThat(queue.deadLetters().requeue(second.number())).isTrue();
      assertThat(queue.deadLetters().requeue(second.number())).isFalse();
      Delivery<String> again = new QueueReader<>(queue).next();
      assertThat(again.message()).isEqualTo(text(1, 100));
      assertThat(again.sequence()).isEqualTo(second.sequence());
      assertThat(again.failures()).isZero();
      assertThat(again.deliveryCount()).isEqualTo(1);
      queue.acknowledge(again);
      assertThat(queue.deadLetters().count()).isEqualTo(2);
      assertThat(queue.poll()).isNull();
    }
  }

  @Test
  void allAreRequeuedInOrder() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 1200, 100));
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(1200);
      assertThat(queue.deadLetters().count()).isZero();
      assertThat(queue.deadLetters().bytes()).isZero();
      assertThat(new QueueReader<>(queue).drain(1200))
          .containsExactlyElementsOf(texts(0, 1200, 100));
    }
  }

  @Test
  void arePurgedOneByOneAndAllAtOnce() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 1200, 100));
      long number = queue.deadLetters().list(0, 1).get(0).number();
      assertThat(queue.deadLetters().purge(number)).isTrue();
      assertThat(queue.deadLetters().purge(number)).isFalse();
      assertThat(queue.deadLetters().purgeAll()).isEqualTo(1199);
      assertThat(queue.deadLetters().count()).isZero();
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.stats().recovered()).isZero();
      assertThat(queue.deadLetters().list(0, 10)).isEmpty();
    }
  }

  @Test
  void surviveARestartWithTheirCounts() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 7, 100));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(queue.deadLetters().count()).isEqualTo(7);
      bury(queue, texts(7, 10, 100));
      assertThat(queue.deadLetters().list(0, 100))
          .extracting(DeadLetter::message)
          .isEqualTo(texts(0, 10, 100));
    }
  }

  @Test
  void theOldestAreRemovedWhenThereAreTooMany() {
    QueueOptions options =
        new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxCount(10));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      bury(queue, texts(0, 35, 100));
      Await.until("the oldest are gone", () -> queue.deadLetters().count() == 10);
      assertThat(queue.deadLetters().list(0, 100))
          .extracting(DeadLetter::message)
          .isEqualTo(texts(25, 35, 100));
      assertThat(queue.stats().deadLettersTrimmed()).isEqualTo(25);
    }
  }

  @Test
  void theOldestAreRemovedWhenTheyTakeTooMuch() {
    QueueOptions options =
        new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxBytes(10_000));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      bury(queue, texts(0, 20, 1000));
      Await.until("the oldest are gone", () -> queue.deadLetters().bytes() <= 10_000);
      assertThat(queue.deadLetters().count()).isBetween(7L, 9L);
    }
  }

  @Test
  void thoseTooOldAreRemoved() {
    QueueOptions options =
        new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxAgeMs(50));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      bury(queue, texts(0, 20, 100));
      Await.until("all are gone", () -> queue.deadLetters().count() == 0);
      assertThat(queue.stats().deadLettersTrimmed()).isEqualTo(20);
    }
  }

  @Test
  void noneIsTooOldForTheGreatestAge() {
    QueueOptions options =
        new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxAgeMs(Long.MAX_VALUE));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      bury(queue, texts(0, 20, 100));
      for (int turn = 0; turn < 3; turn++) {
        // The thread that would remove them answers this too.
        assertThat(queue.deadLetters().list(0, 100)).hasSize(20);
      }
      assertThat(queue.stats().deadLettersTrimmed()).isZero();
    }
  }

  private static void assertClosed(ThrowingCallable work) {
    assertThatThrownBy(work)
        .isInstanceOfSatisfying(
            QueueException.class,
            e -> assertThat(e.reason()).isEqualTo(QueueException.Reason.CLOSED));
  }

  @Test
  void ofAClosedQueueAreRefusedAlsoWhenItIsOpenAgain() {
    try (QueueStore store = openStore()) {
      DurableQueue<String> closed = openQueue(store);
      bury(closed, texts(0, 3, 100));
      long first = closed.deadLetters().list(0, 1).get(0).number();
      closed.close();
      try (DurableQueue<String> queue = openQueue(store)) {
        DeadLetters<String> old = closed.deadLetters();
        assertClosed(() -> old.list(0, 10));
        assertClosed(() -> old.requeue(first));
        assertClosed(old::requeueAll);
        assertClosed(() -> old.purge(first));
        assertClosed(old::purgeAll);
        assertThat(queue.deadLetters().count()).isEqualTo(3);
        assertThat(queue.deadLetters().requeueAll()).isEqualTo(3);
        assertThat(new QueueReader<>(queue).drain(3)).isEqualTo(texts(0, 3, 100));
      }
    }
  }

  @Test
  void aMarkCoversNoneThatCameLater() {
    QueueOptions options =
        new QueueOptions().setDeadLetters(new DeadLetterOptions().setMaxCount(3));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      DeadLetters<String> dead = queue.deadLetters();
      bury(queue, texts(0, 3, 100));
      DeadLetters.Mark mark = dead.mark();
      assertThat(DeadLetters.Mark.parse(mark.toString())).isEqualTo(mark).isEqualTo(dead.mark());
      bury(queue, texts(3, 5, 100));
      Await.until("the oldest are gone", () -> dead.count() == 3);
      assertThat(dead.mark()).isNotEqualTo(mark);
      assertThat(dead.list(0, 10))
          .extracting(letter -> mark.covers(letter.number()))
          .containsExactly(true, false, false);

      assertThat(dead.purgeAll(mark)).isEqualTo(1);
      assertThat(dead.list(0, 10)).extracting(DeadLetter::message).isEqualTo(texts(3, 5, 100));
      assertThat(dead.requeueAll(mark)).isZero();
      assertThat(dead.requeueAll(dead.mark())).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drain(2)).isEqualTo(texts(3, 5, 100));
    }
  }

  @Test
  void aMarkOfAnotherOpeningIsRefused() {
    DeadLetters.Mark mark;
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(0, 2, 100));
      mark = queue.deadLetters().mark();
      queue.deadLetters().purgeAll(mark);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      bury(queue, texts(2, 4, 100));
      assertThatThrownBy(() -> queue.deadLetters().purgeAll(mark))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("upTo is " + mark + ", allowed is a mark since queue");
      assertThatThrownBy(() -> queue.deadLetters().requeueAll(mark))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(queue.deadLetters().count()).isEqualTo(2);
    }
  }

  @Test
  void aMarkOfWhatCannotBeReadIsReadFromItsText() {
    DeadLetters.Mark mark = new DeadLetters.Mark(7, 12, DeadLetters.FIRST_UNREADABLE + 1);
    assertThat(mark).hasToString("7-12-2");
    assertThat(DeadLetters.Mark.parse("7-12-2")).isEqualTo(mark);
    assertThat(mark.covers(12)).isTrue();
    assertThat(mark.covers(13)).isFalse();
    assertThat(mark.covers(DeadLetters.FIRST_UNREADABLE + 1)).isTrue();
    assertThat(mark.covers(DeadLetters.FIRST_UNREADABLE + 2)).isFalse();
    assertThat(DeadLetters.Mark.NONE.covers(DeadLetters.FIRST_UNREADABLE)).isFalse();
    for (String text : List.of("", "7-12", "7-12-x", "7-12-9223372036854775807", "-1-1-1")) {
      assertThatThrownBy(() -> DeadLetters.Mark.parse(text))
          .hasMessage("mark is " + text + ", allowed is what a list has named");
    }
  }

  @Test
  void ofAClosedStoreAreRefused() {
    QueueStore store = openStore();
    DurableQueue<String> queue = openQueue(store);
    store.close();
    assertClosed(() -> queue.deadLetters().list(0, 1));
  }
}
