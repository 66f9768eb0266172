package dev.weir.flow.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.eventbus.EventBus;
import io.vertx.core.eventbus.impl.EventBusImpl;
import io.vertx.core.eventbus.impl.HandlerHolder;
import io.vertx.core.impl.utils.ConcurrentCyclicSequence;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which addresses of this node wait for a reply, and for how long. Vert.x removes such an address
 * when its timeout is over, and tells nobody: this class reads the event bus's own map of handlers,
 * and the timers of Vert.x. With a Vert.x that has no such fields every address counts as waiting
 * for ever. Any thread; not blocking.
 */
public final class PendingReplies {
  private static final Logger LOG = LoggerFactory.getLogger(PendingReplies.class);

  /** By address; null if it cannot be read. */
  private final Map<?, ?> handlers;

  /** The timers of Vert.x by id; null if they cannot be read. */
  private final Map<?, ?> timers;

  private Field timerId;
  private Field timerFuture;

  public PendingReplies(Vertx vertx) {
    this.handlers = readHandlers(vertx.eventBus());
    this.timers = readTimers(vertx);
  }

  private static Map<?, ?> readHandlers(EventBus bus) {
    try {
      return (Map<?, ?>) field(EventBusImpl.class, "handlerMap").get(bus);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info("requests whose requester has given up are handled all the same: {}", e.toString());
      return null;
    }
  }

  private Map<?, ?> readTimers(Vertx vertx) {
    try {
      // Fails here, and not at the first request, if a Vert.x has no such classes.
      List.of(ConcurrentCyclicSequence.class, HandlerHolder.class);
      timerId =
          field(Class.forName(EventBusImpl.class.getPackageName() + ".ReplyHandler"), "timeoutID");
      timerFuture =
          field(Class.forName(vertx.getClass().getName() + "$InternalTimerHandler"), "future");
      return (Map<?, ?>) field(vertx.getClass(), "timeouts").get(vertx);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info("requests that cannot be answered in time are handled: {}", e.toString());
      return null;
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /** Whether nobody waits there any more; false if that is not known. */
  public boolean isGone(String address) {
    return handlers != null && !handlers.containsKey(address);
  }

  /** For how long it waits yet; {@link Long#MAX_VALUE} if that is not known. */
  public long remainingNs(String address) {
    return handlers == null || timers == null ? Long.MAX_VALUE : timerNs(handlers.get(address));
  }

  private long timerNs(Object waiting) {
    if (waiting instanceof ConcurrentCyclicSequence<?> sequence
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
