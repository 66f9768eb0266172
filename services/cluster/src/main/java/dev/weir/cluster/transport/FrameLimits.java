package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import java.nio.ByteBuffer;

/**
 * The sizes for which a transport allocates its buffers, the same on all members of a group.
 *
 * @param maxFrameBytes bytes of the largest frame
 * @param queueBytes bytes of frames to one member that may wait to be sent
 */
public record FrameLimits(int maxFrameBytes, int queueBytes) {
  private static final int HEADERS_BYTES = 4 << 10;
  private static final int ENTRY = 5;
  private static final long MAX_QUEUE_BYTES = 256L << 20;

  /**
   * Limits that have room for twice the batches that may be unacknowledged. A batch may exceed its
   * size by one message and the state which that message changes.
   */
  public static FrameLimits of(GroupOptions options) {
    int frame = options.getBatchBytes() + ENTRY * options.getMaxMessageBytes() + HEADERS_BYTES;
    long queue = Math.min(MAX_QUEUE_BYTES, 2L * options.getMaxBatches() * options.getBatchBytes());
    return new FrameLimits(frame, (int) Math.max(queue, 2L * frame));
  }

  /**
   * Checks the size of a frame.
   *
   * @throws IllegalArgumentException if the frame is too large; the message has the limit
   */
  public void check(ByteBuffer frame) {
    if (frame.remaining() > maxFrameBytes) {
      throw new IllegalArgumentException(
          "a frame has " + frame.remaining() + " bytes, allowed is 0 to " + maxFrameBytes);
    }
  }
}
