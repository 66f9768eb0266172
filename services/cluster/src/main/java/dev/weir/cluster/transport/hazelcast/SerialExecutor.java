package dev.weir.cluster.transport.hazelcast;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs tasks one after another without a thread of its own. The thread that adds a task while none
 * runs also runs those that other threads add meanwhile.
 */
final class SerialExecutor {
  private static final long POLL_NS = 10_000;

  private final Consumer<Runnable> runner;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger unfinished = new AtomicInteger();
  private volatile Thread running;

  /**
   * @param runner runs a task; it must not throw
   */
  SerialExecutor(Consumer<Runnable> runner) {
    this.runner = runner;
  }

  /** Runs the task now, or leaves it to the thread that runs tasks already. */
  void execute(Runnable task) {
    tasks.add(task);
    if (unfinished.getAndIncrement() == 0) {
      running = Thread.currentThread();
      do {
        runner.accept(tasks.remove());
      } while (unfinished.decrementAndGet() > 0);
    }
  }

  /** Blocks until no task is left; returns at once if a task calls it. */
  void awaitIdle() {
    while (unfinished.get() > 0 && running != Thread.currentThread()) {
      LockSupport.parkNanos(this, POLL_NS);
    }
  }
}
