package dev.weir.cluster.transport;

import dev.weir.cluster.GroupOptions;
import java.nio.ByteBuffer;

/**
 * Sizes a transport is built for, the same on all members of a group.
 *
 * @param maxFrameBytes in one frame
 * @param queueBytes of frames to one member that may wait to be sent
 */
public record FrameLimits(int maxFrameBytes, int queueBytes) {
  private static final int HEADERS_BYTES = 4 << 10;
  private static final int ENTRY = 5;
  private static final long MAX_QUEUE_BYTES = 256L << 20;

  /**
   * For twice the batches that may be unacknowledged; a batch may exceed its size by a message, and
   * by what that changes.
   */
  public static FrameLimits of(GroupOptions options) {
    int frame = options.getBatchBytes() + ENTRY * options.getMaxMessageBytes() + HEADERS_BYTES;
    long queue = Math.min(MAX_QUEUE_BYTES, 2L * options.getMaxBatches() * options.getBatchBytes());
    return new FrameLimits(frame, (int) Math.max(queue, 2L * frame));
  }

  /**
   * Refuses a frame that is too large.
   *
   * @throws IllegalArgumentException saying how large it may be
   */
  public void check(ByteBuffer frame) {
    if (frame.remaining() > maxFrameBytes) {
      throw new IllegalArgumentException(
          "a frame has " + frame.remaining() + " bytes, allowed is 0 to " + maxFrameBytes);
    }
  }
}
