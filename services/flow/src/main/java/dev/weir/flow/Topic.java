package dev.weir.flow;

import io.vertx.core.Future;
import java.util.List;

/**
 * An address whose messages go to several services, each with a durable queue of its own: a message
 * waits for one subscriber while the others have handled it, and is retried and becomes a dead
 * letter for each alone.
 *
 * <p>To publish is to send durably to the topic's address: {@link Weir#send}, {@link
 * Weir#sendWithId}, from any node, and an event over HTTP. The send completes when the queue of
 * every subscriber has the message as durably as asked; all of them see the same {@link
 * ServiceMessage#id()}. A send that fails may have reached some of them: sent again with the same
 * id, it reaches those that lack it, and no other gets it twice as long as the services {@linkplain
 * ServiceOptions#setDedupMaxIds remember} the id. Messages that one sender publishes reach each
 * subscriber in their order.
 *
 * <p>A subscriber is the service {@link #subscriber(String, String)} of the same Weir, with a disk
 * tier. While one of them is not served, a publication fails with {@link
 * FlowFailure#SERVICE_CLOSED}, before any has it; without a disk tier with {@link
 * FlowFailure#NOT_DURABLE}. All methods may be called from any thread.
 */
public interface Topic {
  /** The address of a subscriber's service, such as orders.billing. */
  static String subscriber(String topic, String name) {
    return topic + "." + name;
  }

  /** Where to publish. */
  String address();

  /** As {@link TopicOptions#getSubscribers} has them. */
  List<String> subscribers();

  /**
   * Takes no more messages; subscribers go on. A topic ends with its Weir and with the verticle
   * that opened it, too.
   *
   * @return completes when it is closed; a second call gives the same result
   */
  Future<Void> close();
}
