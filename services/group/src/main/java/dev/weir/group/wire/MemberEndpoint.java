package dev.weir.group.wire;

import dev.weir.flow.FlowFailure;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the members of a service ask each other on the bus: an address for each member. Any thread.
 *
 * <p>A slash is in no name of a member, so two services never share an address. Earlier versions
 * use a dot instead of the slash: service {@code a} of member {@code b.c} had the address of
 * service {@code a.b} of member {@code c}. Members of these versions are still answered, and asked.
 * Each request names its service, so that no other one answers it.
 */
public final class MemberEndpoint<T> {
  private static final String SERVICE = "service";
  private static final String SEPARATOR = "/";
  private static final String SEPARATOR_BEFORE = ".";

  private final EventBus bus;
  private final String prefix;
  private final String service;
  private final List<MessageConsumer<T>> consumers;

  /**
   * @param prefix of the address, of what is asked
   * @param self name of this member
   * @param handler takes requests to this member
   */
  public MemberEndpoint(
      Vertx vertx, String prefix, String service, String self, Handler<Message<T>> handler) {
    this.bus = vertx.eventBus();
    this.prefix = prefix;
    this.service = service;
    this.consumers =
        Stream.of(SEPARATOR, SEPARATOR_BEFORE)
            .map(separator -> bus.<T>consumer(address(separator, self), of(handler)))
            .toList();
  }

  /** Asks members, and answers nobody. */
  public MemberEndpoint(Vertx vertx, String prefix, String service) {
    this.bus = vertx.eventBus();
    this.prefix = prefix;
    this.service = service;
    this.consumers = List.of();
  }

  private String address(String separator, String member) {
    return prefix + service + separator + member;
  }

  private Handler<Message<T>> of(Handler<Message<T>> handler) {
    return message -> {
      String asked = message.headers().get(SERVICE);
      if (asked == null || asked.equals(service)) {
        handler.handle(message);
      } else {
        message.fail(FlowFailure.NO_PRIMARY.code(), "this is service " + service);
      }
    };
  }

  /** Completes when other members reach this one. */
  public Future<Void> listening() {
    return Future.all(consumers.stream().map(MessageConsumer::completion).toList()).mapEmpty();
  }

  /** Ends requests of other members. */
  public Future<Void> close() {
    return Future.join(consumers.stream().map(MessageConsumer::unregister).toList()).mapEmpty();
  }

  /** Asks a member; fails at once if it does not serve the service. */
  public Future<Message<T>> ask(String member, Object request, DeliveryOptions options) {
    options.addHeader(SERVICE, service);
    return bus.<T>request(address(SEPARATOR, member), request, options)
        .recover(
            failure ->
                failure instanceof ReplyException reply
                        && reply.failureType() == ReplyFailure.NO_HANDLERS
                    ? bus.<T>request(address(SEPARATOR_BEFORE, member), request, options)
                    : Future.failedFuture(failure));
  }
}
