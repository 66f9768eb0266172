package dev.weir.cluster.log;

import dev.weir.cluster.threads.UninterruptibleThread;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Opens and closes a log for callers, on a thread nobody can interrupt: it is the user's threads
 * that do so. The caller waits for the end whatever happens, and keeps its interrupt.
 */
public final class LogCall {
  private LogCall() {}

  public static <V> V call(Supplier<V> duty) {
    CompletableFuture<V> result = new CompletableFuture<>();
    UninterruptibleThread thread =
        new UninterruptibleThread(() -> result.completeAsync(duty, Runnable::run), "weir-log-call");
    thread.start();
    thread.awaitEnd();
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
}
