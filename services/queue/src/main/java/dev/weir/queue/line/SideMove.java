package dev.weir.queue.line;

/**
 * A message on its way into the side or the dead-letter table: one transaction takes it out of
 * where it was and writes it where it goes.
 *
 * @param <T> the message type
 */
public final class SideMove<T> {
  final TakenMessage<T> delivery;
  public final SideMessage<T> message;

  /** The record it leaves, null if it is in none. */
  public final SideKey from;

  /** Where it goes, null for the dead letters. */
  public final SideKey to;

  /** The lane that opens when a dead letter is committed, 0 for none. */
  final long lane;

  /** A dead letter's place, given when it is written. */
  public DeadKey dead;

  /** The serde cannot write it: it is lost. */
  public boolean broken;

  SideMove(TakenMessage<T> delivery, SideMessage<T> message, SideKey to, long lane) {
    this.delivery = delivery;
    this.message = message;
    this.from = message.key;
    this.to = to;
    this.lane = lane;
  }
}
