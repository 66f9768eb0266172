package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PurgeTest extends QueueTestBase {

  private static long purge(DurableQueue<String> queue) {
    return queue.purge().orTimeout(Await.DEADLINE_S, TimeUnit.SECONDS).join();
  }

  @Test
  void whatWaitsIsGoneAndWhatIsHandledIsNot() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 20_000, 200));
      QueueReader<String> reader = new QueueReader<>(queue);
      List<Delivery<String>> handled = reader.next(10);
      assertThat(purge(queue)).isEqualTo(19_990);
      assertThat(queue.poll()).isNull();
      assertThat(queue.waiting()).isZero();
      assertThat(queue.stats().purged()).isEqualTo(19_990);
      appendAll(queue, texts(0, 3, 10));
      assertThat(reader.drain(3)).isEqualTo(texts(0, 3, 10));
      handled.subList(1, 10).forEach(queue::acknowledge);
      queue.release(handled.get(0));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly(text(0, 200));
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().recovered()).isEqualTo(1);
    }
  }

  @Test
  void whatIsScheduledOrWaitsForItsKeyIsGoneToo() {
    QueueOptions options =
        new QueueOptions()
            .setOrder(DeliveryOrder.KEY)
            .setReadAheadBytes(16 << 10)
            .setRetry(RetryOptions.fixed(5, 3_600_000));
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      MessageOptions later =
          MessageOptions.NONE.withNotBeforeMs(System.currentTimeMillis() + 3_600_000);
      for (int i = 0; i < 2000; i++) {
        queue.append(text(i, 200), later, Durability.PROCESS, failure -> {});
        queue.append(
            text(i, 200), MessageOptions.NONE.withKey("k"), Durability.PROCESS, failure -> {});
      }
      QueueReader<String> reader = new QueueReader<>(queue);
      Delivery<String> first = reader.next();
      Await.until(
          "all are beside the line",
          () -> queue.poll() == null && queue.stats().scheduled() == 2000);
      queue.fail(first, "in an hour");
      assertThat(purge(queue)).isEqualTo(4000);
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().scheduled()).isZero();
      Await.until("nothing is left: " + queue.stats(), () -> queue.stats().bytes() == 0);
      queue.append("free", MessageOptions.NONE.withKey("k"), Durability.PROCESS, failure -> {});
      assertThat(reader.drain(1)).containsExactly("free");
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      assertThat(queue.stats().recovered()).isZero();
    }
  }

  @Test
  void anEmptyQueueIsPurgedAtOnce() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      assertThat(purge(queue)).isZero();
    }
  }
}
