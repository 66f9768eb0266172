package dev.weir.gateway.limits;

import dev.weir.options.ByteBudget;
import dev.weir.options.ByteLease;

/**
 * The bytes of WebSocket messages that have come and are not complete: the codec holds a frame, and
 * Vert.x a message, until its last byte is there. While there is no room for more, the connection
 * is not read. On the event loop of the connection, where not said otherwise.
 */
final class SocketBytes {
  /** {@value} bytes are part of what each connection may cost. */
  private static final int FREE_BYTES = 4 << 10;

  private static final long NOT_STALLED = -1;
  private static final long NONE = -1;
  private static final int MASK_BYTES = 4;
  private static final int MAX_SHORT = 125;
  private static final int MAX_MIDDLE = 0xFFFF;

  private final ByteBudget budget;
  private final ByteLease lease;

  /** Of the frame that is not complete, its header included. */
  private long frameBytes;

  /** Of the complete frames of a message that is not complete. */
  private long messageBytes;

  /** Since when there is no room for more; read by any thread. */
  private volatile long stalledSinceMs = NOT_STALLED;

  /**
   * Since when a message that needs more bytes than are free has been incomplete; read by any
   * thread.
   */
  private volatile long incompleteSinceMs = NONE;

  SocketBytes(ByteBudget budget) {
    this.budget = budget;
    this.lease = ByteLease.exact(budget);
  }

  /** Bytes have come, and are held; false if nothing more is to be read. */
  boolean came(int bytes, long nowMs) {
    frameBytes += bytes;
    long all = frameBytes + messageBytes;
    if (all > FREE_BYTES && incompleteSinceMs == NONE) {
      incompleteSinceMs = nowMs;
    }
    if (all <= FREE_BYTES || lease.covers(all)) {
      return true;
    }
    lease.settle(all);
    stalledSinceMs = nowMs;
    return false;
  }

  /**
   * Whether the connections hold far more together than there is room for: each one has come with
   * some bytes before it could be stopped.
   */
  boolean isOverdrawn() {
    return !budget.hasRoom(-budget.limitBytes());
  }

  /** True while there is no room; any thread. */
  boolean isStalled() {
    return stalledSinceMs != NOT_STALLED;
  }

  /** True while there is a part of a large message; any thread. */
  boolean isIncomplete() {
    return incompleteSinceMs != NONE;
  }

  /**
   * Ends the wait for room if there is some.
   *
   * @param reads false while somebody here does not read on, so that the client cannot send on
   * @return true if there has been no room for longer than the timeout, or if the client takes
   *     longer for a large message
   */
  boolean isOverdue(boolean reads, long nowMs, long timeoutMs) {
    if (isStalled()) {
      if (!lease.covers(frameBytes + messageBytes + FREE_BYTES)) {
        return nowMs - stalledSinceMs > timeoutMs;
      }
      stalledSinceMs = NOT_STALLED;
    } else if (reads) {
      long sinceMs = incompleteSinceMs;
      return sinceMs != NONE && nowMs - sinceMs > timeoutMs;
    }
    if (incompleteSinceMs != NONE) {
      incompleteSinceMs = nowMs;
    }
    return false;
  }

  /**
   * A frame is complete.
   *
   * @param data false for a control frame
   * @param last true for the last frame of a message, which is delivered now
   * @return how long its message is by now
   */
  long frame(int payloadBytes, boolean data, boolean last) {
    frameBytes = Math.max(0, frameBytes - headerBytes(payloadBytes) - payloadBytes);
    long message = messageBytes;
    if (data) {
      message += payloadBytes;
      messageBytes = last ? 0 : message;
    }
    long all = frameBytes + messageBytes;
    if (data && last || all <= FREE_BYTES) {
      incompleteSinceMs = NONE;
    }
    lease.settle(all <= FREE_BYTES ? 0 : all);
    return message;
  }

  /** The connection is gone. */
  void release() {
    lease.settle(0);
  }

  /** RFC 6455, 5.2; a client has to mask its frames. */
  private static int headerBytes(int payloadBytes) {
    int length = payloadBytes <= MAX_SHORT ? 0 : payloadBytes <= MAX_MIDDLE ? 2 : 8;
    return 2 + length + MASK_BYTES;
  }
}
