package dev.weir.cluster.replica;

import dev.weir.options.HeapExhaustion;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Logs what user code throws: at most one failure in ten seconds, with the number left out. An
 * {@link OutOfMemoryError} goes to the thread's handler of uncaught exceptions too, each time.
 */
final class FailureLog {
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(10);

  private final Logger log;
  private final String group;
  private boolean used;
  private long lastNs;
  private long leftOut;

  FailureLog(Logger log, String group) {
    this.log = log;
    this.group = group;
  }

  /**
   * Logs a failure, unless one was logged just before.
   *
   * @param what what has failed and what follows
   */
  void add(String what, Throwable cause) {
    HeapExhaustion.report(cause);
    log(what, cause);
  }

  private synchronized void log(String what, Throwable cause) {
    long nowNs = System.nanoTime();
    if (used && nowNs - lastNs < PAUSE_NS) {
      leftOut++;
      return;
    }
    log.warn("group {}: {}; {} earlier failures are not logged", group, what, leftOut, cause);
    used = true;
    lastNs = nowNs;
    leftOut = 0;
  }
}
