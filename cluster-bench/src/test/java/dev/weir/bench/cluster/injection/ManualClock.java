package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.Clock;

/** Time that passes when a test says so. */
final class ManualClock implements Clock {
  private long nowNs = 1_000;

  void advance(long ns) {
    nowNs += ns;
  }

  @Override
  public long nanoTime() {
    return nowNs;
  }

  @Override
  public void awaitUntil(long timeNs) {
    nowNs = Math.max(nowNs, timeNs);
  }
}
