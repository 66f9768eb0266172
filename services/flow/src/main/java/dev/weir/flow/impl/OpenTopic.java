package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.Topic;
import dev.weir.flow.vertx.Contexts;
import dev.weir.queue.MessageOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.eventbus.MessageConsumer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Appends what is sent to a topic to the queues of its subscribers, in one turn, so that one
 * transaction of the store takes all of it as a rule. Where it does not, the id keeps those that
 * have the message already from getting it again.
 */
final class OpenTopic implements Topic {
  private final ServiceRegistry registry;
  private final EventBus bus;
  private final String address;
  private final List<String> subscribers;
  private final MessageConsumer<Object> consumer;

  /** Completes with the first call of close. */
  private final Promise<Void> closing = Promise.promise();

  /** Null before the first call of close. */
  private Future<Void> closed;

  OpenTopic(ServiceRegistry registry, EventBus bus, String address, List<String> subscribers) {
    this.registry = registry;
    this.bus = bus;
    this.address = address;
    this.subscribers = List.copyOf(subscribers);
    this.consumer = bus.consumer(DurableRequest.PREFIX + address, this::onMessage);
  }

  /** Completes once messages of all nodes arrive here. */
  Future<Topic> listening() {
    return consumer.completion().map(this);
  }

  /** Closes the topic when a verticle is undeployed. */
  void closeWith(Context verticle) {
    Contexts.closeWith(verticle, this::close, closing.future());
  }

  private void onMessage(Message<Object> message) {
    DurableRequest request = DurableRequest.of(message, address);
    if (request == null) {
      return;
    }
    Requester requester = Requester.light(bus, message, registry.tracing());
    publish(message, request)
        .onComplete((id, refused) -> DurableRequest.answer(requester, address, id, refused));
  }

  private Future<String> publish(Message<Object> message, DurableRequest request) {
    List<ManagedService> services = new ArrayList<>();
    for (String name : subscribers) {
      ManagedService service = registry.managed(Topic.subscriber(address, name));
      if (service == null || service.isClosing()) {
        return refused(FlowFailure.SERVICE_CLOSED, name, "is not served");
      }
      if (!service.isDurable()) {
        return refused(FlowFailure.NOT_DURABLE, name, "has no disk tier");
      }
      try {
        services.add(service.level(request.headers()));
      } catch (IllegalArgumentException e) {
        return refused(FlowFailure.BAD_REQUEST, name, "refuses it: " + e.getMessage());
      }
    }
    String id = request.named().id() == null ? UUID.randomUUID().toString() : request.named().id();
    MessageOptions named = request.named().withId(id);
    MessageCodec<Object, Object> codec = registry.bodies().codecOf(message);
    Supplier<Envelope> envelope = once(() -> Envelope.received(codec, request.headers(), message));
    List<Future<String>> appended = new ArrayList<>();
    for (ManagedService service : services) {
      SendCompletions.Ticket<String> ticket =
          registry.completions().ticket(Contexts.current(), sequence -> id);
      service.durableSends().append(envelope, request.durability(), named, ticket);
      appended.add(ticket.future());
    }
    return Future.join(appended).map(id);
  }

  private Future<String> refused(FlowFailure failure, String subscriber, String why) {
    return Future.failedFuture(
        Failures.exception(
            failure, "subscriber " + subscriber + " of topic " + address + " " + why));
  }

  /** An envelope can be in several queues: nobody changes it. */
  private static Supplier<Envelope> once(Supplier<Envelope> maker) {
    Envelope[] made = new Envelope[1];
    return () -> {
      if (made[0] == null) {
        made[0] = maker.get();
      }
      return made[0];
    };
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public List<String> subscribers() {
    return subscribers;
  }

  @Override
  public synchronized Future<Void> close() {
    if (closed == null) {
      registry.forget(this);
      closing.complete();
      closed = consumer.unregister();
    }
    return closed;
  }
}
