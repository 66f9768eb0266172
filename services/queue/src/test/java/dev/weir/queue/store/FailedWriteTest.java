package dev.weir.queue.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import dev.weir.queue.WaitingMessages.Deletion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a store does when a write fails, step by step. Each was found by the simulation. */
class FailedWriteTest {
  private static final Logger LOG = Logger.getLogger("dev.weir.queue");

  private final SteppedStore store = new SteppedStore();
  private final List<Reason> outcomes = new ArrayList<>();

  @BeforeEach
  void logNothing() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void logAgain() {
    LOG.setLevel(null);
  }

  @Test
  void theReaderRestsBetweenItsTriesWhileTheFilesCannotBeRead() {
    DurableQueue<byte[]> queue =
        queue(new QueueOptions().setReadAheadBytes(0).setWriteThrough(true));
    append(queue, 1000, Durability.PROCESS);
    store.pass(1);
    append(queue, 1000, Durability.PROCESS);
    store.pass(1);
    queue.poll();
    store.failing = true;
    append(queue, 1, Durability.PROCESS);
    store.writer().runDuty();

    store.reader().runDuty();

    assertThat(store.reader().isDue()).isFalse();
    store.failing = false;
    store.pass(200);
    assertThat(queue.poll()).isNotNull();
  }

  @Test
  void aMessageThatWasPurgedOnItsWayToTheDeviceIsNotDelivered() {
    DurableQueue<byte[]> queue = queue(new QueueOptions());
    CompletableFuture<Long> purge = purgeOnTheWayToTheDevice(queue);

    assertThat(queue.poll()).isNull();
    store.pass(100);
    assertThat(queue.poll()).isNull();
    assertThat(purge).isCompletedWithValue(2L);
  }

  @Test
  void aMessageThatWasPurgedAndDidNotReachTheDeviceIsNotDelivered() {
    DurableQueue<byte[]> queue = queue(new QueueOptions());
    CompletableFuture<Long> purge = purgeOnTheWayToTheDevice(queue);
    store.failing = true;
    store.sync().runDuty();
    store.failing = false;

    assertThat(queue.poll()).isNull();
    store.pass(100);
    assertThat(queue.poll()).isNull();
    assertThat(purge).isCompletedWithValue(1L);
    assertThat(outcomes).containsExactly(null, Reason.STORE_FAILED);
  }

  private CompletableFuture<Long> purgeOnTheWayToTheDevice(DurableQueue<byte[]> queue) {
    append(queue, 1000, Durability.NONE);
    append(queue, 1000, Durability.MACHINE);
    store.writer().runDuty();
    CompletableFuture<Long> purge = queue.purge();
    store.writer().runDuty();
    return purge;
  }

  /** A consumer that saw that nothing waits does not poll, and is to be told of the retry. */
  @Test
  void aRetryIsToldAlthoughTheMessageBehindItCouldNotBeWritten() {
    DurableQueue<byte[]> queue = queue(new QueueOptions().setRetry(RetryOptions.fixed(5, 1)));
    AtomicInteger told = new AtomicInteger();
    queue.onReadable(told::incrementAndGet);
    append(queue, 10, Durability.PROCESS);
    store.pass(1);
    append(queue, 10, Durability.PROCESS);
    Delivery<byte[]> first = queue.poll();
    assertThat(queue.waiting()).isEqualTo(1);
    store.failing = true;
    store.writer().runDuty();
    assertThat(queue.waiting()).isZero();
    queue.fail(first, "failed");
    int before = told.get();

    store.pass(100);

    assertThat(told).hasValueGreaterThan(before);
    assertThat(queue.poll().message()).hasSize(10);
  }

