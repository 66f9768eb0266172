package dev.weir.flow;

import io.vertx.core.Future;

/**
 * What a service does with a message.
 *
 * @param <T> the body's type
 */
@FunctionalInterface
public interface ServiceHandler<T> {
  /**
   * Handles one message; its worker is busy until the future completes. The result is the reply, as
   * is or as a {@link ServiceReply} with headers; without a requester it is ignored. A mutable body
   * is copied for a requester on this node unless it is {@link NoCopyBody}. A failure fails the
   * request at once: a {@link io.vertx.core.eventbus.ReplyException} with its own code, anything
   * else, also a thrown exception or a null future, with {@link FlowFailure#HANDLER_FAILED}. A
   * durable message that fails is tried again, and becomes a dead letter when its attempts are used
   * up; with the code of {@link FlowFailure#BAD_REQUEST} it does so at once.
   *
   * @param message not null
   */
  Future<?> handle(ServiceMessage<T> message);

  /**
   * Whether a request that comes again under its {@link ServiceMessage#MESSAGE_ID}, also while the
   * first is in handling, and on whichever node, is answered as the first is, and not handled
   * again. The answer may be {@link FlowFailure#FORGOTTEN} if the reply to the first is gone. A
   * gateway sends only such requests again: see {@link Service#answersRepeats}.
   */
  default boolean answersRepeats() {
    return false;
  }
}
