package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.vertx.Contexts;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.MessageOptions;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Appends durable sends to the queue of one service. Sends of the same Weir come by method call,
 * any others over the bus, at an address of their own: plain messages then need no check for a
 * durability header. The reply to a send over the bus means that the message is durable, and is the
 * message's id.
 */
final class DurableSends {
  private final ManagedService service;
  private final String address;
  private final Bodies bodies;
  private final SendCompletions completions;
  private final long delayMs;
  private final long expiresInMs;

  /** Null for a service without a disk tier. */
  private final DurableQueue<Envelope> queue;

  private final EventBus bus;

  /** Null without a tracer. */
  private final Tracing tracing;

  private final MessageConsumer<Object> consumer;

  DurableSends(
      ManagedService service,
      EventBus bus,
      Bodies bodies,
      SendCompletions completions,
      DurableQueue<Envelope> queue,
      Tracing tracing) {
    this.tracing = tracing;
    this.service = service;
    this.address = service.address();
    this.delayMs = service.options().getDelayMs();
    this.expiresInMs = service.options().getExpiresInMs();
    this.bodies = bodies;
    this.completions = completions;
    this.queue = queue;
    this.bus = bus;
    this.consumer = bus.consumer(DurableRequest.PREFIX + address, this::onMessage);
  }

  /**
   * Sends over the bus to a service of any node.
   *
   * @param named goes as headers
   * @return completes with the message's id
   */
  static Future<String> send(
      EventBus bus,
      String address,
      Object body,
      Durability durability,
      DeliveryOptions options,
      MessageOptions named) {
    DeliveryOptions withLevel =
        new DeliveryOptions(options).addHeader(DurableRequest.LEVEL, durability.name());
    SendHeaders.add(withLevel, named, System.currentTimeMillis());
    return bus.<String>request(DurableRequest.PREFIX + address, body, withLevel).map(Message::body);
  }

  /** The id of a message that was sent without one, made of its sequence in the queue. */
  static String generatedId(String address, long sequence) {
    return address + "-" + Long.toHexString(sequence);
  }

  /** The message's id: the given one, or the generated one. */
  static String idOf(String address, Delivery<?> delivery) {
    String given = delivery.messageOptions().id();
    return given == null ? generatedId(address, delivery.sequence()) : given;
  }

  /** The sequence of which an id was generated; -1 if it was not. */
  static long sequenceOf(String address, String id) {
    try {
      long sequence =
          id.startsWith(address + "-")
              ? Long.parseLong(id, address.length() + 1, id.length(), 16)
              : -1;
      return generatedId(address, sequence).equals(id) ? sequence : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** The message's id by its sequence; {@code id} is null if none was given. */
  LongFunction<String> naming(String id) {
    return id == null ? sequence -> generatedId(address, sequence) : sequence -> id;
  }

  /**
   * Appends a message that must not be lost; any thread.
   *
   * @param envelope makes what is kept; called at once
   * @param named without an id the message gets one made of its sequence
   */
  void append(
      Supplier<Envelope> envelope,
      Durability durability,
      MessageOptions named,
      SendCompletions.Ticket<?> ticket) {
    if (queue == null) {
      ticket.fail(
          Failures.exception(
              FlowFailure.NOT_DURABLE,
              "service "
                  + address
                  + " has no disk tier: set the directory of WeirOptions, and diskBytes of the"
                  + " service above 0"));
    } else if (service.isClosing()) {
      ticket.fail(Failures.exception(FlowFailure.SERVICE_CLOSED, "service " + address + " closes"));
    } else {
      try {
        queue.append(envelope.get(), timed(named), durability, ticket);
      } catch (Throwable e) {
        // Of the codec: the queue refuses by the ticket.
        String reason = MessageLog.unwritten(address, named.id(), null, e);
        ticket.fail(Failures.exception(Failures.taken(e), reason));
      }
    }
  }

  /** With the delay and the expiry of the service, where the message has none of its own. */
  private MessageOptions timed(MessageOptions named) {
    MessageOptions timed = named;
    if (delayMs != 0 && timed.notBeforeMs() == 0) {
      timed = timed.withNotBeforeMs(System.currentTimeMillis() + delayMs);
    }
    return expiresInMs != 0 && timed.expiresAtMs() == 0
        ? timed.withExpiresAtMs(
            Math.max(System.currentTimeMillis() + expiresInMs, timed.notBeforeMs() + 1))
        : timed;
  }

  private void onMessage(Message<Object> message) {
    DurableRequest request = DurableRequest.of(message, address);
    if (request == null) {
      return;
    }
    try {
      service.level(request.headers()).durableSends().append(message, request);
    } catch (IllegalArgumentException e) {
      message.fail(FlowFailure.BAD_REQUEST.code(), e.getMessage());
    }
  }

  private void append(Message<Object> message, DurableRequest request) {
    MessageOptions named = request.named();
    SendCompletions.Ticket<String> ticket =
        completions.ticket(Contexts.current(), naming(named.id()));
    Requester requester = Requester.light(bus, message, tracing);
    ticket
        .future()
        .onComplete((id, refused) -> DurableRequest.answer(requester, address, id, refused));
    MessageCodec<Object, Object> codec = bodies.codecOf(message);
    append(
        () -> Envelope.received(codec, request.headers(), message),
        request.durability(),
        named,
        ticket);
  }

  /** Completes once sends of other nodes arrive here. */
  Future<Void> listening() {
    return consumer.completion();
  }

  /** Where sends of other nodes arrive. */
  MessageConsumer<Object> consumer() {
    return consumer;
  }

  Future<Void> close() {
    return consumer.unregister();
  }
}
