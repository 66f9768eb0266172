package dev.weir.flow.pool;

import dev.weir.flow.ServiceOptions;
import dev.weir.options.ByteLease;
import dev.weir.options.HeapBudget;
import dev.weir.options.HeapBudget.Share;

/**
 * The decisions of a service: start a message, keep it in memory, spill it to disk, or refuse it.
 * Knows neither the bus nor threads nor files; its manager calls it from one thread.
 *
 * <p>A worker is a credit: {@code workers} messages may be in handling at once. Order is kept by
 * one rule: what arrives goes behind everything that waits, and memory is emptied before disk.
 *
 * <p>The bytes of the memory tier, and those of messages from disk in handling, are taken from
 * budgets of the node. One message from disk is always started, so that the disk tier moves on.
 */
public final class Pool {

  /** What to do with a message that has arrived. */
  public enum Arrival {
    /** Start it; a worker has been taken. */
    RUN,
    /** Put it at the end of the memory tier. */
    KEEP,
    /** Put it at the end of the disk tier. */
    SPILL,
    /** There is no room. */
    FULL,
    /** The service takes no more messages. */
    CLOSED
  }

  /** Where the next message to start comes from. */
  public enum Next {
    /** The head of the memory tier; a worker has been taken, the message is no longer counted. */
    MEMORY,
    /** The disk tier, if it has one ready: then call {@link #startedFromDisk}. */
    DISK,
    /** Nothing is to be started now. */
    NONE
  }

  private final int memoryMessageLimit;
  private final long memoryByteLimit;
  private final boolean diskTier;
  private final ByteLease memoryLease;
  private final ByteLease handlingLease;
  private int workers;

  /** Of all priorities of the service; null if it has one. */
  private SharedWorkers shared;

  /** What the handler says that it can take. */
  private int credits = Integer.MAX_VALUE;

  private int busy;
  private int memoryMessages;
  private long memoryBytes;

  /** Size of the messages from disk that are in handling. */
  private long handlingBytes;

  /** Size of the message that came from disk last: a guess of the next one's. */
  private long lastDiskBytes;

  private boolean paused;
  private boolean closing;
  private boolean released;

  /**
   * @param memoryLease for the bytes of the memory tier
   * @param handlingLease for the bytes of messages from disk in handling
   */
  Pool(
      int workers,
      int memoryMessageLimit,
      long memoryByteLimit,
      boolean diskTier,
      ByteLease memoryLease,
      ByteLease handlingLease) {
    this.workers = workers;
    this.memoryMessageLimit = memoryMessageLimit;
    this.memoryByteLimit = memoryByteLimit;
    this.diskTier = diskTier;
    this.memoryLease = memoryLease;
    this.handlingLease = handlingLease;
  }

  /** A pool by the options of its service that draws on the budgets of a node. */
  public static Pool of(ServiceOptions options, boolean diskTier, HeapBudget heap) {
    return new Pool(
        options.getWorkers(),
        options.getMemoryMessages(),
        Math.min(options.getMemoryBytes(), heap.share(Share.MEMORY_TIERS).limitBytes()),
        diskTier,
        new ByteLease(heap.share(Share.MEMORY_TIERS)),
        new ByteLease(heap.share(Share.HANDLING)));
  }

  /** Has it handle no more messages, together with others, than these workers. */
  public void share(SharedWorkers workersOfAll) {
    shared = workersOfAll;
  }

  /**
   * Decides about a new message.
   *
   * @param bytes its size
   * @param diskWaiting messages that wait on disk
   */
  public Arrival arrive(long bytes, long diskWaiting) {
    if (closing) {
      return Arrival.CLOSED;
    }
    if (runsOnArrival(diskWaiting)) {
      takeWorker();
      return Arrival.RUN;
    }
    if (diskWaiting == 0 && fits(bytes)) {
      memoryMessages++;
      memoryBytes += bytes;
      return Arrival.KEEP;
    }
    return diskTier ? Arrival.SPILL : Arrival.FULL;
  }

  /** What the memory tier can hold, if the node's other services hold nothing. */
  public long memoryByteLimit() {
    return memoryByteLimit;
  }

