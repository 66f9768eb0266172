package dev.weir.flow;

import io.vertx.core.eventbus.DeliveryOptions;
import java.util.Objects;

/**
 * A reply with headers or a codec of its own.
 *
 * @param body the body, or null
 * @param options how to deliver it, not null
 */
public record ServiceReply(Object body, DeliveryOptions options) {
  public ServiceReply {
    Objects.requireNonNull(options, "options");
  }
}
