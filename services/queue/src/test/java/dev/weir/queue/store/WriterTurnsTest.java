package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the writer thread writes in which turn, step by step. */
class WriterTurnsTest {
  private static final String PROGRESS = "PROGRESS";

  private final SteppedStore store = new SteppedStore();
  private final List<QueueException> outcomes = new ArrayList<>();

  // ---- progress

  @Test
  void theProgressOfAPacketWithOnlyRequestsIsNotWritten() {
    DurableQueue<byte[]> queue = queue();
    request(queue, 10);
    request(queue, 10);
    store.pass(1);
    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).containsEntry("PACKETS", 1).doesNotContainKey(PROGRESS);

    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).doesNotContainKey("PACKETS");
  }

  @Test
  void theProgressOfAPacketWithARequestAndAMessageIsWritten() {
    DurableQueue<byte[]> queue = queue();
    request(queue, 10);
    queue.offer(new byte[10], null, true);
    store.pass(1);
    queue.acknowledge(queue.poll());
    store.pass(100);
    assertThat(store.contents()).containsEntry(PROGRESS, 1);
  }

  // ---- requests

  @Test
  void requestsAreWrittenInFullPacketsWhileTheConsumerHasEnoughBeforeThem() {
    DurableQueue<byte[]> queue = queue();
    for (int i = 0; i < 64; i++) {
      request(queue, 900);
      store.pass(1);
    }
    assertThat(queue.stats().writtenMessages()).isBetween(60L, 64L);
    assertThat(queue.stats().commits()).isBetween(28L, 34L);
  }

  @Test
  void aRequestThatTheConsumerNeedsNextIsWrittenAtOnce() {
    DurableQueue<byte[]> queue = queue();
    for (int i = 0; i < 10; i++) {
      request(queue, 100);
      store.pass(1);
      assertThat(queue.poll()).as("request %s", i).isNotNull();
    }
  }

  @Test
  void aConsumerThatIsBehindGetsEveryRequest() {
    DurableQueue<byte[]> queue = queue();
    int sent = 101;
    for (int i = 0; i < sent; i++) {
      request(queue, 900);
      store.pass(1);
    }
    int got = 0;
    for (int i = 0; i < 2 * sent; i++) {
      for (Delivery<byte[]> next = queue.poll(); next != null; next = queue.poll()) {
        queue.acknowledge(next);
        got++;
      }
      store.pass(1);
    }
    assertThat(got).isEqualTo(sent);
    assertThat(queue.stats().bytes()).isZero();
  }

  @Test
  void aMessageThatIsKeptIsWrittenAtOnceWithTheRequestsBeforeIt() {
    DurableQueue<byte[]> queue = queue();
    for (int i = 0; i < 40; i++) {
      request(queue, 500);
      store.pass(1);
    }
    append(queue, 10, Durability.PROCESS);
    store.pass(1);
    assertThat(outcomes).hasSize(1).containsOnlyNulls();
    assertThat(queue.stats().bufferedBytes()).isZero();
  }

  // ---- what is read

  @Test
  void theReaderIsWokenWhenTheHeapThatAnotherQueueHeldBecomesFree() {
    DurableQueue<byte[]> queue = store.queue(new QueueOptions().setWriteThrough(true));
    DurableQueue<byte[]> other = store.queue("other", new QueueOptions());
    int messages = 300;
    for (int i = 0; i < messages; i++) {
      turn(queue, 1000, Durability.PROCESS);
    }
    while (!store.isHeapScarce()) {
      other.offer(new byte[10_000], null, false);
    }
    queue.onReadable(() -> {});
    store.reader().runDuty();
    assertThat(store.reader().isDue()).as("it has read enough while heap is scarce").isFalse();

    for (Delivery<byte[]> next = other.poll(); next != null; next = other.poll()) {
      other.acknowledge(next);
    }
    assertThat(store.isHeapScarce()).isFalse();
    store.writer().runDuty();
    assertThat(store.reader().isDue()).isTrue();
    for (int i = 0; i < messages; i++) {
      store.pass(1);
      assertThat(queue.poll()).as("message %s", i).isNotNull();
    }
  }

  // ---- segments

  @Test
  void noPacketIsWrittenWhileTheSegmentsThatWaitForTheirDeletionFillTheBudget() {
    DurableQueue<byte[]> queue = store.queue(new QueueOptions().setMaxBytes(1 << 20));
    store.pass(1);
    int messages = 80;
    for (int i = 0; i < messages; i++) {
      turn(queue, 20_000, Durability.PROCESS);
      store.rest(50);
      Delivery<byte[]> next = queue.poll();
      if (next != null) {
        queue.acknowledge(next);
        store.writer().runDuty();
      }
    }
    assertThat(outcomes).hasSizeBetween(40, 60).containsOnlyNulls();
    assertThat(store.disk.usedBytes()).isBetween(900_000L, 1L << 20);

    store.pass(100);
    for (Delivery<byte[]> next = queue.poll(); next != null; next = queue.poll()) {
      queue.acknowledge(next);
      store.pass(100);
    }
    assertThat(outcomes).hasSize(messages).containsOnlyNulls();
    assertThat(queue.stats().acknowledged()).isEqualTo(messages);
  }

  @Test
  void noPacketIsWrittenWhileTheSegmentsThatWaitForTheirDeletionFillTheDisk() {
    DurableQueue<byte[]> queue = store.queue(new QueueOptions().setMaxBytes(1 << 20));
    store.pass(1);
    store.disk.capacityBytes = store.disk.usedBytes() + store.disk.minFreeBytes + (500 << 10);
    for (int i = 0; i < 60; i++) {
      turn(queue, 20_000, Durability.PROCESS);
      store.rest(50);
      Delivery<byte[]> next = queue.poll();
      if (next != null) {
        queue.acknowledge(next);
        store.writer().runDuty();
      }
    }
    assertThat(outcomes).as("the writer waits").hasSizeBetween(10, 30).containsOnlyNulls();
  }

  @Test
  void delayedMessagesAreReleasedWhileManySegmentsWaitForTheirDeletion() {
    RetryOptions retry = RetryOptions.exponential(5, 60_000, 60_000);
    DurableQueue<byte[]> queue =
        store.queue(new QueueOptions().setMaxBytes(1 << 20).setRetry(retry));
    store.pass(1);
    turn(queue, 20_000, Durability.PROCESS);
    Delivery<byte[]> delayed = queue.poll();
    int messages = 80;
    for (int i = 0; i < messages; i++) {
      turn(queue, 20_000, Durability.PROCESS);
      store.rest(50);
      Delivery<byte[]> next = queue.poll();
      if (next != null) {
        queue.acknowledge(next);
        store.writer().runDuty();
      }
    }
    assertThat(outcomes).as("the writer waits").hasSizeLessThan(messages);

    queue.fail(delayed, "in a minute");
    CompletableFuture<Long> released = queue.releaseScheduled();
    for (int i = 0; i < 10; i++) {
      store.writer().runDuty();
    }
    assertThat(released).isCompletedWithValue(1L);
  }

  // ---- what is forced to the device

  @Test
  void theNextMessagesAreWrittenWhileOthersAreForced() {
    DurableQueue<byte[]> queue = queue();
    turn(queue, 10, Durability.MACHINE);
    turn(queue, 10, Durability.MACHINE);
    assertThat(store.contents()).containsEntry("PACKETS", 2);
    assertThat(outcomes).isEmpty();

    turn(queue, 10, Durability.MACHINE);
    assertThat(store.contents()).as("others gather").containsEntry("PACKETS", 2);

    store.sync().runDuty();
    assertThat(outcomes).hasSize(2).containsOnlyNulls();
    store.pass(1);
    assertThat(outcomes).hasSize(3).containsOnlyNulls();
    assertThat(queue.stats().waiting()).isEqualTo(3);
    assertThat(queue.stats().bufferedBytes()).isZero();
  }

  @Test
  void acknowledgementsDoNotHoldBackWhatIsForcedNext() {
    DurableQueue<byte[]> queue = queue();
    append(queue, 10, Durability.PROCESS);
    append(queue, 10, Durability.PROCESS);
    store.pass(1);
    turn(queue, 10, Durability.MACHINE);
    for (int i = 0; i < 2; i++) {
      queue.acknowledge(queue.poll());
      store.rest(50);
      store.writer().runDuty();
    }
    assertThat(store.contents()).containsEntry("PACKETS", 1);

    turn(queue, 10, Durability.MACHINE);
    assertThat(store.contents()).containsEntry("PACKETS", 2);
  }

  @Test
  void fullPacketsDoNotWaitForTheDevice() {
    DurableQueue<byte[]> queue = queue();
    for (int i = 0; i < 6; i++) {
      turn(queue, 1100, Durability.MACHINE);
    }
    assertThat(store.contents()).containsEntry("PACKETS", 6);
    store.pass(1);
    assertThat(outcomes).hasSize(6).containsOnlyNulls();
  }

  @Test
  void aMessageForTheProcessCompletesAfterThoseBeforeItThatAreForced() {
    DurableQueue<byte[]> queue = queue();
    List<String> completed = new ArrayList<>();
    queue.append(new byte[10], Durability.MACHINE, failure -> completed.add("first"));
    store.writer().runDuty();
    queue.append(new byte[10], Durability.PROCESS, failure -> completed.add("second"));
    store.writer().runDuty();
    assertThat(completed).isEmpty();
    assertThat(queue.poll()).isNull();

    store.sync().runDuty();
    assertThat(completed).containsExactly("first", "second");
    assertThat(queue.poll()).isNotNull();
    assertThat(queue.poll()).isNotNull();
  }

  @Test
  void aFailedForceFailsAllThatWaitsForIt() {
    DurableQueue<byte[]> queue = queue();
    turn(queue, 10, Durability.MACHINE);
    turn(queue, 20, Durability.PROCESS);
    turn(queue, 30, Durability.MACHINE);
    store.failing = true;
    store.sync().runDuty();
    store.failing = false;
    assertThat(outcomes).isEmpty();

    store.pass(1000);
    assertThat(outcomes)
        .hasSize(3)
        .allSatisfy(each -> assertThat(each.reason()).isEqualTo(Reason.STORE_FAILED));
    turn(queue, 40, Durability.MACHINE);
    store.pass(1);
    assertThat(queue.poll().message()).hasSize(40);
    assertThat(queue.poll()).isNull();
  }

  @Test
  void sendersWhoWaitForAFailedForceAreAcceptedOnceTheStoreWritesAgain() {
    DurableQueue<byte[]> queue =
        store.queue(new QueueOptions().setPolicy(OverflowPolicy.BLOCK).setWriteThrough(true));
    store.pass(1);
    for (int i = 1; i <= 3; i++) {
      turn(queue, i, Durability.MACHINE);
    }
    store.failing = true;
    store.sync().runDuty();
    store.failing = false;

    store.pass(1000);
    assertThat(outcomes).hasSize(3).containsOnlyNulls();
    for (int i = 1; i <= 3; i++) {
      assertThat(queue.poll().message()).hasSize(i);
    }
    store.open();
    assertThat(queue().stats().recovered()).isEqualTo(3);
  }

  /** Appends a message; then the writer thread takes a turn, and the device takes none. */
  private void turn(DurableQueue<byte[]> queue, int bytes, Durability durability) {
    append(queue, bytes, durability);
    store.writer().runDuty();
  }

  private DurableQueue<byte[]> queue() {
    DurableQueue<byte[]> queue =
        store.queue(new QueueOptions().setWriteThrough(true).setReadAheadBytes(4096));
    store.pass(1);
    return queue;
  }

  private static void request(DurableQueue<byte[]> queue, int bytes) {
    queue.offer(new byte[bytes], "requester", false);
  }

  private void append(DurableQueue<byte[]> queue, int bytes, Durability durability) {
    queue.append(new byte[bytes], MessageOptions.NONE, durability, outcomes::add);
  }
}
