package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/**
 * The failure of a handler, for its requester. A requester on the same node finds the handler's own
 * exception as the cause. A requester on another node gets the text only.
 */
final class HandlerException extends ReplyException {
  private static final long serialVersionUID = 1;

  private final transient Throwable cause;

  HandlerException(String text, Throwable cause) {
    super(ReplyFailure.RECIPIENT_FAILURE, FlowFailure.HANDLER_FAILED.code(), text);
    this.cause = cause;
  }

  @Override
  public synchronized Throwable getCause() {
    return cause;
  }
}
