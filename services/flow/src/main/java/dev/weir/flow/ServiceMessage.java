package dev.weir.flow;

import io.vertx.core.MultiMap;

/**
 * A message as the handler of a service sees it.
 *
 * @param <T> the body's type
 */
public interface ServiceMessage<T> {
  /**
   * The header {@value} of a request: for how many ms its sender waits for the reply, a whole
   * number of 1 or more. A service of another node drops the request when it has waited there for
   * longer, or for so long that the reply would come too late. {@link Weir#request} sets it, and on
   * a cluster a gateway for every request of its clients, over WebSockets too. A plain {@code
   * request} of the event bus does not, and Vert.x does not carry its timeout to another node: such
   * a request is handled all the same. On the sender's own node the header is not needed: there the
   * service sees the requester's timer.
   */
  String TIMEOUT_MS = "weir-timeout-ms";

  /**
   * The header {@value}: the sender's name for this message, the same each time that it sends the
   * message. A group that is a service applies messages of one name once; a pool leaves it to the
   * handler.
   */
  String MESSAGE_ID = "weir-message-id";

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
   * message that was not acknowledged before a restart. A delivery that began less than 20 ms
   * before a crash may not be counted; the deliveries of the same message after that crash are.
   */
  int deliveryCount();

  /**
   * A name of this message that stays the same over repeated deliveries, for handlers that must not
   * do things twice: the id it was {@linkplain Weir#sendWithId sent with}, or one by its place in
   * the queue; null for a message that was never in the queue and so is delivered once.
   */
  String id();
}
