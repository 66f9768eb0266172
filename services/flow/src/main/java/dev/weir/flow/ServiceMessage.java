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

  /**
   * The header {@value} of a durable send, also if {@link Weir#sendWithId} names it: the message is
   * one of those of this key, such as the number of an account. See {@link
   * ServiceOptions#setOrder}; 1 to {@value dev.weir.queue.MessageOptions#MAX_TEXT_CHARS}
   * characters. A group that is a service takes it as the key of the request.
   */
  String KEY = "weir-key";

  /**
   * The header {@value} of a durable send: for how many ms after it is accepted the message is not
   * delivered, a whole number of 0 to {@value #MAX_TIME_MS}.
   */
  String DELAY_MS = "weir-delay-ms";

  /**
   * The header {@value} of a durable send: for how many ms after it is accepted the message may be
   * delivered, a whole number of 1 to {@value #MAX_TIME_MS}. Then it is removed, and counted in
   * {@link dev.weir.queue.QueueStats#expired()} of {@link Service#queueStats()}.
   */
  String EXPIRES_IN_MS = "weir-expires-in-ms";

  /**
   * The header {@value} of a message to a service with {@linkplain ServiceOptions#setPriorities
   * priorities}, durable or not: 0, the lowest and the default, up to the number of priorities less
   * one. Services with one priority take no notice of it.
   */
  String PRIORITY = "weir-priority";

  /**
   * The header {@value} of a request to a group that is a service: the request reads, and how old
   * what it reads may be, in ms. Other services take no notice of it.
   */
  String READ = "weir-read";

  /**
   * The header {@value} of a durable send: after how many failed attempts this message is a dead
   * letter, a whole number of 1 or more. A number above {@link ServiceOptions#setMaxAttempts} has
   * no effect.
   */
  String MAX_ATTEMPTS = "weir-max-attempts";

  /** The longest delay and the latest expiry, {@value} ms, which are about 10 years. */
  long MAX_TIME_MS = 10L * 365 * 24 * 3600 * 1000;

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
   * message that failed and is tried again, or was not acknowledged before a restart. A delivery
   * that began less than 20 ms before a crash may not be counted; the deliveries of the same
   * message after that crash are.
   */
  int deliveryCount();

  /**
   * A name of this message that stays the same over repeated deliveries, for handlers that must not
   * do things twice: the id it was {@linkplain Weir#sendWithId sent with}, or one by its place in
   * the queue; null for a message that was never in the queue and so is delivered once.
   */
  String id();

  /** Whether {@link #id()} is one that the sender gave, not one by its place in the queue. */
  default boolean isNamed() {
    return false;
  }

  /** The {@linkplain #KEY key} it was sent with, or null. */
  default String key() {
    return headers().get(KEY);
  }
}
