package dev.weir.flow.vertx;

import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.spi.tracing.VertxTracer;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** What contexts and instances of Vert.x can do besides their public methods. */
public final class Contexts {
  private Contexts() {}

  private static ContextInternal of(Context context) {
    return (ContextInternal) context;
  }

  private static VertxInternal of(Vertx vertx) {
    return (VertxInternal) vertx;
  }

  /** The context that the calling code runs in, which may be of one message only; null for none. */
  public static Context current() {
    return ContextInternal.current();
  }

  /** The context of the verticle or other code of this Vert.x that calls; null if there is none. */
  public static Context caller(Vertx vertx) {
    ContextInternal current = ContextInternal.current();
    return current != null && current.owner() == vertx ? current.unwrap() : null;
  }

  /** A context of no verticle, on the event loop whose turn it is. */
  public static Context newEventLoop(Vertx vertx) {
    return of(vertx).createEventLoopContext();
  }

  /**
   * The same, but not on one of some event loops, if there are others.
   *
   * @param avoided by {@link #eventLoop}
   */
  public static Context newEventLoop(Vertx vertx, Set<Executor> avoided) {
    Context context = newEventLoop(vertx);
    Iterator<?> loops = of(vertx).nettyEventLoopGroup().iterator();
    while (avoided.contains(eventLoop(context)) && loops.hasNext()) {
      loops.next();
      context = newEventLoop(vertx);
    }
    return context;
  }

  /** A context of no verticle, on the event loop of another context. */
  public static Context newBeside(Context context) {
    return of(context.owner())
        .contextBuilder()
        .withThreadingModel(ThreadingModel.EVENT_LOOP)
        .withEventLoop(of(context).nettyEventLoop())
        .build();
  }

  /** Whether {@link #newVirtualThread} works: on Java 21 or later. */
  public static boolean hasVirtualThreads(Vertx vertx) {
    return of(vertx).isVirtualThreadAvailable();
  }

  /** A context whose tasks run on virtual threads, one at a time. */
  public static Context newVirtualThread(Vertx vertx) {
    return of(vertx).createVirtualThreadContext();
  }

  /** A context of the same event loop, with local data of its own, as each message has one. */
  public static Context duplicate(Context context) {
    return of(context).duplicate();
  }

  /** A promise that tells its listeners in a context. */
  public static <T> Promise<T> promise(Context context) {
    return of(context).promise();
  }

  /** Calls a handler on this thread, which must be the context's, with the context as current. */
  public static <E> void dispatch(Context context, E event, Handler<E> handler) {
    of(context).dispatch(event, handler);
  }

  /** Calls on this thread, whichever that is, with a context as current. */
  public static <T> T within(Context context, Supplier<T> call) {
    ContextInternal before = of(context).beginDispatch();
    try {
      return call.get();
    } finally {
      of(context).endDispatch(before);
    }
  }

  /** Runs a task on the context's thread: at once if this is it, else later. */
  public static void execute(Context context, Runnable task) {
    of(context).execute(task);
  }

  /** Whether this is the context's thread. */
  public static boolean isOnThread(Context context) {
    return of(context).inThread();
  }

  /** Runs tasks on the thread of a context, in no context; one for each event loop. */
  public static Executor eventLoop(Context context) {
    return of(context).nettyEventLoop();
  }

  /**
   * Threads that end when they are closed, or at the end of the close of Vert.x. Those of {@link
   * Vertx#createSharedWorkerExecutor} end first of all when Vert.x or the verticle closes, while
   * what uses them still drains.
   */
  public static WorkerExecutor newThreads(Vertx vertx, String name, int number) {
    // Nothing runs on its event loop, so this takes no turn of the others.
    EventLoop any = (EventLoop) of(vertx).nettyEventLoopGroup().iterator().next();
    Context own =
        of(vertx).contextBuilder().withEventLoop(any).withCloseFuture(new CloseFuture()).build();
    return within(own, () -> vertx.createSharedWorkerExecutor(name, number));
  }

  /**
   * Runs a task on one of some threads.
   *
   * @param ordered whether it waits for earlier tasks of the calling context
   * @return fails with a {@link RejectedExecutionException}, which Vert.x throws, if the threads
   *     are closed
   */
  public static <T> Future<T> executeBlocking(
      WorkerExecutor threads, Callable<T> task, boolean ordered) {
    try {
      return threads.executeBlocking(task, ordered);
    } catch (RejectedExecutionException e) {
      return Future.failedFuture(e);
    }
  }

  /**
   * Calls back in a context after a time. The timer goes on when the verticle of the context is
   * undeployed, unlike one of {@link Vertx#setTimer}.
   *
   * @param delayMs at least 1
   * @return for {@link Vertx#cancelTimer}
   */
  public static long setTimer(Context context, long delayMs, Handler<Long> handler) {
    return of(context).setTimer(delayMs, handler);
  }

  /**
   * Closes what a verticle has made when the verticle is undeployed, and at once if it was already.
   *
   * @param caller nothing is done if it is null or no verticle's
   * @param closed completes when it is closed for whatever reason
   */
  public static void closeWith(Context caller, Supplier<Future<Void>> close, Future<?> closed) {
    if (isOfVerticle(caller)) {
      closeWith(of(caller).closeFuture(), close, closed);
    }
  }

  /** The same, and closes what no verticle has made when Vert.x closes. */
  public static void closeWithVerticleOrVertx(
      Vertx vertx, Context caller, Supplier<Future<Void>> close, Future<?> closed) {
    CloseFuture owner = isOfVerticle(caller) ? of(caller).closeFuture() : of(vertx).closeFuture();
    closeWith(owner, close, closed);
  }

  private static boolean isOfVerticle(Context caller) {
    return caller != null && caller.deploymentID() != null;
  }

  private static void closeWith(CloseFuture owner, Supplier<Future<Void>> close, Future<?> closed) {
    Closeable hook = done -> close.get().onComplete(done);
    if (owner.add(hook)) {
      closed.onComplete(ignored -> owner.remove(hook));
    } else {
      close.get();
    }
  }

  /**
   * Starts something in a context of no verticle: Vert.x ends the clients, consumers and timers of
   * a verticle before anything else of it is closed.
   *
   * @return the result, on the caller's context
   */
  public static <T> Future<T> outside(Vertx vertx, Supplier<Future<T>> start) {
    Promise<T> started = of(vertx).promise();
    within(newEventLoop(vertx), start).onComplete(started);
    return started.future();
  }

  /** Closes what uses a Vert.x before that is closed. */
  public static void addCloseHook(Vertx vertx, Closeable hook) {
    of(vertx).addCloseHook(hook);
  }

  public static void removeCloseHook(Vertx vertx, Closeable hook) {
    of(vertx).removeCloseHook(hook);
  }

  /** Null for a Vert.x without one. */
  @SuppressWarnings("unchecked")
  public static VertxTracer<Object, Object> tracer(Vertx vertx) {
    return (VertxTracer<Object, Object>) of(vertx).tracer();
  }
}
