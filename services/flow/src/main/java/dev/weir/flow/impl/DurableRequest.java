package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.options.UserFailure;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a durable send over the bus asks for.
 *
 * @param headers of the user
 */
record DurableRequest(Durability durability, MultiMap headers, MessageOptions named) {
  /** In front of the address of a service or a topic. */
  static final String PREFIX = "weir.durable/";

  /** The header with the durability. */
  static final String LEVEL = "weir-durability";

  private static final Logger LOG = LoggerFactory.getLogger(DurableRequest.class);

  /** Null for a message that is refused, and has been. */
  static DurableRequest of(Message<Object> message, String address) {
    if (Bodies.isSerialized(message)) {
      message.fail(FlowFailure.BAD_REQUEST.code(), Bodies.NO_SERIALIZATION);
      return null;
    }
    String level = message.headers().get(LEVEL);
    if (!Durability.PROCESS.name().equals(level) && !Durability.MACHINE.name().equals(level)) {
      message.fail(
          FlowFailure.BAD_REQUEST.code(),
          LEVEL + " is " + level + ", allowed is PROCESS or MACHINE; service " + address);
      return null;
    }
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(message.headers());
    headers.remove(LEVEL);
    try {
      MessageOptions named = SendHeaders.take(headers, System.currentTimeMillis());
      return new DurableRequest(Durability.valueOf(level), headers, named);
    } catch (IllegalArgumentException e) {
      message.fail(FlowFailure.BAD_REQUEST.code(), e.getMessage());
      return null;
    }
  }

  /**
   * Replies with the message's id, or with why it is refused.
   *
   * @param requester null if the message was sent without waiting for a reply
   */
  static void answer(Requester requester, String address, String id, Throwable refused) {
    if (requester != null) {
      requester.reply(refused == null ? id : refused, null);
    } else if (refused != null) {
      LOG.warn(
          "service {}: a durable message was refused, and its sender takes no reply: {}",
          address,
          UserFailure.message(refused));
    }
  }
}
