package dev.weir.group.call;

import dev.weir.queue.store.UninterruptibleThread;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that read states. A state may be on a disk, and an interrupt there costs the log of all
 * groups, so these are no workers of Vert.x.
 */
public final class ReadThreads {
  private static final long IDLE_MS = 1_000;

  private final Vertx vertx;
  private final ExecutorService threads;

  public ReadThreads(Vertx vertx) {
    AtomicInteger started = new AtomicInteger();
    this.vertx = vertx;
    int most = Runtime.getRuntime().availableProcessors();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_MS,
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            task ->
                new UninterruptibleThread(task, "weir-group-reads-" + started.getAndIncrement()));
    // The pool ends idle threads by an interrupt, which these ignore.
    pool.allowCoreThreadTimeOut(true);
    this.threads = pool;
  }

  /** Runs a task that blocks; the future completes on the caller's context. */
  <T> Future<T> run(Callable<T> task) {
    Context context = vertx.getOrCreateContext();
    Promise<T> promise = Promise.promise();
    try {
      threads.execute(() -> call(task, context, promise));
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(e);
    }
    return promise.future();
  }

  private static <T> void call(Callable<T> task, Context context, Promise<T> promise) {
    try {
      T result = task.call();
      context.runOnContext(done -> promise.complete(result));
    } catch (Throwable e) {
      context.runOnContext(failed -> promise.fail(e));
    }
  }

  /** Runs what waits, and nothing more. Does not wait for it. */
  public void close() {
    threads.shutdown();
  }
}
