package dev.weir.state;

/**
 * A validator or an action refuses an operation. The requester gets {@link DocumentFailure#REFUSED}
 * with the message, and the document stays as it is.
 */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param message why, one line for the requester
   */
  public RefusedException(String message) {
    super(message, null, false, false);
  }
}
