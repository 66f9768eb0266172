package dev.weir.flow;

import dev.weir.flow.impl.ServiceRegistry;
import dev.weir.flow.remote.OpenConsumers;
import dev.weir.flow.remote.RemoteOwner;
import dev.weir.options.Checks;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/**
 * Services whose messages are handled elsewhere: one node has the queue, on its disk, and any
 * number of others on the same event bus handle what it holds. They come and go as they like.
 *
 * <p>All methods may be called from any thread and do not block.
 */
public final class RemoteServices {
  private final Vertx vertx;
  private final ServiceRegistry services;
  private final OpenConsumers consumers;

  RemoteServices(Vertx vertx, ServiceRegistry services) {
    this.vertx = vertx;
    this.services = services;
    this.consumers = new OpenConsumers(vertx);
  }

  /**
   * Starts a service that hands its messages on to the {@linkplain #consume consumers} of its
   * address. Without one, or while none has a free credit, messages wait as behind any busy
   * service. Limits, order, retries and dead letters are those of {@link Weir#serve}.
   *
   * <p>A message is settled by what the consumer's handler makes of it. One whose consumer dies, is
   * cut off for longer than its {@linkplain RemoteConsumerOptions#setLeaseMs lease}, or closes goes
   * to the next one, before all that waits; that is no failed attempt, unless three consumers in
   * turn are lost with it. So messages are handled at least once, and one of a key is with one
   * consumer at a time, as far as a consumer that is cut off knows that it is.
   *
   * @param address not blank; one service of an address per Weir
   * @param options copied; {@link ServiceOptions#setWorkers workers} limits what all consumers
   *     together have; {@link ServiceOptions#setRunOn runOn} is {@link RunOn#EVENT_LOOP}
   * @return as for {@link Weir#serve}
   */
  public Future<Service> serve(String address, ServiceOptions options) {
    return Calls.answered(
        () -> {
          Calls.requireAddress(address);
          if (Checks.notNull("options", options).getRunOn() != RunOn.EVENT_LOOP) {
            throw Checks.notAllowed(
                "runOn", options.getRunOn(), "EVENT_LOOP for a service of consumers elsewhere");
          }
          options.check();
          return services.serve(address, options, new RemoteOwner(vertx, address));
        });
  }

  /**
   * Handles messages of a service that another node {@linkplain #serve serves}, or this one. It
   * waits for the service to come, also after a restart of it, and ends with its Weir, and with the
   * verticle that called this.
   *
   * @param address of the service, not blank
   * @param options copied
   * @param handler called on the caller's event loop, or on one of its own if the caller is on
   *     none, for as many messages at once as the options have credits; one that blocks does so by
   *     {@link Vertx#executeBlocking}. {@link ServiceMessage#deliveryCount()} counts the consumers
   *     that were lost with the message, too.
   * @return completes when it can be reached; fails with {@link IllegalArgumentException} or {@link
   *     IllegalStateException} for a user's mistake
   */
  @SuppressWarnings("unchecked")
  public <T> Future<RemoteConsumer> consume(
      String address, RemoteConsumerOptions options, ServiceHandler<T> handler) {
    return Calls.answered(
        () -> {
          Calls.requireAddress(address);
          Checks.notNull("options", options);
          Checks.notNull("handler", handler);
          return consumers.open(address, options, (ServiceHandler<Object>) handler);
        });
  }

  /**
   * Handles messages as {@link #consume(String, RemoteConsumerOptions, ServiceHandler)} does, with
   * bodies of a class, as {@link Weir#serve(String, Class, ServiceOptions, ServiceHandler)} has it.
   *
   * @param type not null
   */
  public <T> Future<RemoteConsumer> consume(
      String address, Class<T> type, RemoteConsumerOptions options, ServiceHandler<T> handler) {
    return Calls.answered(
        () -> {
          Checks.notNull("type", type);
          Checks.notNull("handler", handler);
          return consume(address, options, services.typed(type, handler));
        });
  }

  /** Closes all consumers. */
  Future<Void> close() {
    return consumers.close();
  }
}
