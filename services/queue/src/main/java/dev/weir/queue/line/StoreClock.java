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
  private final long startMs;
  private final long startNs;

  /**
   * The largest lead of the system's clock over the monotonic one, in ms. A lead of one ms is none:
   * both clocks round down, at different moments, and a message must not be early by it.
   */
  private final AtomicLong aheadMs = new AtomicLong();

  public StoreClock(InstantSource source) {
    this.source = source;
    this.startMs = source.millis();
    // Read last: time that passes between the two must not put this clock ahead.
    this.startNs = System.nanoTime();
  }

  /** ms since 1970; any thread. */
  public long nowMs() {
    long steadyMs = startMs + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    long ahead = source.millis() - steadyMs - 1;
    long most = aheadMs.get();
    if (ahead > most) {
      most = aheadMs.updateAndGet(known -> Math.max(known, ahead));
    }
    return steadyMs + most;
  }
}
