package dev.weir.cluster.replica;

import java.util.Arrays;

/** How far each member holds the history of this primary. Positions only grow within an epoch. */
final class MatchIndex {
  private static final long NOTHING_SAID = -1;

  private final long[] held;
  private final int self;

  MatchIndex(int members, int self) {
    this.held = new long[members];
    this.self = self;
  }

  /** A new epoch: nothing is known of the others. */
  void begin(long own) {
    Arrays.fill(held, NOTHING_SAID);
    held[self] = own;
  }

  /** A member that is gone holds what it holds when it is back and has said so. */
  void forget(int member) {
    held[member] = NOTHING_SAID;
  }

  void advance(int member, long position) {
    held[member] = Math.max(held[member], position);
  }

  boolean hasSaid(int member) {
    return held[member] != NOTHING_SAID;
  }

  long of(int member) {
    return held[member];
  }

  /** What all members of a set hold. */
  long committedBy(int members) {
    long least = Long.MAX_VALUE;
    for (int member = 0; member < held.length; member++) {
      if ((members & 1 << member) != 0) {
        least = Math.min(least, held[member]);
      }
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }
}
