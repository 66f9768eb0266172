package dev.weir.flow;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what a test needs, and says what it was when it does not come. */
final class Await {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long deadlineNs = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited " + DEADLINE.toSeconds() + " s for: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** The result of a future that must succeed. */
  static <T> T result(String what, Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(what + " failed", e.getCause());
    } catch (TimeoutException e) {
      throw new AssertionError("waited " + DEADLINE.toSeconds() + " s for: " + what, e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for: " + what, e);
    }
  }

  /** The cause of a future that must fail. */
  static Throwable failure(String what, Future<?> future) {
    until(what, future::isComplete);
    if (future.succeeded()) {
      throw new AssertionError(what + " succeeded with " + future.result());
    }
    return future.cause();
  }
}
