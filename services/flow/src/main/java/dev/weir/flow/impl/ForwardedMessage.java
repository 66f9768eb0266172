package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.eventbus.MessageCodec;

/** A message of a service as a handler sees it that hands it on over the bus. */
public interface ForwardedMessage extends ServiceMessage<Object> {
  /** That brought the body, and can take it further. */
  MessageCodec<Object, Object> codec();

  /** Whether it is a request whose requester does not wait any more. */
  boolean isGivenUp();
}
