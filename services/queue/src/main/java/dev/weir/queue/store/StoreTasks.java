package dev.weir.queue.store;

import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeFiles;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** Tasks that other threads give to the writer thread, which runs them between its transactions. */
final class StoreTasks {
  private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
  private final JeFiles files;
  private final Runnable wakeWriter;
  private volatile boolean stopped;

  StoreTasks(JeFiles files, Runnable wakeWriter) {
    this.files = files;
    this.wakeWriter = wakeWriter;
  }

  /**
   * Runs a task on the writer thread and waits for its end, also if the caller is interrupted.
   *
   * @throws QueueException {@code CLOSED}, {@code DISK_FULL} or {@code STORE_FAILED}
   */
  <V> V call(Supplier<V> work) {
    try {
      return submit(work).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof QueueException failure ? failure : e;
    }
  }

  /** Runs a task on the writer thread; the future fails with a {@link QueueException}. */
  <V> CompletableFuture<V> submit(Supplier<V> work) {
    CompletableFuture<V> result = new CompletableFuture<>();
    waiting.add(() -> run(work, result));
    wakeWriter.run();
    if (stopped) {
      stop();
    }
    return result;
  }

  /** Runs a task on the writer thread. */
  void run(Runnable work) {
    submit(
        () -> {
          work.run();
          return null;
        });
  }

  /** Runs what completes a sender on the writer thread, or at the stop, which it may not miss. */
  void runAlways(Runnable completion) {
    waiting.add(completion);
    wakeWriter.run();
    if (stopped) {
      stop();
    }
  }

  private <V> void run(Supplier<V> work, CompletableFuture<V> result) {
    if (stopped) {
      result.completeExceptionally(new QueueException(Reason.CLOSED, "the store is closed"));
      return;
    }
    files.beginUse();
    try {
      result.complete(work.get());
    } catch (QueueException e) {
      result.completeExceptionally(e);
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(
          JeFiles.isStoreFailure(e)
              ? new QueueException(
                  files.reason(e), "the store cannot do this now: " + JeFiles.firstLine(e), e)
              : e);
    } finally {
      files.endUse();
    }
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** Runs the next task, if there is any; on the writer thread. */
  void runNext() {
    Runnable next = waiting.poll();
    if (next != null) {
      next.run();
    }
  }

  /** Fails all waiting and all later tasks. */
  void stop() {
    stopped = true;
    while (!isEmpty()) {
      runNext();
    }
  }
}
