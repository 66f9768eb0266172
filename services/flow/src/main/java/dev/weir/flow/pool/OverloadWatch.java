package dev.weir.flow.pool;

/**
 * Whether a service takes requests so late that their replies come too late. It does while it has
 * found a request whose requester had given up among the last {@value #MESSAGES} messages. Then the
 * time of its handler is estimated, as TCP estimates a round trip (RFC 6298): the average, and four
 * times the average deviation from it. One thread.
 */
public final class OverloadWatch {
  static final int MESSAGES = 1024;

  private static final int NONE = -1;
  private static final int AVERAGE_SHARE = 8;
  private static final int DEVIATION_SHARE = 4;
  private static final int DEVIATIONS = 4;

  /** So many more messages are handled before the watch ends; 0 or less while it is off. */
  private int left;

  private long averageNs = NONE;
  private long deviationNs;

  /** Whether times are asked for. */
  public boolean isOn() {
    return left > 0;
  }

  /** A request was dropped because its time was over, or too short. */
  public void foundLate() {
    if (left <= 0) {
      averageNs = NONE;
    }
    left = MESSAGES;
  }

  /** A message was handled in that time, and stands for so many. */
  public void handled(long ns, int messages) {
    if (!isOn()) {
      return;
    }
    left -= messages;
    if (averageNs == NONE) {
      averageNs = ns;
      deviationNs = ns / 2;
    } else {
      deviationNs += (Math.abs(ns - averageNs) - deviationNs) / DEVIATION_SHARE;
      averageNs += (ns - averageNs) / AVERAGE_SHARE;
    }
  }

  /** The time within which nearly every message is handled; 0 if nothing is known. */
  public long neededNs() {
    return isOn() && averageNs != NONE ? averageNs + DEVIATIONS * deviationNs : 0;
  }
}
