package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The snapshots that a log keeps, oldest first: the last two, and the one at which its batches
 * start. So wherever the log is truncated, the state can be rebuilt from one of them. Immutable.
 *
 * @param all the snapshots
 * @param end returns the end of the log at which a snapshot was taken
 * @param start position where the batches start
 */
record SnapshotList<S>(List<S> all, Function<S, LogEnd> end, long start) {
  private static final int LAST = 2;

  /** The empty list of a log that starts at a position. */
  static <S> SnapshotList<S> empty(Function<S, LogEnd> end, long start) {
    return new SnapshotList<>(List.of(), end, start);
  }

  /** The last snapshot, or null. */
  S last() {
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  LogEnd lastEnd() {
    return all.isEmpty() ? LogEnd.EMPTY : end.apply(last());
  }

  /** Whether every state can be rebuilt: there is a snapshot at the start, or the start is 0. */
  boolean isWhole() {
    return start == 0 || all.stream().anyMatch(one -> position(one) == start);
  }

  SnapshotList<S> with(S added) {
    List<S> longer = new ArrayList<>(all);
    longer.add(added);
    return new SnapshotList<>(longer, end, start).kept();
  }

  /** The list without the snapshots after a position. */
  SnapshotList<S> cut(long position) {
    return new SnapshotList<>(
        all.stream().filter(one -> position(one) <= position).toList(), end, start);
  }

  /** The list that starts at the latest snapshot at or before a position. */
  SnapshotList<S> trim(long position) {
    long latest =
        all.stream().mapToLong(this::position).filter(one -> one <= position).max().orElse(start);
    return new SnapshotList<>(all, end, Math.max(start, latest)).kept();
  }

  private SnapshotList<S> kept() {
    List<S> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isLast = i >= all.size() - LAST;
      boolean isStart = position(all.get(i)) == start && start > 0;
      boolean isRepeated = i + 1 < all.size() && position(all.get(i + 1)) == start;
      if (position(all.get(i)) >= start && (isLast || isStart && !isRepeated)) {
        kept.add(all.get(i));
      }
    }
    return new SnapshotList<>(List.copyOf(kept), end, start);
  }

  private long position(S snapshot) {
    return end.apply(snapshot).position();
  }
}
