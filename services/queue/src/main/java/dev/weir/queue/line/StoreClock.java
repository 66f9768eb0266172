package dev.weir.queue.line;

import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of day for delays and expiries. The clock follows the system's clock and never goes
 * back. When the system's clock is set back, this clock continues at the pace of the monotonic
 * clock.
 */
public final class StoreClock {
  private final InstantSource source;
  private final long startNs = System.nanoTime();
  private final long startMs;

  /** The largest lead of the system's clock over the monotonic one, in ms. */
  private final AtomicLong aheadMs = new AtomicLong();

  public StoreClock(InstantSource source) {
    this.source = source;
    this.startMs = source.millis();
  }

  /** ms since 1970; any thread. */
  public long nowMs() {
    long steadyMs = startMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    long ahead = source.millis() - steadyMs;
    long most = aheadMs.get();
    if (ahead > most) {
      most = aheadMs.updateAndGet(known -> Math.max(known, ahead));
    }
    return steadyMs + most;
  }
}
