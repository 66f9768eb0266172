package dev.weir.cluster.log;

import dev.weir.cluster.protocol.LogEnd;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Which complete snapshots a log keeps, oldest first: the last two, and the one its batches start
 * from. So wherever the log is cut, there is one to rebuild the state from. Immutable.
 *
 * @param all the snapshots
 * @param end tells where one is from
 * @param start position where the batches start
 */
record SnapshotChain<S>(List<S> all, Function<S, LogEnd> end, long start) {
  private static final int LAST = 2;

  /** Of a log that starts at a position. */
  static <S> SnapshotChain<S> empty(Function<S, LogEnd> end, long start) {
    return new SnapshotChain<>(List.of(), end, start);
  }

  /** The last, or null. */
  S last() {
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  LogEnd lastEnd() {
    return all.isEmpty() ? LogEnd.EMPTY : end.apply(last());
  }

  /** Whether there is a state to rebuild any other from: a snapshot at the start, or no start. */
  boolean isWhole() {
    return start == 0 || all.stream().anyMatch(one -> position(one) == start);
  }

  SnapshotChain<S> with(S added) {
    List<S> longer = new ArrayList<>(all);
    longer.add(added);
    return new SnapshotChain<>(longer, end, start).kept();
  }

  /** Without those from after a position. */
  SnapshotChain<S> cut(long position) {
    return new SnapshotChain<>(
        all.stream().filter(one -> position(one) <= position).toList(), end, start);
  }

  /** With the latest snapshot from a position, or from before it, as the start. */
  SnapshotChain<S> trim(long position) {
    long latest =
        all.stream().mapToLong(this::position).filter(one -> one <= position).max().orElse(start);
    return new SnapshotChain<>(all, end, Math.max(start, latest)).kept();
  }

  private SnapshotChain<S> kept() {
    List<S> kept = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      boolean isLast = i >= all.size() - LAST;
      boolean isStart = position(all.get(i)) == start && start > 0;
      boolean isRepeated = i + 1 < all.size() && position(all.get(i + 1)) == start;
      if (position(all.get(i)) >= start && (isLast || isStart && !isRepeated)) {
        kept.add(all.get(i));
      }
    }
    return new SnapshotChain<>(List.copyOf(kept), end, start);
  }

  private long position(S snapshot) {
    return end.apply(snapshot).position();
  }
}
