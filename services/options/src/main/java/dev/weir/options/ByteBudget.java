package dev.weir.options;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Bytes that several holders may hold together, such as the buffers of all queues of a node. A
 * holder takes bytes before it holds them and gives the same number back afterwards. Any thread.
 */
public final class ByteBudget {
  /** Null for a budget that is no part of another. */
  private final ByteBudget whole;

  private final long limitBytes;
  private final AtomicLong usedBytes = new AtomicLong();

  /** Counts what was asked for in vain. */
  private final LongAdder refusals = new LongAdder();

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
      refusals.increment();
      return false;
    }
    return true;
  }

  /** Whether {@link #tryTake} would take as many now; nothing is taken. */
  public boolean hasRoom(long bytes) {
    return usedBytes.get() + bytes <= limitBytes && (whole == null || whole.hasRoom(bytes));
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

  /** How often {@link #tryTake} was refused here or by the budget that this one is a part of. */
  public long refusals() {
    return refusals.sum();
  }

  /** What is taken now. */
  public long usedBytes() {
    return usedBytes.get();
  }
}
