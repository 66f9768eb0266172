package dev.weir.queue.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Opens and closes files for callers: on a thread nobody can interrupt, because an interrupt inside
 * JE costs the environment and one inside a file lock costs the lock. The caller waits for the end
 * whatever happens, and keeps its interrupt.
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
