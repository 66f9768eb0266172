package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.impl.EventBusImpl;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which requesters still wait for their replies. Vert.x removes the address at which a requester of
 * this node waits when its timeout is over, and tells nobody: this class reads the event bus's own
 * map of handlers. With a Vert.x that has no such map every requester of this node counts as
 * waiting. Requesters of other nodes are known only by the {@linkplain ServiceMessage#TIMEOUT_MS
 * time} that their requests name.
 */
final class ReplyHandlers {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyHandlers.class);

  /** A longer time is cut to it. */
  private static final long MAX_TIMEOUT_MS = TimeUnit.DAYS.toMillis(365);

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

  /** When the requester of another node gives up, by {@link System#nanoTime}; 0 if unknown. */
  static long deadlineNs(Message<?> request) {
    if (request.replyAddress() == null || !Requester.isFromWire(request)) {
      return 0;
    }
    String timeoutMs = request.headers().get(ServiceMessage.TIMEOUT_MS);
    if (timeoutMs == null) {
      return 0;
    }
    try {
      long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(parse(timeoutMs));
      return deadlineNs == 0 ? 1 : deadlineNs;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long parse(String timeoutMs) {
    return Math.min(MAX_TIMEOUT_MS, Math.max(0, Long.parseLong(timeoutMs.trim())));
  }

  /**
   * Whether a requester does not wait any more.
   *
   * @param localAddress null for a requester on another node
   * @param deadlineNs as {@link #deadlineNs} gave it
   */
  boolean isGone(String localAddress, long deadlineNs) {
    if (localAddress == null) {
      return deadlineNs != 0 && System.nanoTime() - deadlineNs > 0;
    }
    return handlers != null && !handlers.containsKey(localAddress);
  }
}
