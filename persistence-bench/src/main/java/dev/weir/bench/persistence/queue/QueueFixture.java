package dev.weir.bench.persistence.queue;

import dev.weir.bench.verify.MessageCheck;
import dev.weir.bench.verify.Payload;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStats;
import dev.weir.queue.QueueStore;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A queue under test, alone in its store, with a check of the messages that are taken: each once,
 * in order, intact. One thread appends, one takes.
 */
final class QueueFixture implements AutoCloseable {
  /** Size of each message, unless another is asked for. */
  static final int BYTES = 256;

  /** Appends that wait for their completion at most, unless another number is asked for. */
  static final int WINDOW = 10_000;

  private static final int MAX_BLOCKED = 10_000_000;
  private static final String NAME = "bench";
  static final long SEED = 17;
  private static final long STANDSTILL_NS = Duration.ofSeconds(30).toNanos();
  private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Payload payload;
  private final int window;
  private final MessageCheck check;
  private final QueueStore store;
  private final DurableQueue<byte[]> queue;
  private final AppendCompletions completions = new AppendCompletions();
  private volatile Thread taker;
  private long nextNumber;

  /**
   * Opens the queue for messages of {@value #BYTES} bytes.
   *
   * @param messages how many may go through it in all, from number 0 on
   */
  QueueFixture(QueueStoreOptions storeOptions, QueueOptions options, long messages) {
    this(storeOptions, options, messages, new Payload(SEED, BYTES), WINDOW);
  }

  private QueueFixture(
      QueueStoreOptions storeOptions,
      QueueOptions options,
      long messages,
      Payload payload,
      int window) {
    this.payload = payload;
    this.window = window;
    this.check = new MessageCheck(payload, SequenceCheck.ordered(messages));
    this.store = QueueStore.open(storeOptions);
    boolean opened = false;
    try {
      this.queue = store.queue(NAME, Serde.BYTES, options, (lost, cause) -> {});
      opened = true;
    } finally {
      if (!opened) {
        store.close();
      }
    }
    queue.onReadable(() -> LockSupport.unpark(taker));
  }

  /**
   * A queue with ordinary options, except that all messages come from the files, however few wait.
   */
  static QueueFixture open(Path directory, long messages) {
    return open(directory, messages, new Payload(SEED, BYTES), WINDOW);
  }

  /** The same with other messages, and another number of appends that wait at most. */
  static QueueFixture open(Path directory, long messages, Payload payload, int window) {
    return new QueueFixture(
        new QueueStoreOptions(directory),
        patient().setWriteThrough(true),
        messages,
        payload,
        window);
  }

  /** Options of a queue that delays appends where it would otherwise refuse them. */
  static QueueOptions patient() {
    return new QueueOptions().setPolicy(OverflowPolicy.BLOCK).setMaxBlocked(MAX_BLOCKED);
  }

  AppendCompletions completions() {
    return completions;
  }

  long waiting() {
    return queue.waiting();
  }

  /** Messages appended so far. */
  long appended() {
    return nextNumber;
  }

  /** Appends the next message. */
  void append(Durability durability, long startNs) {
    queue.append(payload.create(nextNumber++), durability, completions.begin(startNs));
  }

  /**
   * Appends as fast as the window allows and waits until all are complete.
   *
   * @return the time it took
   */
  long append(long count, Durability durability) {
    long startNs = System.nanoTime();
    for (long i = 0; i < count && completions.awaitWindow(window); i++) {
      append(durability, 0);
    }
    completions.awaitAll();
    return System.nanoTime() - startNs;
  }

  /**
   * Takes, checks and acknowledges so many messages.
   *
   * @return the time it took
   */
  long drain(long count) {
    long startNs = System.nanoTime();
    for (long i = 0; i < count && take(); i++) {
      // take does it
    }
    return System.nanoTime() - startNs;
  }

  /** Takes one message and waits for it; false if none comes for a while. */
  boolean take() {
    Delivery<byte[]> delivery = queue.poll();
    if (delivery == null) {
      delivery = awaitDelivery();
    }
    if (delivery == null) {
      return false;
    }
    check.accept(delivery.message());
    queue.acknowledge(delivery);
    return true;
  }

  private Delivery<byte[]> awaitDelivery() {
    taker = Thread.currentThread();
    long endNs = System.nanoTime() + STANDSTILL_NS;
    Delivery<byte[]> delivery = queue.poll();
    while (delivery == null && endNs - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, WAIT_NS);
      delivery = queue.poll();
    }
    return delivery;
  }

  /** Of what is in the queue, as its budget counts it; any thread. */
  long bytes() {
    return queue.stats().bytes();
  }

  /** The verdict when all messages that were appended have been taken. */
  Verdict verdict() {
    return verdict(nextNumber);
  }

  /** The verdict when so many messages, of an earlier process too, have been taken. */
  Verdict verdict(long messages) {
    QueueStats stats = queue.stats();
    return check
        .verdict(messages)
        .unless(stats.waiting() == 0, "still waiting " + stats.waiting())
        .unless(stats.lost() == 0, "lost by the queue " + stats.lost())
        .unless(stats.corruptPackets() == 0, "corrupt packets " + stats.corruptPackets())
        .and(completions.verdict());
  }

  @Override
  public void close() {
    store.close();
  }
}