  @Test
  void aReleaseEndsWhenItsQueueIsClosedDuringAPurge() {
    DurableQueue<byte[]> queue =
        queue(new QueueOptions().setRetry(RetryOptions.fixed(5, 3_600_000)));
    append(queue, 10, Durability.PROCESS);
    append(queue, 10, Durability.PROCESS);
    store.pass(1);
    Delivery<byte[]> first = queue.poll();
    Delivery<byte[]> second = queue.poll();
    queue.fail(first, "later");
    store.pass(1);
    queue.purge();
    queue.fail(second, "later");
    CompletableFuture<Long> release = queue.releaseScheduled();
    ((StoredQueue<byte[]>) queue).beginClose();

    store.pass(10);

    assertThat(release).isDone();
    assertThat(((StoredQueue<byte[]>) queue).isEnded()).isTrue();
  }

  @Test
  void aQueueIsClosedDuringAPurgeThatKeepsADeadLetterBackWhoseWriteFailed() {
    DurableQueue<byte[]> queue = queueWithADelayedMessage(3_600_000);
    append(queue, 1, Durability.PROCESS);
    append(queue, 2, Durability.PROCESS);
    store.pass(1);
    Delivery<byte[]> poison = queue.poll();
    store.pass(1);
    queue.poll();
    queue.reject(poison, "poison");
    failAWriteThatReachesTheDisk();
    CompletableFuture<Long> release = queue.releaseScheduled();
    queue.purge();
    ((StoredQueue<byte[]>) queue).beginClose();

    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> store.pass(100));

