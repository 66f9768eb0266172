package dev.weir.queue.store;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread of a store: a platform thread of its own that does its duty whenever it is woken. */
public final class StoreThread {

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

  private static final Logger LOG = LoggerFactory.getLogger(StoreThread.class);
  private static final long FAILED_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Thread thread;
  private final Duty duty;
  private volatile boolean resting;
  private volatile boolean stopping;

  StoreThread(String name, Duty duty) {
    this.duty = duty;
    this.thread = new UninterruptibleThread(this::loop, name);
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
      long restNs = duty();
      if (restNs > 0) {
        resting = true;
        // Work that came between the duty's last look and this flag woke nobody: look again.
        restNs = duty();
        if (restNs > 0 && resting && !stopping) {
          LockSupport.parkNanos(this, restNs);
        }
        resting = false;
      }
    }
  }

  private long duty() {
    try {
      return duty.run();
    } catch (Throwable e) {
      LOG.error("{} failed and goes on", thread.getName(), e);
      return FAILED_NS;
    }
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /** Stops after the current duty; waits for it, whatever the caller's interrupts. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
