package dev.weir.gateway.metrics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations by buckets. One thread records, without an atomic instruction; any thread reads,
 * what it finds is a moment old at most.
 */
final class LatencyHistogram {
  /** Of each decade; neighbours differ by two thirds at most, and so do percentiles. */
  private static final long[] STEPS = {10, 15, 20, 30, 50, 70};

  static final long FIRST_NS = 10_000;
  static final long LAST_NS = 60_000_000_000L;

  /** Upper bounds of the buckets in ns, 10 us to 60 s; above them is one more. */
  private static final long[] BOUNDS_NS = bounds();

  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_NS.length + 1);
  private final AtomicLong sumNs = new AtomicLong();

  private static long[] bounds() {
    long[] bounds = new long[64];
    int count = 0;
    for (long decadeNs = FIRST_NS; decadeNs < LAST_NS; decadeNs *= 10) {
      for (long step : STEPS) {
        long boundNs = decadeNs / 10 * step;
        if (boundNs < LAST_NS) {
          bounds[count++] = boundNs;
        }
      }
    }
    bounds[count++] = LAST_NS;
    return Arrays.copyOf(bounds, count);
  }

  /** Upper bounds of the buckets in ns; the last bucket has none. */
  static long[] boundsNs() {
    return BOUNDS_NS.clone();
  }

  /**
   * The one thread records.
   *
   * @param ns the duration
   * @param messages how many it stands for
   */
  void record(long ns, int messages) {
    int bucket = bucketOf(ns);
    counts.setRelease(bucket, counts.getPlain(bucket) + messages);
    sumNs.setRelease(sumNs.getPlain() + ns * messages);
  }

  private static int bucketOf(long ns) {
    int found = Arrays.binarySearch(BOUNDS_NS, ns);
    return found < 0 ? -found - 1 : found;
  }

  /** Any thread. */
  LatencySnapshot snapshot() {
    long[] now = new long[counts.length()];
    for (int i = 0; i < now.length; i++) {
      now[i] = counts.getAcquire(i);
    }
    return new LatencySnapshot(now, sumNs.getAcquire());
  }
}
