package dev.weir.queue.line;

/**
 * The move of a message to the table of deferred messages or of dead letters. One transaction
 * deletes the old record and writes the new one.
 *
 * @param <T> the message type
 */
public final class DetachedMove<T> {
  final TakenMessage<T> delivery;
  public final DetachedMessage<T> message;

  /** Key of the old record, null for none. */
  public final DeferredKey from;

  /** Key of the new record, null for a dead letter. */
  public final DeferredKey to;

  /** Id of the key queue to free when a dead letter is committed, 0 for none. */
  final long lane;

  /** Key of the dead letter; null until the move is written. */
  public DeadKey dead;

  /** True if the serde cannot write the message, which is lost then. */
  public boolean broken;

  /** True if a write failed and may nevertheless have reached the disk: it is written again. */
  boolean uncertain;

  /** True if a purge gave up the message while the move was being written. */
  boolean purged;

  DetachedMove(TakenMessage<T> delivery, DetachedMessage<T> message, DeferredKey to, long lane) {
    this.delivery = delivery;
    this.message = message;
    this.from = message.key;
    this.to = to;
    this.lane = lane;
  }
}
