package dev.weir.cluster.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.Gate;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.OfferResult;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.cluster.QuietLog;
import dev.weir.cluster.SumProcessor;
import dev.weir.cluster.ThreadOptions;
import dev.weir.cluster.Threads;
import dev.weir.cluster.Waiting;
import dev.weir.cluster.replica.GroupReplica;
import dev.weir.cluster.replica.ReplyOutlet;
import dev.weir.cluster.state.EventSourcing;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.Sessions;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.NoTransport;
import dev.weir.testing.Await;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A group alone whose log is as fast as the test wants. */
class PersisterTest {
  private static final int MAX_BATCHES = 3;

  private final List<Long> replies = new CopyOnWriteArrayList<>();
  private final Semaphore flushes = new Semaphore(0);
  private final AtomicInteger flushed = new AtomicInteger();
  private final ByteBuffer body = ByteBuffer.allocate(1 << 10);
  private volatile boolean fails;
  private ProcessorGroup group;

  @AfterEach
  void close() {
    flushes.release(1 << 20);
    if (group != null) {
      group.close();
    }
    Await.until(() -> "threads end: " + Threads.alive(), () -> Threads.alive().isEmpty());
  }

  private void flush() {
    flushes.acquireUninterruptibly();
    flushed.incrementAndGet();
    if (fails) {
      throw new LogException("the disk is full", null);
    }
  }

  private void start(Waiting waiting) {
    start(waiting, AckLevel.PERSISTED);
  }

  private void start(Waiting waiting, AckLevel level) {
    QuietLog.set();
    GroupOptions options =
        new GroupOptions()
            .setMembers(List.of("a"))
            .setWaiting(waiting)
            .setAckLevel(level)
            .setMaxBatches(MAX_BATCHES)
            .setBatchBytes(4 << 10)
            .setThreads(new ThreadOptions().setPersister(Waiting.BLOCK));
    GroupThreads threads = new GroupThreads(options, duty -> {});
    TransactionLog slow = Gate.before(new MemoryTransactionLog(), Set.of("force"), this::flush);
    Persister log = new Persister(slow, options, threads);
    Sessions sessions = new Sessions(options.getReplyWindow(), 1 << 10, 1, 600_000);
    History history =
        new History(
            options, log, sessions, new EventSourcing(new SumProcessor(), sessions, 1 << 10));
    ReplyOutlet outlet =
        ReplyOutlet.to((client, sequence, buffer, offset, length) -> replies.add(sequence));
    NoTransport transport = new NoTransport();
    GroupReplica replica =
        new GroupReplica(options, 0, history, outlet, (message, cause) -> {}, transport);
    threads.connect(replica);
    group = new ProcessorGroup(options, replica, transport, log, outlet, null, threads);
    group.start();
    Await.until("the group accepts", () -> group.stats().accepting());
  }

  private OfferResult offer(long sequence) {
    return group.offer(1, sequence, body.putLong(0, sequence), 0, body.capacity());
  }

  /** Offers messages until one is not taken; returns how many were. */
  private long fill() {
    long taken = 0;
    while (offer(taken + 1) == OfferResult.ACCEPTED) {
      taken++;
    }
    return taken;
  }

  @Test
  void noReplyIsGivenBeforeTheLogIsWritten() {
    start(Waiting.BLOCK);
    offer(1);
    group.flush();
    Await.until("the first is being written", flushes::hasQueuedThreads);
    offer(2);
    group.flush();
    assertThat(replies).isEmpty();
    assertThat(group.stats().logEnd()).isEqualTo(2);
    flushes.release(1);
    Await.until("the first reply comes", () -> replies.equals(List.of(1L)));
    flushes.release(1);
    Await.until("the second reply comes", () -> replies.equals(List.of(1L, 2L)));
  }

  @Test
  void aReplyDoesNotWaitForTheLogWhereMemoryIsEnough() {
    start(Waiting.BLOCK, AckLevel.RECEIVED);
    offer(1);
    group.flush();
    assertThat(replies).containsExactly(1L);
    assertThat(flushed.get()).isZero();
  }

  @Test
  void aSlowLogHoldsUpTheSendersAndNothingIsLost() {
    start(Waiting.BLOCK);
    long taken = fill();
    assertThat(offer(taken + 1)).isEqualTo(OfferResult.BUSY);
    assertThat(taken).isBetween((long) MAX_BATCHES, (MAX_BATCHES + 1) * 4L);
    assertThat(replies).isEmpty();
    flushes.release(1 << 20);
    group.flush();
    Await.until("all replies come: " + replies, () -> replies.size() == taken);
    assertThat(replies).isEqualTo(LongStream.rangeClosed(1, taken).boxed().toList());
  }

  @Test
  void batchesThatWaitAreFlushedTogether() {
    start(Waiting.SPIN);
    long taken = fill();
    flushes.release(1 << 20);
    Await.until("all replies come: " + replies, () -> replies.size() == taken);
    assertThat(flushed.get()).isLessThanOrEqualTo(MAX_BATCHES);
  }

  @Test
  void aLogThatCannotBeWrittenEndsTheReplica() {
    fails = true;
    start(Waiting.BLOCK);
    offer(1);
    group.flush();
    flushes.release(1 << 20);
    Await.until(
        () -> "the replica has failed: " + group.stats(),
        () -> group.stats().reason().startsWith("has failed"));
    assertThat(group.stats().reason()).contains("the disk is full");
    assertThat(offer(2)).isEqualTo(OfferResult.NOT_PRIMARY);
    assertThat(replies).isEmpty();
  }
}
