package dev.weir.flow.pool;

/**
 * The decisions of a service: start a message, keep it in memory, spill it to disk, or refuse it.
 * Knows neither the bus nor threads nor files; its manager calls it from one thread.
 *
 * <p>A worker is a credit: {@code workers} messages may be in handling at once. Order is kept by
 * one rule: what arrives goes behind everything that waits, and memory is emptied before disk.
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
    /** The disk tier, if it has one ready: then call {@link #startedFromDisk()}. */
    DISK,
    /** Nothing is to be started now. */
    NONE
  }

  private final int memoryMessageLimit;
  private final long memoryByteLimit;
  private final boolean diskTier;
  private int workers;
  private int busy;
  private int memoryMessages;
  private long memoryBytes;
  private boolean paused;
  private boolean closing;

  public Pool(int workers, int memoryMessageLimit, long memoryByteLimit, boolean diskTier) {
    this.workers = workers;
    this.memoryMessageLimit = memoryMessageLimit;
    this.memoryByteLimit = memoryByteLimit;
    this.diskTier = diskTier;
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
      busy++;
      return Arrival.RUN;
    }
    if (diskWaiting == 0) {
      if (memoryMessages < memoryMessageLimit && memoryBytes + bytes <= memoryByteLimit) {
        memoryMessages++;
        memoryBytes += bytes;
        return Arrival.KEEP;
      }
    }
    return diskTier ? Arrival.SPILL : Arrival.FULL;
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
      busy++;
      memoryMessages--;
      memoryBytes -= memoryHeadBytes;
      return Next.MEMORY;
    }
    return diskWaiting > 0 ? Next.DISK : Next.NONE;
  }

  public void startedFromDisk() {
    requireState(hasWorker() && memoryMessages == 0, "no worker for a message from disk");
    busy++;
  }

  public void finished() {
    requireState(busy > 0, "no worker is busy");
    busy--;
  }

  /** Takes the oldest message of the memory tier out without starting it. */
  public void dropped(long bytes) {
    requireState(memoryMessages > 0, "the memory tier is empty");
    memoryMessages--;
    memoryBytes -= bytes;
  }

  private boolean hasWorker() {
    return !paused && busy < workers;
  }

  public void setWorkers(int workers) {
    this.workers = workers;
  }

  public void pause() {
    paused = true;
  }

  public void resume() {
    paused = false;
  }

  /** From now on nothing is accepted; what waits may still be started. */
  public void close() {
    closing = true;
  }

  /** Nothing is in handling and nothing waits. */
  public boolean idle(long diskWaiting) {
    return busy == 0 && memoryMessages == 0 && diskWaiting == 0;
  }

  /** Nothing can change any more without a {@link #resume()}: only waiting messages are left. */
  public boolean stuck() {
    return paused && busy == 0;
  }

  public int workers() {
    return workers;
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

  boolean closing() {
    return closing;
  }

  private static void requireState(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException(what);
    }
  }
}
