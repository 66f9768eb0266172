package dev.weir.cluster.replica;

import java.util.concurrent.TimeUnit;

/**
 * The time stamps of batches: the time of day, but never before the last time stamp. While the time
 * of day is behind, as after a primary whose clock was ahead, time goes on from the last time stamp
 * by the monotonic clock. It goes at nine tenths of that clock's speed until the time of day has
 * come up to it. So no delay and no expiry of a client waits for that. Under the group's lock.
 */
final class GroupClock {
  private final ReplicaClock clock;

  /** Whether the time of day was behind when it was last looked at. */
  private boolean ahead;

  /** Time stamp from which time goes on while it is ahead, and when it was that, monotonic. */
  private long fromMs;

  private long fromNs;

  GroupClock(ReplicaClock clock) {
    this.clock = clock;
  }

  /**
   * The time stamp of a batch that is accepted now, ms since 1970. To be called regularly, also by
   * a replica that is not primary: it measures from when on the time of day is behind.
   *
   * @param lastMs the time stamp of the last batch
   */
  long timeMs(long lastMs) {
    long dayMs = clock.timeMs();
    if (!ahead && dayMs >= lastMs) {
      return dayMs;
    }
    long nowNs = clock.nanoTime();
    if (!ahead || lastMs > goneOnMs(nowNs)) {
      fromMs = lastMs;
      fromNs = nowNs;
    }
    long timeMs = goneOnMs(nowNs);
    ahead = dayMs < timeMs;
    return ahead ? timeMs : dayMs;
  }

  private long goneOnMs(long nowNs) {
    long goneMs = TimeUnit.NANOSECONDS.toMillis(nowNs - fromNs);
    return fromMs + goneMs - goneMs / 10;
  }
}
