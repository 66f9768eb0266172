package dev.weir.flow.impl;

import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.impl.EventBusImpl;
import java.lang.reflect.Field;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses at which requesters of this node wait for replies. Vert.x removes such an address
 * when the requester's timeout is over, and tells nobody: this class reads the event bus's own map
 * of handlers. With a Vert.x that has no such map every requester counts as waiting.
 */
final class ReplyHandlers {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyHandlers.class);

  /** Null if it cannot be read. */
  private final Map<?, ?> handlers;

  ReplyHandlers(EventBus bus) {
    this.handlers = read(bus);
  }

  private static Map<?, ?> read(EventBus bus) {
    try {
      Field field = EventBusImpl.class.getDeclaredField("handlerMap");
      field.setAccessible(true);
      return (Map<?, ?>) field.get(bus);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("requests whose requester has given up are handled all the same: {}", e.toString());
      return null;
    }
  }

  /**
   * Whether the requester that waited at this address does not wait any more.
   *
   * @param localAddress null for a requester on another node, of which nothing is known
   */
  boolean isGone(String localAddress) {
    return handlers != null && localAddress != null && !handlers.containsKey(localAddress);
  }
}
