package dev.weir.options;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes that several holders may hold together, such as the buffers of all queues of a node. A
 * holder takes bytes before it holds them and gives the same number back afterwards. Any thread.
 */
public final class ByteBudget {
  /** Null for a budget that is no part of another. */
  private final ByteBudget whole;

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /**
   * @param limitBytes 0 or more
   */
  public ByteBudget(long limitBytes) {
    this(null, limitBytes);
  }

  private ByteBudget(ByteBudget whole, long limitBytes) {
    this.whole = whole;
    this.limitBytes = Checks.range("limitBytes", limitBytes, 0, Long.MAX_VALUE);
  }

  /** A part of this budget with a limit of its own; what the part takes, this budget gives. */
  public ByteBudget part(long limitBytes) {
    return new ByteBudget(this, Math.min(limitBytes, this.limitBytes));
  }

  /** Takes bytes; false, and nothing is taken, if the limit would be exceeded. */
  public boolean tryTake(long bytes) {
    if (usedBytes.addAndGet(bytes) > limitBytes || whole != null && !whole.tryTake(bytes)) {
      usedBytes.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  /** Takes bytes that are held already, over the limit if need be: nothing else fits then. */
  public void take(long bytes) {
    usedBytes.addAndGet(bytes);
    if (whole != null) {
      whole.take(bytes);
    }
  }

  /** Gives bytes back that were taken. */
  public void give(long bytes) {
    usedBytes.addAndGet(-bytes);
    if (whole != null) {
      whole.give(bytes);
    }
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** What is taken now. */
  public long usedBytes() {
    return usedBytes.get();
  }
}
