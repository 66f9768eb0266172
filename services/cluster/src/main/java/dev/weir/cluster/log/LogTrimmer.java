package dev.weir.cluster.log;

import dev.weir.cluster.threads.UninterruptibleThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that deletes in small steps, with a pause after each so that it takes no processor from
 * others for long.
 */
final class LogTrimmer implements AutoCloseable {
  /** One step of the work. */
  @FunctionalInterface
  interface Step {
    /** Returns false if there is nothing left to do until {@link #wake}. */
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
        // The log says so, too, to whoever uses it next.
        LOG.warn("trimming ends: {}", e.getMessage());
        return;
      } catch (RuntimeException e) {
        LOG.error("trimming ends", e);
        return;
      }
    }
  }

  /** Stops after the current step; waits for it, whatever the caller's interrupts. */
  @Override
  public void close() {
    stopping = true;
    LockSupport.unpark(thread);
    thread.awaitEnd();
  }
}
