package dev.weir.flow.pool;

/**
 * Chooses the messages that are timed: each while they are few, one in {@value #EVERY} when they
 * come faster than one in {@value #MANY_NS} ns. Asking the time costs a tenth of what a message
 * costs in memory. One thread.
 */
public final class Sampler {
  public static final int EVERY = 16;
  static final long MANY_NS = 10_000;

  /** So many timed messages show that there are many. */
  private static final int WINDOW = 64;

  private int every = 1;
  private int left = 1;
  private int inWindow;
  private long windowNs;
  private long lastNs;

  /** Whether the next message is to be timed. */
  public boolean chooses() {
    return --left == 0;
  }

  /**
   * After {@link #chooses()} has said so.
   *
   * @param nowNs the time
   * @return how many messages since the last that was timed this one stands for
   */
  public int stands(long nowNs) {
    int stands = every;
    if (every == EVERY) {
      if (nowNs - lastNs > EVERY * MANY_NS) {
        every = 1;
        inWindow = 0;
      }
    } else if (inWindow == 0) {
      windowNs = nowNs;
      inWindow = 1;
    } else if (++inWindow > WINDOW) {
      every = nowNs - windowNs < WINDOW * MANY_NS ? EVERY : 1;
      inWindow = 0;
    }
    lastNs = nowNs;
    left = every;
    return stands;
  }
}
