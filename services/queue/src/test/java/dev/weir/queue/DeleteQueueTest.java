package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A queue that is not open can be deleted while its store is in use. */
class DeleteQueueTest extends QueueTestBase {
  private static final QueueOptions ONE_ATTEMPT =
      new QueueOptions().setRetry(RetryOptions.fixed(1, 0));

  private DurableQueue<String> open(QueueStore store, String name) {
    return openQueue(store, name, ONE_ATTEMPT, NO_LOSSES);
  }

  private void fillOld(QueueStore store) {
    try (DurableQueue<String> old = open(store, "old")) {
      appendAll(old, texts(0, 10, 100));
      Delivery<String> dead = new QueueReader<>(old).next(1).get(0);
      old.fail(dead, "no stock");
      old.stats();
    }
  }

  @Test
  void itsMessagesAndDeadLettersAreGoneAndOtherQueuesGoOn() {
    try (QueueStore store = openStore();
        DurableQueue<String> other = open(store, "other")) {
      appendAll(other, texts(0, 5, 100));
      fillOld(store);
      QueueSummary there = store.closedQueues().get(0);
      assertThat(store.closedQueues()).hasSize(1);
      assertThat(there.name()).isEqualTo("old");
      assertThat(there.waiting()).isEqualTo(9);
      assertThat(there.dead()).isEqualTo(1);

      assertThat(store.deleteQueue("old")).isEqualTo(there);

      assertThat(store.closedQueues()).isEmpty();
      assertThat(new QueueReader<>(other).drain(5)).isEqualTo(texts(0, 5, 100));
      try (DurableQueue<String> again = open(store, "old")) {
        assertThat(again.waiting()).isZero();
        assertThat(again.deadLetters().count()).isZero();
        appendAll(again, texts(0, 2, 10));
        assertThat(new QueueReader<>(again).drain(2)).isEqualTo(texts(0, 2, 10));
      }
    }
  }

  @Test
  void itIsGoneAfterARestartToo() {
    try (QueueStore store = openStore()) {
      fillOld(store);
      store.deleteQueue("old");
    }
    try (QueueDirectory closed = QueueDirectory.open(directory)) {
      assertThat(closed.queues()).isEmpty();
    }
  }

  @Test
  void oneThatIsOpenOrUnknownIsRefused() {
    QueueStore store = openStore();
    try (store;
        DurableQueue<String> queue = open(store, "busy")) {
      append(queue, "kept").await();
      assertThatThrownBy(() -> store.deleteQueue("busy"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("queue busy is open");
      assertThatThrownBy(() -> store.deleteQueue("nobody"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("queue 'nobody' is not in directory");
      assertThat(queue.waiting()).isEqualTo(1);
    }
    assertThatThrownBy(() -> store.deleteQueue("busy")).hasMessageContaining("is closed");
    assertThatThrownBy(store::closedQueues).isInstanceOf(QueueException.class);
  }
}
