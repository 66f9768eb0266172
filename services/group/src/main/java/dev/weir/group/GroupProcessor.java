package dev.weir.group;

import dev.weir.flow.FlowFailure;

/**
 * What a group does with a message. The primary alone handles messages; the other members receive
 * what changed, and the reply. So a handler may use random numbers, and need not be deterministic.
 * All that it must remember is in {@link GroupState}: fields of the processor are lost when another
 * member becomes primary.
 *
 * <p>Called by one thread at a time, with the effects of earlier calls visible; must not block.
 *
 * @param <M> the body's type: {@code JsonObject}, {@code Buffer}, {@code String} or {@code byte[]};
 *     or the class that {@link Groups#serveGroup(String, Class, dev.weir.cluster.GroupOptions,
 *     dev.weir.flow.ServiceOptions, java.util.function.Supplier)} was told
 */
@FunctionalInterface
public interface GroupProcessor<M> {
  /**
   * Handles one message, completely or not at all: if this throws, nothing has changed.
   *
   * <p>Throw a {@link RefusedException} for a message that is not acceptable: its sender gets the
   * code and the text. Any other exception is a fault of the handler: it is logged and counted, its
   * sender gets {@link FlowFailure#HANDLER_FAILED}, and no member handles the message again.
   *
   * @param message valid during the call only
   * @param state of the group; changes are replicated and persisted together with the reply
   * @return the reply: null or one of the types that a body may have. It is sent when as many
   *     members hold the changes as {@code minInSync} says.
   */
  Object handle(GroupMessage<M> message, GroupState state);

  /**
   * Handles a timer that is due, as an entry of the log: completely or not at all. If this throws,
   * or changes more than {@link GroupState#room} says, nothing has changed, and the timer is set
   * again: in 1 s, then twice as long each time, up to a minute.
   *
   * @param timer removed already; it may be set again
   */
  default void onTimer(GroupTimer timer, GroupState state) {}

  /**
   * Handles that a receiver refused a message of the {@link Outbox} for good, as an entry of the
   * log. The message is removed. What this throws is logged, and has no other effect; the same
   * holds for more changes than {@link GroupState#room} says. By default nothing is done but a line
   * in the log.
   */
  default void onUndelivered(UndeliveredMessage message, GroupState state) {}

  /**
   * Answers a request that reads, one with the header {@link GroupMessage#READ}. Runs on the
   * primary, or on a backup whose state is not too old, and is called by one thread at a time with
   * {@link #handle}. All that is said of the processor's fields there is true here.
   *
   * <p>On the primary the reply is sent when all that led to the state is acknowledged. A backup
   * may show a change that is not acknowledged yet; after a failover at that moment the change may
   * be undone.
   *
   * @param message its {@code timestampMs} is the time of the member's own clock
   * @param state refuses changes, with an {@link UnsupportedOperationException}
   * @return as of {@link #handle}
   * @throws RefusedException unless the processor overrides this: it takes no reads
   */
  default Object read(GroupMessage<M> message, GroupState state) {
    throw new RefusedException(
        FlowFailure.BAD_REQUEST.code(), "the processor takes no requests that read");
  }

  /**
   * The version of the application that this code is, 1 to 1,000,000; always the same. While a
   * member of the group states a lower one, {@link GroupState#version} says that one, and what is
   * written must be such that code of that version understands it. docs/groups.md has an example.
   */
  default int version() {
    return 1;
  }
}
