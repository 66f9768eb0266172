package dev.weir.queue.store;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * A daemon thread that ignores interrupts. An interrupt inside Berkeley DB JE invalidates the
 * environment, one during the opening leaves the environment half made, and one inside a file lock
 * releases the lock. Also used for the threads of a cluster.
 */
public final class UninterruptibleThread extends Thread {
  public UninterruptibleThread(Runnable task, String name) {
    super(task, name);
    setDaemon(true);
  }

  @Override
  public void interrupt() {
    // The owner stops the thread by a flag.
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

  /**
   * Calls a task on such a thread and waits for its end. An interrupt of the caller does not end
   * the wait; it stays set.
   */
  public static <V> V call(String name, Supplier<V> task) {
    CompletableFuture<V> result = new CompletableFuture<>();
    UninterruptibleThread thread =
        new UninterruptibleThread(() -> result.completeAsync(task, Runnable::run), name);
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

  /** The same for a task without a result. */
  public static void run(String name, Runnable task) {
    call(
        name,
        () -> {
          task.run();
          return null;
        });
  }
}
