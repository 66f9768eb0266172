package dev.weir.flow;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Brings the outcomes of durable sends back to the event loops of their senders, many in one task:
 * a group commit completes thousands at once, and a task and a wake-up for each would cost more
 * than the commit.
 */
final class Outbox {
  private final Map<EventLoop, Lane> lanes = new ConcurrentHashMap<>();

  /** A promise whose outcome is decided on another thread. */
  final class Ticket {
    private final Promise<Void> promise;
    private final Lane lane;
    private Throwable failure;

    private Ticket(ContextInternal sender) {
      this.promise = sender.promise();
      this.lane = lanes.computeIfAbsent(sender.nettyEventLoop(), Lane::new);
    }

    Future<Void> future() {
      return promise.future();
    }

    /** Any thread, once. */
    void complete(Throwable failure) {
      this.failure = failure;
      lane.add(this);
    }

    private void tell() {
      if (failure == null) {
        promise.complete();
      } else {
        promise.fail(failure);
      }
    }
  }

  private static final class Lane {
    private final EventLoop eventLoop;
    private final Queue<Ticket> tickets = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    Lane(EventLoop eventLoop) {
      this.eventLoop = eventLoop;
    }

    void add(Ticket ticket) {
      tickets.add(ticket);
      if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
        eventLoop.execute(this::drain);
      }
    }

    private void drain() {
      scheduled.set(false);
      for (Ticket next = tickets.poll(); next != null; next = tickets.poll()) {
        next.tell();
      }
    }
  }

  Ticket ticket(ContextInternal sender) {
    return new Ticket(sender);
  }
}
