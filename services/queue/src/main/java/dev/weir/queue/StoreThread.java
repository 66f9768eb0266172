package dev.weir.queue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread of a store: a platform thread of its own that does its duty whenever it is woken. It is
 * not handed out, so nobody interrupts it; should it happen, the interrupt is cleared before JE
 * sees it, because it would cost the environment.
 */
final class StoreThread {

  /** What a store thread does. */
  interface Duty {
    /**
     * Does what there is to do.
     *
     * @return ns to rest unless woken; 0 to go on at once
     */
    long run();
  }

  /** Rest until woken. */
  static final long FOREVER = Long.MAX_VALUE;

  private final Thread thread;
  private final Duty duty;
  private volatile boolean resting;
  private volatile boolean stopping;

  StoreThread(String name, Duty duty) {
    this.duty = duty;
    this.thread = new Thread(this::loop, name);
    this.thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Makes the duty run once more; cheap when the thread is busy. */
  void wake() {
    if (resting) {
      resting = false;
      LockSupport.unpark(thread);
    }
  }

  private void loop() {
    while (!stopping) {
      Thread.interrupted();
      long restNs = duty.run();
      if (restNs > 0) {
        resting = true;
        // Work that came between the duty's last look and this flag woke nobody: look again.
        restNs = duty.run();
        if (restNs > 0 && resting && !stopping) {
          LockSupport.parkNanos(this, restNs);
        }
        resting = false;
      }
    }
  }

  /** Stops after the current duty; waits for it. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        TimeUnit.MILLISECONDS.timedJoin(thread, 1000);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
