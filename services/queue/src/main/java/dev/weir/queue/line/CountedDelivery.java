package dev.weir.queue.line;

/**
 * The message that is to be delivered when its delivery count is on disk. Its handler may end the
 * process at once, as that of a message may have done that was in delivery at a crash; a count that
 * is written later would be lost each time. Guarded by the queue's lock.
 *
 * <p>A message whose count reaches the greatest is delivered alone: after the others in delivery
 * have ended, and before any other begins. So it does not become a dead letter because another that
 * was in delivery with it has ended the process each time.
 *
 * @param <T> the message type
 */
public final class CountedDelivery<T> {
  private final int maxDeliveries;

  /** Null for none. */
  private TakenMessage<T> message;

  /** The message that is in delivery alone, or null. */
  private TakenMessage<T> alone;

  private int countBefore;

  /** True while a transaction with the count is being written. */
  private boolean writing;

  /** True if that transaction is committed. */
  private boolean written;

  CountedDelivery(int maxDeliveries) {
    this.maxDeliveries = maxDeliveries;
  }

  /** The message, or null. */
  public TakenMessage<T> message() {
    return message;
  }

  /** What the delivery count of the message was before. */
  int countBefore() {
    return countBefore;
  }

  void set(TakenMessage<T> next, int itsCountBefore) {
    message = next;
    countBefore = itsCountBefore;
  }

  /**
   * True if the count of the message is on disk and the message may be delivered.
   *
   * @param inDelivery deliveries that have not ended
   */
  boolean isDue(long inDelivery) {
    return written && (inDelivery == 0 || !isLast());
  }

  private boolean isLast() {
    return countBefore + 1 >= maxDeliveries;
  }

  /** True while no other message may be delivered. */
  boolean isAlone() {
    return alone != null;
  }

  /** Takes the message to deliver it. */
  TakenMessage<T> begin() {
    alone = isLast() ? message : null;
    return take();
  }

  /** Called when a delivery ends. */
  void ended(TakenMessage<T> delivery) {
    if (delivery == alone) {
      alone = null;
    }
  }

  TakenMessage<T> take() {
    TakenMessage<T> taken = message;
    message = null;
    written = false;
    writing = false;
    return taken;
  }

  /** True if a count is to be written. */
  public boolean wantsWrite() {
    return message != null && !written && !writing;
  }

  /** Called when all counts that are to be written are taken into a transaction. */
  public void beginWrite() {
    writing = message != null && !message.isDirty();
  }

  /** Called when the transaction is committed. */
  public void endWrite() {
    written |= writing;
  }

  /** Called when the transaction failed; what it held is to be written again. */
  public void abortWrite() {
    writing = false;
  }
}
