package dev.weir.cluster.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A daemon thread that ignores interrupts. An interrupt inside Berkeley DB JE makes its environment
 * unusable.
 */
public final class UninterruptibleThread extends Thread {
  public UninterruptibleThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  @Override
  public void interrupt() {
    // Owners stop it by a flag.
  }

  /**
   * Calls a task on such a thread and waits for it. An interrupt of the caller does not end the
   * wait; it stays set.
   */
  public static <V> V call(Supplier<V> task) {
    CompletableFuture<V> result = new CompletableFuture<>();
    UninterruptibleThread thread =
        new UninterruptibleThread(() -> result.completeAsync(task, Runnable::run), "weir-log-call");
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

  /**
   * Waits until the thread ends. An interrupt of the caller does not end the wait; it stays set.
   */
  public void awaitEnd() {
    boolean interrupted = false;
    while (isAlive()) {
      try {
        join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
