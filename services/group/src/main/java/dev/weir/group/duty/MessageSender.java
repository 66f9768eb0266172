package dev.weir.group.duty;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.Weir;
import dev.weir.group.apply.OutgoingMessage;
import dev.weir.group.wire.GroupReply;
import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import io.vertx.core.tracing.TracingPolicy;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sends messages of an outbox to their services. */
public final class MessageSender {
  private static final long TIMEOUT_MS = 10_000;

  /** After these the same message may be taken later. */
  private static final Set<Integer> PASSING =
      Stream.of(
              FlowFailure.SERVICE_CLOSED,
              FlowFailure.DROPPED,
              FlowFailure.SERVICE_FULL,
              FlowFailure.DISK_FULL,
              FlowFailure.STORE_FAILED,
              FlowFailure.LOST,
              FlowFailure.UNCERTAIN,
              FlowFailure.NO_PRIMARY,
              FlowFailure.NOT_IN_SYNC,
              FlowFailure.FORGOTTEN)
          .map(FlowFailure::code)
          .collect(Collectors.toSet());

  private final Vertx vertx;
  private final Weir weir;

  public MessageSender(Vertx vertx, Weir weir) {
    this.vertx = vertx;
    this.weir = weir;
  }

  /** Completes when the message has arrived. */
  Future<?> send(OutgoingMessage message) {
    DeliveryOptions options = new DeliveryOptions().setSendTimeout(TIMEOUT_MS);
    if (message.key() != null) {
      options.addHeader(ServiceMessage.KEY, message.key());
    }
    if (!message.trace().isEmpty()) {
      // Its receiver continues the trace of these headers; no span of this context is its parent.
      message.trace().forEach(options::addHeader);
      options.setTracingPolicy(TracingPolicy.IGNORE);
    }
    if (message.durable()) {
      return weir.sendWithId(
          message.address(), message.body(), Durability.PROCESS, options, message.id());
    }
    options
        .addHeader(ServiceMessage.MESSAGE_ID, message.id())
        .addHeader(ServiceMessage.TIMEOUT_MS, "" + TIMEOUT_MS);
    return GroupReply.applied(vertx.eventBus().request(message.address(), message.body(), options));
  }

  /** The refusal of a receiver that will not take the message later either; null if it may. */
  static ReplyException refusal(Throwable failure) {
    return failure instanceof ReplyException reply
            && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
            && !PASSING.contains(reply.failureCode())
        ? reply
        : null;
  }
}
