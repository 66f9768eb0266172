package dev.weir.group;

/**
 * Thrown by a {@link GroupProcessor} for a message that it does not accept. Nothing is changed. The
 * sender gets a {@link io.vertx.core.eventbus.ReplyException} with this code and text.
 */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;

  /**
   * @param code one of the application's own, or that of a {@link dev.weir.flow.FlowFailure}
   * @param reason for the sender, not null
   */
  public RefusedException(int code, String reason) {
    super(reason, null, false, false);
    this.code = code;
  }

  public int code() {
    return code;
  }
}
