package dev.weir.cluster.replica;

import java.util.Arrays;

/**
 * The match index of each member: the position up to which its log equals this primary's log. A
 * match index only grows within an epoch.
 */
final class MatchIndex {
  private static final long UNKNOWN = -1;

  private final long[] positions;
  private final int self;

  MatchIndex(int members, int self) {
    this.positions = new long[members];
    this.self = self;
  }

  /** Starts a new epoch: the match indexes of the other members are unknown. */
  void begin(long own) {
    Arrays.fill(positions, UNKNOWN);
    positions[self] = own;
  }

  /** Makes the match index of a member unknown until it acknowledges again. */
  void forget(int member) {
    positions[member] = UNKNOWN;
  }

  void advance(int member, long position) {
    positions[member] = Math.max(positions[member], position);
  }

  boolean isKnown(int member) {
    return positions[member] != UNKNOWN;
  }

  long of(int member) {
    return positions[member];
  }

  /** The lowest match index of a set of members: what is before it is committed. */
  long committedBy(int members) {
    long least = Long.MAX_VALUE;
    for (int member = 0; member < positions.length; member++) {
      if ((members & 1 << member) != 0) {
        least = Math.min(least, positions[member]);
      }
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }
}
