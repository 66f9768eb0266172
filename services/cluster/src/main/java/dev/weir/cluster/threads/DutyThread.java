package dev.weir.cluster.threads;

import dev.weir.cluster.Waiting;
import dev.weir.queue.store.UninterruptibleThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** A thread with one duty, which it does again and again, and which others wake. */
public final class DutyThread implements AutoCloseable {
  /** What it does. */
  @FunctionalInterface
  public interface Duty {
    /** Does what there is to do now; returns false if that was nothing. */
    boolean run();
  }

  private static final long REST_NS = TimeUnit.SECONDS.toNanos(1);

  private final Duty duty;
  private final Waiting waiting;
  private final UninterruptibleThread thread;
  private final Runnable onStart;
  private final Consumer<Throwable> onFailure;
  private volatile boolean resting;
  private volatile boolean closing;

  /**
   * A thread that does not run yet.
   *
   * @param waiting what it does while there is nothing to do
   * @param onStart called by the thread before anything else
   * @param onFailure told of what the duty throws, which ends the thread
   */
  DutyThread(
      String name, Waiting waiting, Duty duty, Runnable onStart, Consumer<Throwable> onFailure) {
    this.waiting = waiting;
    this.duty = duty;
    this.onStart = onStart;
    this.onFailure = onFailure;
    this.thread = new UninterruptibleThread(this::loop, name);
  }

  public void start() {
    thread.start();
  }

  /** There is something to do; any thread, after it can be seen. */
  public void wake() {
    if (resting) {
      LockSupport.unpark(thread);
    }
  }

  public boolean isClosing() {
    return closing;
  }

  /** Whether the caller is this thread. */
  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  private void loop() {
    try {
      onStart.run();
      while (!closing) {
        if (!duty.run()) {
          rest();
        }
      }
      while (duty.run()) {
        Thread.onSpinWait();
      }
    } catch (Throwable e) {
      onFailure.accept(e);
    }
  }

  private void rest() {
    if (waiting == Waiting.SPIN) {
      Thread.onSpinWait();
      return;
    }
    resting = true;
    // What came before others could see that it rests.
    if (!duty.run() && !closing) {
      LockSupport.parkNanos(this, REST_NS);
    }
    resting = false;
  }

  /** Has it do what there is to do and end; waits for that, unless it is the caller. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    if (!isCurrent()) {
      thread.awaitEnd();
    }
  }
}
