package dev.weir.queue.line;

import dev.weir.queue.MessageOptions;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time of a store for delays and expiries: the time of day at the opening, and from then on the
 * monotonic clock. When the machine's clock is set while the store is open, the time of the store
 * goes on at its pace.
 */
public final class StoreClock {
  /** A smaller difference between the two clocks is none: each is rounded at another moment. */
  private static final long TOLERANCE_MS = 100;

  /** Both clocks are read within this time. */
  private static final long MAX_READ_NS = TimeUnit.MILLISECONDS.toNanos(TOLERANCE_MS / 2);

  /** A clock that is slower than that at every read is taken as it is. */
  private static final int MAX_READINGS = 100;

  private final InstantSource timeOfDay;
  private final LongSupplier monotonicNs;
  private final long startMs;
  private final long startNs;

  public StoreClock(InstantSource timeOfDay, LongSupplier monotonicNs) {
    this.timeOfDay = timeOfDay;
    this.monotonicNs = monotonicNs;
    Reading reading = read();
    this.startMs = reading.timeOfDayMs;
    // The later of the two: time that passes between the reads must not put this clock ahead.
    this.startNs = reading.afterNs;
  }

  /** Both clocks at one moment, with the monotonic one read before and after the other. */
  private record Reading(long timeOfDayMs, long afterNs) {}

  /**
   * Reads again when the thread has stood still between the reads: that is no clock that was set.
   */
  private Reading read() {
    long beforeNs = monotonicNs.getAsLong();
    for (int reading = 1; ; reading++) {
      long timeOfDayMs = timeOfDay.millis();
      long afterNs = monotonicNs.getAsLong();
      if (afterNs - beforeNs < MAX_READ_NS || reading == MAX_READINGS) {
        return new Reading(timeOfDayMs, afterNs);
      }
      beforeNs = afterNs;
    }
  }

  /** ms since 1970; any thread. */
  public long nowMs() {
    return atMs(monotonicNs.getAsLong());
  }

  /** The monotonic clock, in ns from any start; any thread. */
  public long nowNs() {
    return monotonicNs.getAsLong();
  }

  private long atMs(long ns) {
    return startMs + TimeUnit.NANOSECONDS.toMillis(ns - startNs);
  }

  /**
   * The times that a caller has just worked out by the machine's clock, by this clock. The next
   * opening judges expiries by the time of day, so an expiry may come late but not early.
   */
  public MessageOptions convert(MessageOptions its) {
    long leadMs = leadMs();
    return leadMs == 0
        ? its
        : its.withNotBeforeMs(convert(its.notBeforeMs(), leadMs))
            .withExpiresAtMs(convert(its.expiresAtMs(), Math.max(0, leadMs)));
  }

  private static long convert(long timeMs, long leadMs) {
    if (timeMs == 0) {
      return 0;
    }
    return timeMs > Long.MAX_VALUE - Math.max(0, leadMs)
        ? Long.MAX_VALUE
        : Math.max(1, timeMs + leadMs);
  }

  /**
   * What is to be added to a time that a caller has just worked out by the machine's clock, so that
   * this clock comes to it after the same delay, in ms; 0 unless the machine's clock was set. Any
   * thread.
   */
  public long leadMs() {
    Reading reading = read();
    long leadMs = atMs(reading.afterNs) - reading.timeOfDayMs;
    return Math.abs(leadMs) <= TOLERANCE_MS ? 0 : leadMs;
  }
}
