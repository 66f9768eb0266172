package dev.weir.queue.store;

import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A platform thread of a store that runs its duty whenever it is woken. */
public class StoreThread {

  /** The work of a store thread. */
  interface Duty {
    /**
     * Does the work that is due.
     *
     * @return time in ns until the next call, unless the thread is woken; 0 for at once
     */
    long run();
  }

  /** Result of a duty that needs no call until the thread is woken. */
  static final long FOREVER = Long.MAX_VALUE;

  private static final Logger LOG = LoggerFactory.getLogger(StoreThread.class);
  private static final long FAILED_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final UninterruptibleThread thread;
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

  /** Makes the duty run once more. Costs one volatile read while the thread is busy. */
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
      HeapExhaustion.report(e);
      LOG.error("{} failed and continues", thread.getName(), UserFailure.forLog(e));
      return FAILED_NS;
    }
  }

  boolean isCurrent() {
    return Thread.currentThread() == thread;
  }

  /**
   * Stops the thread after its current duty and waits for its end, also if the caller is
   * interrupted.
   */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    thread.awaitEnd();
  }
}
