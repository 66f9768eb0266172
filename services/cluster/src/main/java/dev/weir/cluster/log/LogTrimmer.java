package dev.weir.cluster.log;

import dev.weir.queue.store.UninterruptibleThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that deletes in small steps and pauses after each, to leave the CPU to other threads.
 */
final class LogTrimmer implements AutoCloseable {
  /** Deletes something. */
  @FunctionalInterface
  interface Step {
    /** Runs one step; returns false if there is nothing more to do until {@link #wake}. */
    boolean run();
  }

  private static final Logger LOG = LoggerFactory.getLogger(LogTrimmer.class);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final UninterruptibleThread thread;
  private final Step step;
  private volatile boolean wanted;
  private volatile boolean stopping;

  LogTrimmer(String name, Step step) {
    this.step = step;
    this.thread = new UninterruptibleThread(this::loop, name);
    thread.start();
  }

  void wake() {
    wanted = true;
    LockSupport.unpark(thread);
  }

  private void loop() {
    while (!stopping) {
      if (!wanted) {
        LockSupport.park(this);
        continue;
      }
      wanted = false;
      try {
        while (!stopping && step.run()) {
          LockSupport.parkNanos(this, PAUSE_NS);
        }
      } catch (LogException e) {
        // Every later use of the log throws the same failure.
        LOG.warn("trimming ends: {}", e.getMessage());
        return;
      } catch (RuntimeException e) {
        LOG.error("trimming ends", e);
        return;
      }
    }
  }

  /** Stops after the current step and waits for it, even if the caller is interrupted. */
  @Override
  public void close() {
    stopping = true;
    LockSupport.unpark(thread);
    thread.awaitEnd();
  }
}
