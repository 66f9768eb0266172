package dev.weir.cluster.transport.hazelcast;

import java.util.HashMap;
import java.util.Map;

/**
 * Brings the frames of one session back into the order in which they were sent. Hazelcast runs
 * operations on several threads, so that frames overtake each other. Not thread-safe.
 */
final class ReorderBuffer {
  private final GapTimer gap;
  private final Map<Long, byte[]> early = new HashMap<>();
  private long nextSequence;

  /**
   * @param gap is told when a frame is missing
   */
  ReorderBuffer(GapTimer gap) {
    this.gap = gap;
  }

  /** Begins a session: the next frame has the sequence number 0. */
  void reset() {
    early.clear();
    nextSequence = 0;
    gap.close();
  }

  /** Sequence number of the frame that is due. */
  long nextSequence() {
    return nextSequence;
  }

  /**
   * Adds a frame. Returns it if it is due; otherwise keeps it for {@link #next} and returns null.
   */
  byte[] add(long sequence, byte[] frame) {
    if (sequence > nextSequence) {
      early.put(sequence, frame);
      gap.open();
      return null;
    }
    nextSequence++;
    return frame;
  }

  /** Removes the frame that is due from those kept; null if it has not been added yet. */
  byte[] next() {
    byte[] frame = early.remove(nextSequence);
    if (frame != null) {
      nextSequence++;
    } else if (early.isEmpty()) {
      gap.close();
    } else {
      gap.openNext();
    }
    return frame;
  }
}
