package dev.weir.flow;

import io.vertx.core.MultiMap;

/**
 * A message as the handler of a service sees it.
 *
 * @param <T> the body's type
 */
public interface ServiceMessage<T> {
  /** The body, or null if none was sent. A mutable body is the handler's own copy. */
  T body();

  /** The headers as they were sent; never null. */
  MultiMap headers();

  /** The address of the service. */
  String address();

  /** True if somebody waits for the reply. */
  boolean isRequest();

  /**
   * How often this message has been delivered, this time included. More than 1 only for a durable
   * message that was not acknowledged before a restart.
   */
  int deliveryCount();

  /**
   * A name of this message that stays the same over repeated deliveries, for handlers that must not
   * do things twice: the id it was {@linkplain Weir#sendWithId sent with}, or one by its place in
   * the queue; null for a message that was never in the queue and so is delivered once.
   */
  String id();
}
