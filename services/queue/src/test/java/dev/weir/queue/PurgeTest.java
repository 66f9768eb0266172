package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DurableQueueTest.GatedSerde;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
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

  /** Such as a consumer that asks whether something waits, and does not poll if nothing does. */
  @Test
  void whoDoesNotPollWhenNothingWaitsIsToldOfTheNextMessage() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, texts(0, 2, 20));
      Semaphore told = new Semaphore(0);
      queue.onReadable(told::release);
      Await.until("there is something", told::tryAcquire);
      Delivery<String> first = queue.poll();
      assertThat(queue.waiting()).isEqualTo(1);
      assertThat(purge(queue)).isEqualTo(1);
      assertThat(queue.waiting()).isZero();
      queue.acknowledge(first);
      appendAll(queue, List.of("next"));
      Await.until(
          () -> "the consumer is told: " + queue.stats(), () -> told.availablePermits() > 0);
      assertThat(queue.poll().message()).isEqualTo("next");
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

  @Test
  void whatIsJustBeingReadIsGoneToo() throws InterruptedException {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch purged = new CountDownLatch(1);
    Serde<byte[]> slow =
        new Serde<>() {
          @Override
          public int sizeBytes(byte[] message) {
            return message.length;
          }

          @Override
          public void write(byte[] message, ByteBuffer out) {
            out.put(message);
          }

          @Override
          public byte[] read(ByteBuffer in) {
            reading.countDown();
            Await.until("the purge has begun", () -> purged.getCount() == 0);
            return Serde.BYTES.read(in);
          }
        };
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, 1));
    try (QueueStore store = openStore();
        DurableQueue<byte[]> queue = store.queue("q", slow, options, NO_LOSSES)) {
      queue.append(new byte[10], Durability.PROCESS, failure -> {});
      QueueReader<byte[]> reader = new QueueReader<>(queue);
      queue.fail(reader.next(), "once more");
      assertThat(reading.await(Await.DEADLINE_S, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Long> purge = queue.purge();
      purged.countDown();
      assertThat(purge.orTimeout(Await.DEADLINE_S, TimeUnit.SECONDS).join()).isEqualTo(1);
      assertThat(queue.poll()).isNull();
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void isNotConfirmedBeforeItsTransactionIsCommitted() {
    GatedSerde gated = new GatedSerde();
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("q", gated, new QueueOptions(), NO_LOSSES);
        GatedSerde gate = gated) {
      append(queue, "before");
      Await.until("the first is written", gated.entered::tryAcquire);
      CompletableFuture<Long> purge = queue.purge();
      Outcome after = append(queue, "after");
      gate.open.release();
      Await.until("the second is written, and the first deleted", gated.entered::tryAcquire);
      queue.onReadable(() -> {});
      assertThat(purge).isNotDone();
      assertThat(after.isTold()).isFalse();
      gate.open.release(1_000_000);
      assertThat(purge.orTimeout(Await.DEADLINE_S, TimeUnit.SECONDS).join()).isEqualTo(1);
      assertThat(new QueueReader<>(queue).drain(1)).containsExactly("after");
    }
  }

  @Test
  void whatIsRequeuedAfterwardsStaysHoweverLongThePurgeTakes() {
    MessageOptions later =
        MessageOptions.NONE.withNotBeforeMs(System.currentTimeMillis() + 3_600_000);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      QueueReader<String> reader = new QueueReader<>(queue);
      appendAll(queue, texts(0, 1, 20));
      queue.reject(reader.next(), "bad");
      for (int i = 0; i < 5000; i++) {
        queue.append(text(i, 20), later, Durability.PROCESS, failure -> {});
      }
      Await.until(
          "all wait for their time",
          () -> queue.poll() == null && queue.stats().scheduled() == 5000);
      CompletableFuture<Long> purge = queue.purge();
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(1);
      assertThat(purge.orTimeout(Await.DEADLINE_S, TimeUnit.SECONDS).join()).isEqualTo(5000);
      assertThat(reader.drain(1)).containsExactly(text(0, 20));
    }
  }
}
