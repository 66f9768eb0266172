package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.impl.EventBusImpl;
import io.vertx.core.eventbus.impl.HandlerHolder;
import io.vertx.core.impl.utils.ConcurrentCyclicSequence;
import java.lang.reflect.Field;
import java.util.Map;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which requesters still wait for their replies, and for how long. Vert.x removes the address at
 * which a requester of this node waits when its timeout is over, and tells nobody: this class reads
 * the event bus's own map of handlers, and the timers of Vert.x. With a Vert.x that has no such
 * fields every requester of this node counts as waiting for ever. Requesters of other nodes are
 * known only by the {@linkplain ServiceMessage#TIMEOUT_MS time} that their requests name.
 */
final class ReplyHandlers {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyHandlers.class);

  /** A longer time is cut to it. */
  private static final long MAX_TIMEOUT_MS = TimeUnit.DAYS.toMillis(365);

  /** By address; null if it cannot be read. */
  private final Map<?, ?> handlers;

  /** The timers of Vert.x by id; null if they cannot be read. */
  private final Map<?, ?> timers;

  private Field timerId;
  private Field timerFuture;

  ReplyHandlers(Vertx vertx) {
    this.handlers = readHandlers(vertx.eventBus());
    this.timers = readTimers(vertx);
  }

  private static Map<?, ?> readHandlers(EventBus bus) {
    try {
      return (Map<?, ?>) field(EventBusImpl.class, "handlerMap").get(bus);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("requests whose requester has given up are handled all the same: {}", e.toString());
      return null;
    }
  }

  private Map<?, ?> readTimers(Vertx vertx) {
    try {
      timerId =
          field(Class.forName(EventBusImpl.class.getPackageName() + ".ReplyHandler"), "timeoutID");
      timerFuture =
          field(Class.forName(vertx.getClass().getName() + "$InternalTimerHandler"), "future");
      return (Map<?, ?>) field(vertx.getClass(), "timeouts").get(vertx);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("requests that cannot be answered in time are handled: {}", e.toString());
      return null;
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
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

  /** Whether it does not wait any more. */
  boolean isGone(Requester requester) {
    String address = requester.localAddress();
    if (address == null) {
      return requester.deadlineNs() != 0 && System.nanoTime() - requester.deadlineNs() > 0;
    }
    return handlers != null && !handlers.containsKey(address);
  }

  /** For how long it waits yet; {@link Long#MAX_VALUE} if that is not known. */
  long remainingNs(Requester requester) {
    String address = requester.localAddress();
    if (address != null) {
      return localRemainingNs(address);
    }
    long deadlineNs = requester.deadlineNs();
    return deadlineNs == 0 ? Long.MAX_VALUE : deadlineNs - System.nanoTime();
  }

  private long localRemainingNs(String address) {
    if (handlers != null
        && timers != null
        && handlers.get(address) instanceof ConcurrentCyclicSequence<?> sequence
        && sequence.first() instanceof HandlerHolder<?> holder
        && timerId.getDeclaringClass().isInstance(holder.handler)) {
      try {
        Object timer = timers.get(timerId.get(holder.handler));
        if (timer != null && timerFuture.get(timer) instanceof Delayed future) {
          return future.getDelay(TimeUnit.NANOSECONDS);
        }
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }
    return Long.MAX_VALUE;
  }
}
