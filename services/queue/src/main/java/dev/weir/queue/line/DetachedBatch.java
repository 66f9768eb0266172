package dev.weir.queue.line;

import dev.weir.queue.store.WriteBatch;
import java.util.List;

/**
 * The part of a {@link WriteBatch} that is not about packets.
 *
 * @param moves messages to be written where they go, and deleted where they were
 * @param left packets that these messages leave
 * @param deletes records to delete
 * @param deliveries messages whose deliveries are to be written
 * @param ids ids to be remembered
 * @param goneIds records of ids to delete
 */
public record DetachedBatch<T>(
    List<DetachedMove<T>> moves,
    List<PacketLeft<T>> left,
    List<DeferredKey> deletes,
    List<DetachedMessage<T>> deliveries,
    List<IdWindow.Written> ids,
    List<Long> goneIds) {

  public boolean isEmpty() {
    return moves.isEmpty()
        && deletes.isEmpty()
        && deliveries.isEmpty()
        && ids.isEmpty()
        && goneIds.isEmpty();
  }

  /** The table of messages that wait is concerned. */
  public boolean hasDetached() {
    return !deletes.isEmpty()
        || !deliveries.isEmpty()
        || moves.stream().anyMatch(move -> move.to != null || move.from != null);
  }

  /** True if messages are to wait for a time. */
  public boolean hasDue() {
    return moves.stream().anyMatch(move -> move.to != null && move.to.isDue());
  }
}
