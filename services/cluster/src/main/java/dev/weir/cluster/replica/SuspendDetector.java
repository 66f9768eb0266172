package dev.weir.cluster.replica;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that this machine was suspended together with its monotonic clock, by the time of day: it
 * is ahead of the monotonic clock by more than when it was last looked at. A time of day that is
 * set ahead looks the same. Under the group's lock.
 */
final class SuspendDetector {
  private static final Logger LOG = LoggerFactory.getLogger(SuspendDetector.class);

  /** {@value}: a shorter suspension is not noticed. */
  static final long LEAST_MS = 20;

  private static final long MAX_READING_NS = TimeUnit.MILLISECONDS.toNanos(LEAST_MS / 4);
  private static final int MAX_READINGS = 100;

  private final String group;
  private final ReplicaClock clock;

  /** By how much the time of day was ahead of the monotonic clock. */
  private long leadMs;

  SuspendDetector(String group, ReplicaClock clock) {
    this.group = group;
    this.clock = clock;
    this.leadMs = exactLeadMs();
  }

  /**
   * Whether this machine was suspended since the last call.
   *
   * @param nowNs monotonic time, read just now
   */
  boolean wasSuspended(long nowNs) {
    long before = leadMs;
    leadMs = leadMs(nowNs);
    if (leadMs - before > LEAST_MS) {
      // This thread may have stood still between the two clocks.
      leadMs = exactLeadMs();
    }
    boolean suspended = leadMs - before > LEAST_MS;
    if (suspended) {
      LOG.warn(
          "group {}: the time of day went ahead of the monotonic clock by {} ms: this machine was"
              + " suspended, or its time was set; all members in sync have to answer anew",
          group,
          leadMs - before);
    }
    return suspended;
  }

  private long leadMs(long nowNs) {
    return clock.timeMs() - TimeUnit.NANOSECONDS.toMillis(nowNs);
  }

  /** Reads both clocks, again if this thread stood still in between. */
  private long exactLeadMs() {
    long lead = 0;
    for (int i = 0; i < MAX_READINGS; i++) {
      long nowNs = clock.nanoTime();
      lead = leadMs(nowNs);
      if (clock.nanoTime() - nowNs <= MAX_READING_NS) {
        return lead;
      }
    }
    return lead;
  }
}
