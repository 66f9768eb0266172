package dev.weir.gateway.limits;

import dev.weir.options.ByteBudget;
import dev.weir.options.ByteLease;
import java.util.ArrayDeque;

/**
 * What the heads of the requests on one connection take of the heap. A header of five bytes becomes
 * some objects, so that the limit of a head in bytes does not bound this. Small heads are part of
 * what each connection may cost; larger ones draw on a budget. On the event loop of the connection.
 */
public final class HeadBytes {
  /** {@value} bytes are part of what each connection may cost. */
  private static final int FREE_BYTES = 4 << 10;

  /** The objects of one header, without its text. */
  private static final int HEADER_BYTES = 160;

  private final ByteLease lease;

  /** Of the requests that have no answer, the oldest first; 0 for a small head. */
  private final ArrayDeque<Long> waiting = new ArrayDeque<>(2);

  /** Of all requests that have no answer. */
  private long waitingBytes;

  /** Of the head that is not complete. */
  private long bytes;

  public HeadBytes(ByteBudget budget) {
    this.lease = ByteLease.exact(budget);
  }

  /** The heap that headers take. */
  static long of(long textBytes, int headers) {
    return textBytes + (long) headers * HEADER_BYTES;
  }

  /** Whether a head is large enough to be counted. */
  static boolean isCounted(long bytes) {
    return bytes > FREE_BYTES;
  }

  /**
   * The current head has so many by now.
   *
   * @return false if there is no room for them
   */
  public boolean hasRoom(long textBytes, int headers) {
    bytes = of(textBytes, headers);
    return !isCounted(bytes) || lease.covers(waitingBytes + bytes);
  }

  /** The current head is complete; {@link #answered} follows if it is a request's. */
  public void complete() {
    long counted = isCounted(bytes) ? bytes : 0;
    waiting.add(counted);
    waitingBytes += counted;
    bytes = 0;
  }

  /** The oldest request has its answer. */
  public void answered() {
    Long oldest = waiting.poll();
    if (oldest != null && oldest > 0) {
      waitingBytes -= oldest;
      lease.settle(waitingBytes + (isCounted(bytes) ? bytes : 0));
    }
  }

  /** The connection is gone. */
  public void release() {
    lease.settle(0);
  }
}
