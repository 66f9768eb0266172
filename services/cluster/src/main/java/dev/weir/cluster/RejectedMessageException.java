package dev.weir.cluster;

/**
 * Thrown by a handler to reject a message that it cannot handle. The handler promises that it has
 * changed nothing.
 *
 * <p>The message is recorded in the log as rejected, its client gets a failed reply with this text,
 * and no replica handles the message again.
 */
public final class RejectedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * @param reason for the client; the first 256 bytes are kept
   */
  public RejectedMessageException(String reason) {
    super(reason, null, false, false);
  }

  /**
   * @param reason for the client; the first 256 bytes are kept
   */
  public RejectedMessageException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
