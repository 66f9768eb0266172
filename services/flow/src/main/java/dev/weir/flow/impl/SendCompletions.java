package dev.weir.flow.impl;

import dev.weir.flow.vertx.Contexts;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.Completion;
import dev.weir.queue.QueueException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the outcomes of durable sends back to the event loops of their senders, many in one task:
 * a group commit completes thousands at once, and a task and a wake-up for each would cost more
 * than the commit.
 */
final class SendCompletions {
  private static final Logger LOG = LoggerFactory.getLogger(SendCompletions.class);

  private final Map<Executor, Lane> lanes = new ConcurrentHashMap<>();

  /** A promise whose outcome is decided on another thread. */
  final class Ticket<T> implements Completion {
    private final Promise<T> promise;
    private final LongFunction<T> result;
    private final Lane lane;
    private long sequence;
    private Throwable failure;

    private Ticket(Context sender, LongFunction<T> result) {
      this.promise = Contexts.promise(sender);
      this.result = result;
      this.lane = lanes.computeIfAbsent(Contexts.eventLoop(sender), Lane::new);
    }

    Future<T> future() {
      return promise.future();
    }

    @Override
    public void complete(QueueException refused) {
      done(refused == null ? null : Failures.of(refused));
    }

    @Override
    public void complete(long sequence) {
      this.sequence = sequence;
      done(null);
    }

    void fail(Throwable failure) {
      done(failure);
    }

    /** Any thread, once. */
    private void done(Throwable failure) {
      this.failure = failure;
      lane.add(this);
    }

    /** A sender that was undeployed may have no thread any more on which it could be told. */
    private void tell() {
      try {
        if (failure == null) {
          promise.complete(result.apply(sequence));
        } else {
          promise.fail(failure);
        }
      } catch (RejectedExecutionException e) {
        LOG.debug("nobody is left to be told of a send", e);
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error("a sender cannot be told of its send", e);
      }
    }
  }

  private static final class Lane {
    private final Executor eventLoop;
    private final Queue<Ticket<?>> tickets = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    Lane(Executor eventLoop) {
      this.eventLoop = eventLoop;
    }

    void add(Ticket<?> ticket) {
      tickets.add(ticket);
      if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
        eventLoop.execute(this::drain);
      }
    }

    private void drain() {
      scheduled.set(false);
      for (Ticket<?> next = tickets.poll(); next != null; next = tickets.poll()) {
        next.tell();
      }
    }
  }

  /**
   * @param result what the future completes with, from the message's place in the queue; 0 if that
   *     is not known
   */
  <T> Ticket<T> ticket(Context sender, LongFunction<T> result) {
    return new Ticket<>(sender, result);
  }
}
