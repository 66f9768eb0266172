package dev.weir.cluster.log;

import dev.weir.queue.store.UninterruptibleThread;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that deletes for all logs of an environment, in small steps, and makes checkpoints
 * after snapshots. It pauses after each step, to leave the CPU to other threads, and serves the
 * logs in turn.
 */
final class LogTrimmer {
  /** Deletes something. */
  @FunctionalInterface
  interface Step {
    /** Runs one step; returns false if there is nothing more to do until {@link Job#wake}. */
    boolean run();
  }

  private static final Logger LOG = LoggerFactory.getLogger(LogTrimmer.class);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final UninterruptibleThread thread;
  private final Queue<Job> wanted = new ConcurrentLinkedQueue<>();
  private volatile boolean stopping;

  LogTrimmer(String name) {
    this.thread = new UninterruptibleThread(this::loop, name);
    thread.start();
  }

  /** What one log has to delete. */
  Job job(Step step) {
    return new Job(step);
  }

  private void loop() {
    while (!stopping) {
      Job job = wanted.poll();
      if (job == null) {
        LockSupport.park(this);
      } else if (job.run()) {
        job.wake();
        LockSupport.parkNanos(this, PAUSE_NS);
      }
    }
  }

  /** Ends the thread and waits for it, even if the caller is interrupted. */
  void end() {
    stopping = true;
    LockSupport.unpark(thread);
    thread.awaitEnd();
  }

  /** The deletions of one log. */
  final class Job implements AutoCloseable {
    private final Step step;
    private final AtomicBoolean waits = new AtomicBoolean();

    /** Guarded by this job, whose monitor the thread holds during a step. */
    private boolean closed;

    private Job(Step step) {
      this.step = step;
    }

    void wake() {
      if (waits.compareAndSet(false, true)) {
        wanted.add(this);
        LockSupport.unpark(thread);
      }
    }

    private synchronized boolean run() {
      waits.set(false);
      if (closed) {
        return false;
      }
      try {
        return step.run();
      } catch (LogException e) {
        // Every later use of the log throws the same failure.
        LOG.warn("trimming ends: {}", e.getMessage());
      } catch (RuntimeException e) {
        LOG.error("trimming ends", e);
      }
      closed = true;
      return false;
    }

    /** Waits for the current step; there is none after it. */
    @Override
    public synchronized void close() {
      closed = true;
    }
  }
}
