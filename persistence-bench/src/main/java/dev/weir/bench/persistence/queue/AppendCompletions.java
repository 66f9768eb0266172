package dev.weir.bench.persistence.queue;

import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import dev.weir.queue.Completion;
import dev.weir.queue.QueueException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts appends and their completions. One thread begins appends; any thread may complete them.
 */
final class AppendCompletions {
  private static final long STANDSTILL_NS = Duration.ofSeconds(30).toNanos();
  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(20);

  private final AtomicLong completed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Completion counted = failure -> complete(failure);
  private volatile QueueException firstFailure;
  private volatile Recording recording;
  private long begun;

  /** Records latencies from now on; null stops the recording. */
  void recordInto(Recording newRecording) {
    recording = newRecording;
  }

  /** For the next append. */
  Completion begin(long startNs) {
    begun++;
    Recording into = recording;
    if (into == null) {
      return counted;
    }
    return failure -> {
      into.record(System.nanoTime() - startNs);
      complete(failure);
    };
  }

  private void complete(QueueException failure) {
    if (failure != null && failed.getAndIncrement() == 0) {
      firstFailure = failure;
    }
    completed.getAndIncrement();
  }

  long completed() {
    return completed.get();
  }

  /** Waits until fewer than so many appends are incomplete; false if none completes for a while. */
  boolean awaitWindow(int window) {
    long before = completed.get();
    if (begun - before < window) {
      return true;
    }
    long changedNs = System.nanoTime();
    while (begun - completed.get() >= window) {
      LockSupport.parkNanos(this, WAIT_NS);
      long now = completed.get();
      if (now != before) {
        before = now;
        changedNs = System.nanoTime();
      } else if (System.nanoTime() - changedNs > STANDSTILL_NS) {
        return false;
      }
    }
    return true;
  }

  /** Waits until all appends are complete; false if none completes for a while. */
  boolean awaitAll() {
    return awaitWindow(1);
  }

  Verdict verdict() {
    QueueException failure = firstFailure;
    return Verdict.ok()
        .unless(completed.get() == begun, "appends without outcome " + (begun - completed.get()))
        .unless(
            failed.get() == 0,
            "appends failed " + failed.get() + (failure == null ? "" : " (" + failure + ")"));
  }
}