    assertThat(release).isDone();
    assertThat(((StoredQueue<byte[]>) queue).isEnded()).isTrue();
    store.open();
    DurableQueue<byte[]> found = queue(new QueueOptions());
    assertThat(found.deadLetters().count()).isEqualTo(1);
    assertThat(found.stats().recovered()).isEqualTo(1);
  }

  @Test
  void aPurgeThatFailsWithAnErrorKeepsNoDelayedMessageBack() {
    DurableQueue<byte[]> queue = queueWithADelayedMessage(50);
    store.meanwhile =
        () -> {
          throw new StackOverflowError("on purpose");
        };

    CompletableFuture<Long> purge = queue.purge();
    store.pass(1);

    assertThat(purge).isCompletedExceptionally();
    assertThat(handleAll(queue)).isEqualTo(1);
  }

  /** The message is in a record of its own. */
  private DurableQueue<byte[]> queueWithADelayedMessage(long delayMs) {
    DurableQueue<byte[]> queue = queue(new QueueOptions());
    MessageOptions later = MessageOptions.NONE.withNotBeforeMs(store.nowMs() + delayMs);
    queue.append(new byte[3], later, Durability.PROCESS, this::completed);
    store.pass(1);
    assertThat(queue.poll()).isNull();
    store.pass(1);
    assertThat(queue.stats().scheduled()).isEqualTo(1);
    return queue;
  }

  @Test
  void aRetryThatMayBeOnDiskIsNotDeliveredTwiceOnAFullDisk() {
    DurableQueue<byte[]> queue = queue(new QueueOptions().setRetry(RetryOptions.fixed(3, 10)));
    append(queue, 1, Durability.PROCESS);
    store.pass(1);
    store.failing = true;
    store.writesWhatFails = true;
    queue.fail(queue.poll(), "failed");
    store.writer().runDuty();
    store.failing = false;
    store.disk.otherBytes = store.disk.freeBytes() - store.disk.minFreeBytes / 2;

    int deliveries = handleAll(queue);
    store.disk.otherBytes = 0;
    deliveries += handleAll(queue);
    store.open();
    deliveries += handleAll(queue(new QueueOptions()));

    assertThat(deliveries).isEqualTo(1);
  }

  @Test
  void aRetryThatMayBeOnDiskIsNotDeliveredTwiceWhenAnotherMessageIsDue() {
    DurableQueue<byte[]> queue = queue(new QueueOptions().setRetry(RetryOptions.fixed(3, 10)));
    MessageOptions later = MessageOptions.NONE.withNotBeforeMs(store.nowMs() + 100);
    queue.append(new byte[1], later, Durability.PROCESS, this::completed);
    store.pass(1);
    assertThat(queue.poll()).isNull();
    store.pass(1);
    append(queue, 2, Durability.PROCESS);
    store.pass(1);
    store.failing = true;
    store.writesWhatFails = true;
    queue.fail(queue.poll(), "failed");
    store.writer().runDuty();
    store.failing = false;
    store.disk.otherBytes = store.disk.freeBytes() - store.disk.minFreeBytes / 2;

    int deliveries = handleAll(queue);
    store.disk.otherBytes = 0;
    deliveries += handleAll(queue);

    assertThat(deliveries).isEqualTo(2);
  }

  @Test
  void aMessageThatWasRefusedDoesNotComeWithTheRecordOfAFailedWrite() {
    DurableQueue<byte[]> queue =
        queue(new QueueOptions().setWriteThrough(true).setReadAheadBytes(0));
    append(queue, 1, Durability.PROCESS);
    append(queue, 2, Durability.NONE);
    failAWriteThatReachesTheDisk();
    store.pass(100);

    store.open();

    DurableQueue<byte[]> found = queue(new QueueOptions());
    store.pass(1);
    assertThat(outcomes).contains(Reason.STORE_FAILED);
    assertThat(found.poll()).as("its count is written first").isNull();
    store.pass(1);
    assertThat(found.poll().message()).hasSize(2);
    assertThat(found.poll()).isNull();
  }

  @Test
  void aRefusedMessageDoesNotComeWithTheRecordOfAFailedWriteWhileTheConsumerHasItsNeighbour() {
    DurableQueue<byte[]> queue = queue(new QueueOptions());
    append(queue, 1, Durability.PROCESS);
    append(queue, 2, Durability.NONE);
    failAWriteThatReachesTheDisk();
    assertThat(outcomes).contains(Reason.STORE_FAILED);
    assertThat(queue.poll().message()).hasSize(2);
    store.pass(100);

    onlyOneIsLeftByAKill();
  }

  @Test
  void aPurgeDeletesFromTheRecordOfAFailedWriteWhatTheConsumerHadNotReached() {
    DurableQueue<byte[]> queue = queueAfterAFailedWrite();
    queue.poll();

    purgeThenKill(queue);
  }

  @Test
  void aPurgeDeletesFromTheRecordOfAFailedWriteWhatWaitsForItsNextAttempt() {
    DurableQueue<byte[]> queue = queueAfterAFailedWrite();
    queue.poll();
    queue.fail(queue.poll(), "failed");

    purgeThenKill(queue);
  }

  @Test
  void aDeletedMessageDoesNotComeWithTheRecordOfAFailedWrite() {
    DurableQueue<byte[]> queue = queueAfterAFailedWrite();
    Delivery<byte[]> first = queue.poll();

    store.awaitMs = 200;
    Deletion deletion = queue.waitingMessages().delete(first.sequence() + 1);
    store.awaitMs = 0;

    assertThat(deletion).isEqualTo(Deletion.DELETED);
    onlyOneIsLeftByAKill();
  }

  @Test
  void aDeadLetterWhoseWriteIsInDoubtIsNotRequeuedBesideItself() {
    DurableQueue<byte[]> queue = queue(new QueueOptions());
    append(queue, 1, Durability.PROCESS);
    store.pass(1);
    store.failing = true;
    store.writesWhatFails = true;
    queue.reject(queue.poll(), "poison");
    store.pass(1);
    store.failing = false;
    store.disk.otherBytes = store.disk.freeBytes() - store.disk.minFreeBytes / 5;
    store.pass(1000);

    store.awaitMs = 1;
    assertThat(queue.deadLetters().list(0, 10)).isEmpty();
    long requeued = queue.deadLetters().requeueAll();
    store.disk.otherBytes = 0;
    store.awaitMs = 0;
    store.pass(1000);
    store.awaitMs = 1;
    int dead = queue.deadLetters().list(0, 10).size();

    assertThat(requeued + dead).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5})
  void aMessageThatAConsumerTakesWhileItIsDeletedComesAgainAfterAKill(int uses) {
    DurableQueue<byte[]> queue = queueOnDisk();
    List<Delivery<byte[]>> taken = new ArrayList<>();
    store.awaitMs = 1;
    AtomicInteger usesBefore = new AtomicInteger(uses);
    store.meanwhile =
        () -> {
          if (usesBefore.getAndDecrement() == 0) {
            takeAll(queue, taken);
            store.reader().runDuty();
            takeAll(queue, taken);
          }
        };

    Deletion deletion = queue.waitingMessages().delete(2);
    store.meanwhile = () -> {};
    store.awaitMs = 0;

    assertThat(taken.stream().anyMatch(each -> each.sequence() == 2))
        .isEqualTo(deletion == Deletion.IN_DELIVERY);
    store.open();
    assertThat(queue(new QueueOptions()).stats().recovered())
        .isEqualTo(deletion == Deletion.IN_DELIVERY ? 3 : 2);
  }

  @Test
  void aMessageWhoseDeletionFailsIsDelivered() {
    DurableQueue<byte[]> queue = queueOnDisk();
    store.awaitMs = 1;
    store.failing = true;

    assertThatThrownBy(() -> queue.waitingMessages().delete(2))
        .isInstanceOf(RuntimeException.class);
    store.failing = false;
    store.awaitMs = 0;
    store.pass(200);
    List<Delivery<byte[]>> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      takeAll(queue, taken);
      store.pass(50);
    }

    assertThat(taken).hasSize(3);
    assertThat(queue.waiting()).isZero();
  }

  private void failAWriteThatReachesTheDisk() {
    store.failing = true;
    store.writesWhatFails = true;
    store.writer().runDuty();
    store.failing = false;
  }

  /** A queue with messages of sequence 1 and 2 in one packet, which is not in memory. */
  private DurableQueue<byte[]> queueOnDisk() {
    DurableQueue<byte[]> queue =
        queue(new QueueOptions().setReadAheadBytes(0).setWriteThrough(true));
    append(queue, 1000, Durability.PROCESS);
    store.pass(1);
    append(queue, 1, Durability.PROCESS);
    append(queue, 2, Durability.PROCESS);
    store.pass(1);
    return queue;
  }

  private static void takeAll(DurableQueue<byte[]> queue, List<Delivery<byte[]>> taken) {
    for (Delivery<byte[]> next = queue.poll(); next != null; next = queue.poll()) {
      taken.add(next);
    }
  }

  /** A queue with messages of 1 and 2 bytes in one packet, on disk although its write failed. */
  private DurableQueue<byte[]> queueAfterAFailedWrite() {
    DurableQueue<byte[]> queue =
        queue(new QueueOptions().setRetry(new RetryOptions().setBackoffMs(60_000)));
    append(queue, 1, Durability.NONE);
    append(queue, 2, Durability.NONE);
    failAWriteThatReachesTheDisk();
    return queue;
  }

  /** The message of 2 bytes is purged while the other one is in delivery. */
  private void purgeThenKill(DurableQueue<byte[]> queue) {
    CompletableFuture<Long> purge = queue.purge();
    store.pass(200);
    assertThat(purge).isCompletedWithValue(1L);
    onlyOneIsLeftByAKill();
  }

  private void onlyOneIsLeftByAKill() {
    store.open();
    assertThat(queue(new QueueOptions()).stats().recovered()).isEqualTo(1);
  }

  private DurableQueue<byte[]> queue(QueueOptions options) {
    DurableQueue<byte[]> queue = store.queue(options);
    store.pass(1);
    return queue;
  }

  private void append(DurableQueue<byte[]> queue, int bytes, Durability durability) {
    queue.append(new byte[bytes], MessageOptions.NONE, durability, this::completed);
  }

  private void completed(QueueException failure) {
    outcomes.add(failure == null ? null : failure.reason());
  }

  /** Lets some time pass, and acknowledges all that comes. */
  private int handleAll(DurableQueue<byte[]> queue) {
    int deliveries = 0;
    for (int i = 0; i < 30; i++) {
      store.pass(50);
      for (Delivery<byte[]> next = queue.poll(); next != null; next = queue.poll()) {
        deliveries++;
        queue.acknowledge(next);
      }
    }
    return deliveries;
  }
}
