package dev.weir.queue.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs the opening and closing of files on a thread that cannot be interrupted. An interrupt inside
 * JE invalidates the environment, and an interrupt inside a file lock releases the lock. The caller
 * waits for the end and keeps its own interrupt.
 */
public final class StoreCall {
  private StoreCall() {}

  public static <V> V call(Supplier<V> duty) {
    CompletableFuture<V> result = new CompletableFuture<>();
    new UninterruptibleThread(() -> result.completeAsync(duty, Runnable::run), "weir-queue-call")
        .start();
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  public static void run(Runnable duty) {
    call(
        () -> {
          duty.run();
          return null;
        });
  }
}