  /** Whether an empty memory tier would have room for a message of that size, beside the others. */
  public boolean mayFit(long bytes) {
    return memoryMessageLimit > 0 && bytes <= memoryByteLimit && memoryLease.mayCover(bytes);
  }

  /** Whether the memory tier has room for a message of that size. */
  public boolean fits(long bytes) {
    return memoryMessages < memoryMessageLimit
        && memoryBytes + bytes <= memoryByteLimit
        && memoryLease.covers(memoryBytes + bytes);
  }

  /** Whether a new message would start at once; its size does not matter then. */
  public boolean runsOnArrival(long diskWaiting) {
    return diskWaiting == 0 && memoryMessages == 0 && hasWorker() && !closing;
  }

  /**
   * Decides what to start.
   *
   * @param memoryHeadBytes size of the first message of the memory tier, if there is one
   * @param diskWaiting messages that wait on disk
   */
  public Next next(long memoryHeadBytes, long diskWaiting) {
    if (!hasWorker()) {
      return Next.NONE;
    }
    if (memoryMessages > 0) {
      takeWorker();
      leaveMemory(memoryHeadBytes);
      return Next.MEMORY;
    }
    return diskWaiting > 0 && mayHandleFromDisk() ? Next.DISK : Next.NONE;
  }

  private boolean mayHandleFromDisk() {
    return handlingBytes == 0 || handlingLease.covers(handlingBytes + lastDiskBytes);
  }

  /** A message of that size has come from disk and starts. */
  public void startedFromDisk(long bytes) {
    requireState(hasWorker() && memoryMessages == 0, "no worker for a message from disk");
    takeWorker();
    lastDiskBytes = bytes;
    handlingBytes += bytes;
    handlingLease.settle(handlingBytes);
  }

  /**
   * A message was handled.
   *
   * @param diskBytes its size as {@link #startedFromDisk} got it; 0 for one that was never on disk
   */
  public void finished(long diskBytes) {
    requireState(busy > 0, "no worker is busy");
    busy--;
    if (shared != null) {
      shared.giveBack();
    }
    if (diskBytes > 0 && !released) {
      handlingBytes -= diskBytes;
      handlingLease.settle(handlingBytes);
    }
  }

  /** Takes the oldest message of the memory tier out without starting it. */
  public void dropped(long bytes) {
    requireState(memoryMessages > 0, "the memory tier is empty");
    leaveMemory(bytes);
  }

  private void leaveMemory(long bytes) {
    memoryMessages--;
    memoryBytes -= bytes;
    memoryLease.settle(memoryBytes);
  }

  private boolean hasWorker() {
    return !paused && busy < workers() && (shared == null || shared.isFree());
  }

  private void takeWorker() {
    busy++;
    if (shared != null) {
      shared.take();
    }
  }

  public void setWorkers(int workers) {
    this.workers = workers;
    if (shared != null) {
      shared.resize(workers);
    }
  }

  /** Of a handler that can take a number of messages at a time only, which changes; 0 or more. */
  public void setCredits(int credits) {
    this.credits = credits;
  }

  public void pause() {
    paused = true;
  }

  public void resume() {
    paused = released;
  }

  /** From now on nothing is accepted; what waits may still be started. */
  public void close() {
    closing = true;
  }

  /** Gives the bytes back of messages that are still in handling, of which nobody hears again. */
  public void release() {
    released = true;
    handlingLease.settle(0);
  }

  /** Nothing is in handling and nothing waits. */
  public boolean idle(long diskWaiting) {
    return busy == 0 && memoryMessages == 0 && diskWaiting == 0;
  }

  /**
   * Nothing can change any more without a {@link #resume()} or new credits: only waiting messages
   * are left.
   */
  public boolean stuck() {
    return (paused || credits == 0) && busy == 0;
  }

  /** How many messages may be in handling at once. */
  public int workers() {
    return Math.min(workers, credits);
  }

  public int busy() {
    return busy;
  }

  public int memoryMessages() {
    return memoryMessages;
  }

  public long memoryBytes() {
    return memoryBytes;
  }

  public boolean paused() {
    return paused;
  }

  private static void requireState(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }
}
