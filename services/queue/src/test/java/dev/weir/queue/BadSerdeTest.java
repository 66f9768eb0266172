package dev.weir.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.QueueException.Reason;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
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
  void aTransientMessageThatCannotBeReadIsLostAloneCountedAndReported() {
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

  /** Reads what {@link TextSerde} does not. */
  private static Serde<String> reading(Function<String, String> read) {
    TextSerde text = new TextSerde();
    return new Serde<>() {
      @Override
      public int sizeBytes(String message) {
        return text.sizeBytes(message);
      }

      @Override
      public void write(String message, ByteBuffer out) {
        text.write(message, out);
      }

      @Override
      public String read(ByteBuffer in) {
        return read.apply(new String(Serde.BYTES.read(in), StandardCharsets.US_ASCII));
      }
    };
  }

  @Test
  void messagesThatCannotBeReadPushOutNoDeadLettersAndAreNotDeleted() {
    DeadLetterOptions few = new DeadLetterOptions().setMaxCount(5);
    QueueOptions options = new QueueOptions().setDeadLetters(few);
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      appendAll(queue, texts(0, 5, 100));
      QueueReader<String> reader = new QueueReader<>(queue);
      for (int i = 0; i < 5; i++) {
        queue.reject(reader.next(), "before");
      }
      Await.until("they are dead letters", () -> queue.deadLetters().count() == 5);
      List<String> unreadable = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        unreadable.add(TextSerde.UNREADABLE + " " + i);
      }
      appendAll(queue, unreadable);
    }
    for (int opening = 0; opening < 2; opening++) {
      try (QueueStore store = openStore();
          DurableQueue<String> queue = openQueue(store, options)) {
        Await.until(
            () -> "all are dead letters: " + queue.stats(),
            () -> queue.poll() == null && queue.deadLetters().count() == 55);
        append(queue, "one more").await();
        queue.reject(new QueueReader<>(queue).next(), "later");
        // The oldest that can be read goes.
        Await.until("one goes", () -> queue.stats().deadLettersTrimmed() == 1);
        assertThat(queue.deadLetters().count()).isEqualTo(55);
        assertThat(queue.deadLetters().list(0, 100))
            .filteredOn(dead -> dead.message() != null)
            .hasSize(5);
      }
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("q", reading(text -> text), options, NO_LOSSES)) {
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(55);
      assertThat(new QueueReader<>(queue).drain(55)).contains(TextSerde.UNREADABLE + " 49");
    }
  }

  @Test
  void aMessageThatCannotBeReadAfterARestartIsADeadLetterAndIsRequeuedOnceItCanBeRead() {
    QueueOptions options = new QueueOptions().setRetry(RetryOptions.fixed(5, 1));
    String packed = TextSerde.UNREADABLE + " in its packet";
    String deferred = TextSerde.UNREADABLE + " and failed once";
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      append(queue, deferred).await();
      queue.fail(new QueueReader<>(queue).next(), "once more");
      appendAll(queue, List.of("a", packed, "b"));
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store, options)) {
      assertThat(new QueueReader<>(queue).drain(2)).containsExactly("a", "b");
      Await.until(
          () -> "both are dead letters: " + queue.stats(),
          () -> queue.poll() == null && queue.deadLetters().count() == 2);
      assertThat(queue.stats().lost()).isZero();
      assertThat(queue.deadLetters().list(0, 10))
          .allMatch(dead -> dead.message() == null)
          .extracting(DeadLetter::reason)
          .containsExactlyInAnyOrder(
              "the serde cannot read it: java.lang.StackOverflowError: " + packed,
              "the serde cannot read it: java.lang.StackOverflowError: " + deferred);
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(2);
      Await.until(
          () -> "both are dead letters again: " + queue.stats(),
          () -> queue.poll() == null && queue.deadLetters().count() == 2);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("q", reading(text -> text), options, NO_LOSSES)) {
      assertThat(queue.deadLetters().requeueAll()).isEqualTo(2);
      assertThat(new QueueReader<>(queue).drain(2)).containsExactlyInAnyOrder(packed, deferred);
      assertThat(queue.deadLetters().count()).isZero();
      Await.until("nothing is left", () -> queue.stats().bytes() == 0);
    }
  }

  @Test
  void aMessageIsReadAgainWhenTheHeapWasExhausted() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      appendAll(queue, List.of("a", "b"));
    }
    AtomicInteger reads = new AtomicInteger();
    Serde<String> exhausted =
        reading(
            text -> {
              if (reads.incrementAndGet() == 2) {
                throw new IllegalStateException(new OutOfMemoryError("for this test"));
              }
              return text;
            });
    try (QueueStore store = openStore();
        DurableQueue<String> queue = store.queue("q", exhausted, new QueueOptions(), NO_LOSSES)) {
      assertThat(new QueueReader<>(queue).drain(2)).containsExactly("a", "b");
      assertThat(queue.stats().deadLettered()).isZero();
      assertThat(queue.stats().lost()).isZero();
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

  /** Throws when it is asked what happened. */
  private static final class Unprintable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("no text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new AssertionError("no cause");
    }
  }

  /** Cannot write a message that begins with "unwritable", or read one with "unreadable". */
  private static Serde<String> unprintable() {
    Serde<String> plain =
        reading(
            text -> {
              if (text.startsWith(TextSerde.UNREADABLE)) {
                throw new Unprintable();
              }
              return text;
            });
    return new Serde<>() {
      @Override
      public int sizeBytes(String message) {
        return plain.sizeBytes(message);
      }

      @Override
      public void write(String message, ByteBuffer out) {
        if (message.startsWith(TextSerde.UNWRITABLE)) {
          throw new Unprintable();
        }
        plain.write(message, out);
      }

      @Override
      public String read(ByteBuffer in) {
        return plain.read(in);
      }
    };
  }

  @Test
  void aSerdeWhoseFailureCannotBePrintedHarmsOneMessageOnly() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            store.queue("q", unprintable(), new QueueOptions(), NO_LOSSES)) {
      List<Outcome> outcomes =
          append(queue, List.of("a", TextSerde.UNWRITABLE, "b", TextSerde.UNREADABLE, "c"));
      assertThat(outcomes)
          .extracting(outcome -> outcome.await().refusal())
          .containsExactly(null, Reason.UNWRITABLE, null, null, null);
    }
    try (QueueStore store = openStore();
        DurableQueue<String> queue =
            store.queue("q", unprintable(), new QueueOptions(), NO_LOSSES)) {
      assertThat(new QueueReader<>(queue).drain(3)).containsExactly("a", "b", "c");
      Await.until(
          () -> "it is a dead letter: " + queue.stats(), () -> queue.deadLetters().count() == 1);
      assertThat(queue.deadLetters().list(0, 1).get(0).reason())
          .contains(Unprintable.class.getName());
    }
  }

  @Test
  void aSenderWhoseFailureCannotBePrintedKeepsNoOtherWaiting() {
    try (QueueStore store = openStore();
        DurableQueue<String> queue = openQueue(store)) {
      queue.onReadable(
          () -> {
            throw new Unprintable();
          });
      for (int i = 0; i < 3; i++) {
        queue.append(
            "a",
            Durability.PROCESS,
            refused -> {
              throw new Unprintable();
            });
        assertThat(append(queue, "b").await().failure()).isNull();
      }
    }
  }
}
