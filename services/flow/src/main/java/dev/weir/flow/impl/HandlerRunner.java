package dev.weir.flow.impl;

import dev.weir.flow.RunOn;
import dev.weir.flow.ServiceHandler;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs a handler where {@link RunOn} says; called on the service's event loop. */
abstract class HandlerRunner {
  private final ServiceHandler<Object> handler;

  private HandlerRunner(ServiceHandler<Object> handler) {
    this.handler = handler;
  }

  static HandlerRunner of(
      RunOn runOn, Vertx vertx, String address, int workers, ServiceHandler<Object> handler) {
    return switch (runOn) {
      case EVENT_LOOP -> new OnEventLoop(handler);
      case WORKER -> new OnWorkers(handler, vertx, address, workers);
      case VIRTUAL_THREAD -> new OnVirtualThreads(handler);
    };
  }

  /** Starts the handler; the future may complete on any thread. */
  abstract Future<?> run(Work work);

  /** Makes room for that many handlers at once. */
  void resize(int workers) {}

  void close() {}

  final Future<?> handle(Work work) {
    Future<?> result;
    try {
      result = handler.handle(work);
    } catch (Throwable e) {
      return Future.failedFuture(e);
    }
    return result != null
        ? result
        : Future.failedFuture(new NullPointerException("the handler returned no future"));
  }

  private static final class OnEventLoop extends HandlerRunner {
    OnEventLoop(ServiceHandler<Object> handler) {
      super(handler);
    }

    @Override
    Future<?> run(Work work) {
      return handle(work);
    }
  }

  private static final class OnWorkers extends HandlerRunner {
    private final Vertx vertx;
    private final String name;

    /** The last is in use; closing an earlier one would interrupt what still runs on it. */
    private final Deque<WorkerExecutor> executors = new ArrayDeque<>();

    private int size;

    OnWorkers(ServiceHandler<Object> handler, Vertx vertx, String address, int workers) {
      super(handler);
      this.vertx = vertx;
      this.name = "weir-" + address + "-";
      open(workers);
    }

    private void open(int workers) {
      size = workers;
      executors.add(vertx.createSharedWorkerExecutor(name + workers, workers));
    }

    @Override
    Future<?> run(Work work) {
      return executors
          .getLast()
          .executeBlocking(() -> handle(work), false)
          .compose(result -> result);
    }

    @Override
    void resize(int workers) {
      if (workers > size) {
        open(workers);
      }
    }

    @Override
    void close() {
      executors.forEach(WorkerExecutor::close);
    }
  }

  /** By reflection, because the library runs on Java 17 too. */
  private static final class OnVirtualThreads extends HandlerRunner {
    private final ExecutorService executor;

    OnVirtualThreads(ServiceHandler<Object> handler) {
      super(handler);
      try {
        executor =
            (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
        throw new IllegalArgumentException(
            "runOn is VIRTUAL_THREAD, which needs Java 21 or later; this is Java "
                + Runtime.version().feature()
                + ", allowed is EVENT_LOOP or WORKER",
            e);
      }
    }

    @Override
    Future<?> run(Work work) {
      Promise<Object> promise = Promise.promise();
      executor.execute(
          () ->
              handle(work)
                  .onComplete(
                      done -> {
                        if (done.succeeded()) {
                          promise.complete(done.result());
                        } else {
                          promise.fail(done.cause());
                        }
                      }));
      return promise.future();
    }

    @Override
    void close() {
      executor.shutdown();
    }
  }
}
