package dev.weir.testing;

import io.vertx.core.Future;

/** Waits for futures of Vert.x. */
public final class Futures {
  private Futures() {}

  /** The result of a future that must succeed. */
  public static <T> T result(String what, Future<T> future) {
    Await.until(what, future::isComplete);
    if (future.failed()) {
      throw new AssertionError(what + " failed", future.cause());
    }
    return future.result();
  }

  /** The cause of a future that must fail. */
  public static Throwable failure(String what, Future<?> future) {
    Await.until(what, future::isComplete);
    if (future.succeeded()) {
      throw new AssertionError(what + " succeeded with " + future.result());
    }
    return future.cause();
  }
}
