package dev.weir.flow.impl;

import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.vertx.Contexts;
import dev.weir.options.HeapExhaustion;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.shareddata.LocalMap;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;

/** Runs a handler where {@link RunOn} says; called on the service's event loop. */
abstract class HandlerRunner {

  /** One instance of the service: a handler and the context it is called on. */
  private record Instance(Context context, ServiceHandler<Object> handler) {}

  /** Replaced, never changed, so that the event loop reads it without a lock. */
  private volatile Instance[] instances = {};

  /** The instance that is called next; used on the service's event loop. */
  private int next;

  /** Null without a tracer. */
  private final Tracing tracing;

  private HandlerRunner(Tracing tracing) {
    this.tracing = tracing;
  }

  /**
   * @param tracing null without a tracer
   */
  static HandlerRunner of(
      ServiceOptions options, Context context, String address, Tracing tracing) {
    return switch (options.getRunOn()) {
      case EVENT_LOOP -> new OnEventLoop(context, tracing);
      case WORKER -> new OnWorkers(context.owner(), address, options.getWorkers(), tracing);
      case VIRTUAL_THREAD -> new OnVirtualThreads(context.owner(), tracing);
    };
  }

  /** Adds an instance of the service; messages go to the instances in turn; any thread. */
  final synchronized void add(Context context, ServiceHandler<Object> handler) {
    Instance[] more = Arrays.copyOf(instances, instances.length + 1);
    more[instances.length] = new Instance(context, handler);
    instances = more;
  }

  private Instance nextInstance() {
    Instance[] all = instances;
    if (all.length == 1) {
      return all[0];
    }
    next = (next + 1) % all.length;
    return all[next];
  }

  /** Starts the handler; the future may complete on any thread. */
  final Future<?> start(Work work) {
    try {
      Instance instance = nextInstance();
      Context handling = handling(instance, work);
      return tracing == null || (handling == work.context && work instanceof Work.Direct)
          ? run(instance, handling, work)
          : runTraced(instance, handling, work);
    } catch (Throwable e) {
      // There is no thread for it, most likely.
      HeapExhaustion.report(e);
      return Future.failedFuture(e);
    }
  }

  private Future<?> runTraced(Instance instance, Context handling, Work work) {
    Object span = tracing.start(handling, work);
    Future<?> result = run(instance, handling, work);
    if (span != null) {
      tracing.end(handling, span, result);
    }
    return result;
  }

  /** The context to which the handler of a message and its span belong. */
  Context handling(Instance instance, Work work) {
    return work.context;
  }

  abstract Future<?> run(Instance instance, Context handling, Work work);

  /** Makes room for that many handlers at once. */
  void resize(int workers) {}

  void close() {}

  private static void pass(Future<?> from, Promise<Object> to) {
    from.onComplete(
        done -> {
          if (done.succeeded()) {
            to.complete(done.result());
          } else {
            to.fail(done.cause());
          }
        });
  }

  private static final class OnEventLoop extends HandlerRunner {
    /** The context of the service's own event loop. */
    private final Context own;

    OnEventLoop(Context own, Tracing tracing) {
      super(tracing);
      this.own = own;
    }

    @Override
    Context handling(Instance instance, Work work) {
      return instance.context == own ? work.context : Contexts.duplicate(instance.context);
    }

    @Override
    Future<?> run(Instance instance, Context handling, Work work) {
      if (handling == work.context) {
        return HandlerCall.of(instance.handler, work);
      }
      Promise<Object> result = Promise.promise();
      handling.runOnContext(ignored -> pass(HandlerCall.of(instance.handler, work), result));
      return result.future();
    }
  }

  private static final class OnWorkers extends HandlerRunner {
    /** Threads of one number. Used on the service's event loop. */
    private static final class Threads {
      final WorkerExecutor executor;
      final String name;
      final int number;

      /** Messages whose handler has not returned. */
      int busy;

      Threads(WorkerExecutor executor, String name, int number) {
        this.executor = executor;
        this.name = name;
        this.number = number;
      }
    }

    private final Vertx vertx;
    private final String name;

    /** By which Vert.x knows threads: two Weirs may serve one address. */
    private final LocalMap<String, Boolean> names;

    /** How many threads the next message finds. */
    private int number;

    /** Null before the first message, and before the first one of another number. */
    private Threads threads;

    private boolean closed;

    /** Fewer threads than now, with handlers that have not returned: to close would interrupt. */
    private final Set<Threads> replaced = new HashSet<>();

    OnWorkers(Vertx vertx, String address, int workers, Tracing tracing) {
      super(tracing);
      this.vertx = vertx;
      this.name = "weir-" + address + "-";
      this.names = vertx.sharedData().getLocalMap("weir.worker-threads");
      this.number = workers;
    }

    /**
     * Opened for the first message: of instances that join a service, and of one that is refused,
     * nobody closes the threads.
     */
    private Threads threads() {
      if (threads == null) {
        String unused = unusedName(name + number);
        threads = new Threads(Contexts.newThreads(vertx, unused, number), unused, number);
      }
      return threads;
    }

    private String unusedName(String wanted) {
      String unused = wanted;
      for (int i = 2; names.putIfAbsent(unused, true) != null; i++) {
        unused = wanted + "-" + i;
      }
      return unused;
    }

    private void end(Threads old) {
      old.executor.close();
      names.remove(old.name);
    }

    @Override
    Future<?> run(Instance instance, Context handling, Work work) {
      ServiceHandler<Object> handler = instance.handler;
      Threads own = threads();
      Future<Future<?>> returned =
          own.executor.executeBlocking(() -> HandlerCall.of(handler, work), false);
      own.busy++;
      return returned.transform(
          handled -> {
            own.busy--;
            closeIfIdle(own);
            return handled.succeeded() ? handled.result() : Future.failedFuture(handled.cause());
          });
    }

    @Override
    void resize(int workers) {
      if (workers > number && !closed) {
        number = workers;
        Threads old = threads;
        threads = null;
        if (old != null) {
          replaced.add(old);
          closeIfIdle(old);
        }
      }
    }

    private void closeIfIdle(Threads old) {
      if (old.busy == 0 && replaced.remove(old)) {
        end(old);
      }
    }

    @Override
    void close() {
      if (!closed) {
        closed = true;
        replaced.forEach(this::end);
        if (threads != null) {
          end(threads);
        }
      }
    }
  }

  /** Each handler has a Vert.x context of its own: they do not wait for one another. */
  private static final class OnVirtualThreads extends HandlerRunner {
    private final Vertx vertx;

    OnVirtualThreads(Vertx vertx, Tracing tracing) {
      super(tracing);
      if (!Contexts.hasVirtualThreads(vertx)) {
        throw new IllegalArgumentException(
            "runOn is VIRTUAL_THREAD, which needs Java 21 or later; this is Java "
                + Runtime.version().feature()
                + ", allowed is EVENT_LOOP or WORKER");
      }
      this.vertx = vertx;
    }

    @Override
    Context handling(Instance instance, Work work) {
      return Contexts.newVirtualThread(vertx);
    }

    @Override
    Future<?> run(Instance instance, Context handling, Work work) {
      ServiceHandler<Object> handler = instance.handler;
      Promise<Object> result = Promise.promise();
      handling.runOnContext(ignored -> pass(HandlerCall.of(handler, work), result));
      return result.future();
    }
  }
}
