package dev.weir.flow;

import dev.weir.queue.Durability;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.internal.ContextInternal;

/**
 * Where durable sends from other nodes arrive: an address of its own beside that of the service, so
 * that plain messages need not be asked what they are. The reply says that the message is durable,
 * and is its id.
 */
final class DurableEntry {
  private static final String PREFIX = "weir.durable/";
  private static final String DURABILITY = "weir-durability";
  private static final String ID = "weir-id";

  private final Weir weir;
  private final String address;
  private final Manager manager;
  private final MessageConsumer<Object> consumer;

  DurableEntry(Weir weir, String address, Manager manager) {
    this.weir = weir;
    this.address = address;
    this.manager = manager;
    this.consumer = weir.vertx().eventBus().consumer(PREFIX + address, this::onMessage);
  }

  /** The future has the message's id; {@code id} is null if none is given. */
  static Future<String> send(
      EventBus bus,
      String address,
      Object body,
      Durability durability,
      DeliveryOptions options,
      String id) {
    DeliveryOptions withLevel =
        new DeliveryOptions(options).addHeader(DURABILITY, durability.name());
    if (id != null) {
      withLevel.addHeader(ID, id);
    }
    return bus.<String>request(PREFIX + address, body, withLevel).map(Message::body);
  }

  private void onMessage(Message<Object> message) {
    if (Bodies.isSerialized(message)) {
      message.fail(FlowFailure.BAD_REQUEST.code(), Bodies.NO_SERIALIZATION);
      return;
    }
    String level = message.headers().get(DURABILITY);
    if (!Durability.PROCESS.name().equals(level) && !Durability.MACHINE.name().equals(level)) {
      message.fail(
          FlowFailure.BAD_REQUEST.code(),
          DURABILITY + " is " + level + ", allowed is PROCESS or MACHINE; service " + address);
      return;
    }
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(message.headers());
    headers.remove(DURABILITY);
    String id = headers.get(ID);
    headers.remove(ID);
    Outbox.Ticket<String> ticket =
        weir.outbox().ticket(ContextInternal.current(), manager.naming(id));
    Requester requester = Requester.light(weir.vertx().eventBus(), message);
    ticket
        .future()
        .onComplete(
            done -> {
              if (done.succeeded()) {
                requester.reply(done.result(), null);
              } else {
                requester.reply(done.cause(), null);
              }
            });
    manager.append(
        weir.bodies().codecOf(message),
        headers,
        message.body(),
        Durability.valueOf(level),
        id,
        ticket);
  }

  Future<Void> completion() {
    return consumer.completion();
  }

  Future<Void> close() {
    return consumer.unregister();
  }
}
