package dev.weir.gateway.http;

import dev.weir.options.HeapExhaustion;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;

/** A request over the event bus that always has an end. */
public final class BusRequest {
  private BusRequest() {}

  /**
   * Sends a request.
   *
   * @return fails where the bus throws, such as for a body without a codec
   */
  public static Future<Message<Object>> send(
      EventBus bus, String address, Object body, DeliveryOptions options) {
    try {
      return bus.request(address, body, options);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      return Future.failedFuture(e);
    }
  }
}
