package dev.weir.cluster.replica;

import dev.weir.cluster.State;
import java.util.ArrayDeque;

/**
 * Reads of the primary's state that wait until what they saw is committed, in the order of
 * positions. Under the group's lock.
 */
final class PendingReads {
  private record Read(long position, State.Reader reader) {}

  private final ArrayDeque<Read> reads = new ArrayDeque<>();

  /**
   * @param position behind the last message that the reader saw
   */
  void add(long position, State.Reader reader) {
    reads.add(new Read(position, reader));
  }

  /** Confirms the reads that saw nothing behind a position. */
  void confirm(long committed) {
    while (!reads.isEmpty() && reads.peek().position() <= committed) {
      reads.remove().reader().onConfirmed();
    }
  }

  /** Ends all: the role is lost. */
  void lose() {
    while (!reads.isEmpty()) {
      reads.remove().reader().onLost();
    }
  }
}
