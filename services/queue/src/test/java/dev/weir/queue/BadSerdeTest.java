package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** A serde that fails on one message fails that message only. */
class BadSerdeTest extends QueueTestBase {
  private final Map<Object, Reason> lost = new ConcurrentHashMap<>();

  @Test
  void aMessageThatCannotBeWrittenIsRefusedAndItsNeighboursAreNot() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, "q", new QueueOptions(), lost::put)) {
      List<Outcome> outcomes =
          append(queue, List.of("a", TextSerde.UNWRITABLE, "b", TextSerde.TOO_SHORT, "c"));

      assertThat(outcomes)
          .extracting(outcome -> outcome.await().refusal())
          .containsExactly(null, Reason.UNWRITABLE, null, Reason.UNWRITABLE, null);
      assertThat(outcomes.get(1).failure())
          .hasMessage("the serde of queue q cannot write the message");
      assertThat(queue.stats().appended()).isEqualTo(3);
      assertThat(queue.stats().rejected()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drainAll()).containsExactly("a", "b", "c");
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void anOfferedMessageThatCannotBeWrittenIsCountedAndReported() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, "q", new QueueOptions(), lost::put)) {
      append(queue, "before");
      queue.offer(TextSerde.UNWRITABLE, "requester", false);
      append(queue, "after").await();
      Await.until("the loss is reported", () -> !lost.isEmpty());
      assertThat(lost).containsOnly(Map.entry("requester", Reason.UNWRITABLE));
      assertThat(queue.stats().lost()).isEqualTo(1);
      assertThat(queue.waiting()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drainAll()).containsExactly("before", "after");
    }
  }

  @Test
  void aMessageThatCannotBeReadIsLostAloneCountedAndReported() {
    QueueOptions small = new QueueOptions().setReadAheadBytes(100).setWriteThrough(true);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, "q", small, lost::put)) {
      appendAll(queue, texts(0, 20, 100));
      append(queue, "before");
      queue.offer(TextSerde.UNREADABLE, "requester", false);
      appendAll(queue, texts(20, 40, 100));
      List<String> got = new QueueReader<>(queue).drain(41);
      assertThat(got.remove("before")).isTrue();
      assertThat(got).isEqualTo(texts(0, 40, 100));
      Await.until("the loss is reported", () -> !lost.isEmpty());
      assertThat(lost).containsOnly(Map.entry("requester", Reason.CORRUPT));
      assertThat(queue.stats().lost()).isEqualTo(1);
      assertThat(queue.stats().corruptPackets()).isZero();
      assertThat(queue.stats().waiting()).isZero();
      assertThat(queue.stats().bytes()).isZero();
    }
  }

  @Test
  void aSizeThatCannotBeToldIsTheSendersFailure() {
    Serde<String> bad =
        new Serde<>() {
          @Override
          public int sizeBytes(String message) {
            if (message.isEmpty()) {
              throw new ArithmeticException("no size");
            }
            return -1;
          }

          @Override
          public void write(String message, ByteBuffer out) {}

          @Override
          public String read(ByteBuffer in) {
            return "";
          }
        };
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("bad", bad, new QueueOptions(), NO_LOSSES)) {
      assertThatThrownBy(() -> queue.offer("", null, true)).hasMessage("no size");
      assertThatThrownBy(() -> append(queue, "x"))
          .hasMessage("sizeBytes is -1, allowed is 0 or more");
      assertThatThrownBy(() -> append(queue, (String) null)).hasMessage("message must not be null");
      assertThatThrownBy(() -> queue.append("x", null, new Outcome()))
          .hasMessage("durability must not be null");
      assertThatThrownBy(() -> queue.append("x", Durability.PROCESS, null))
          .hasMessage("completion must not be null");
      assertThat(queue.waiting()).isZero();
    }
  }
}
