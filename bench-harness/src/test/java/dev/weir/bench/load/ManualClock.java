package dev.weir.bench.load;

/** Time that passes only when a test says so, or when somebody waits. */
final class ManualClock implements Clock {
  private long nowNs;

  ManualClock(long nowNs) {
    this.nowNs = nowNs;
  }

  void advanceNs(long ns) {
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
