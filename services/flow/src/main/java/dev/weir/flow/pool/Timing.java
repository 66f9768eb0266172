package dev.weir.flow.pool;

/** When a message that is timed arrived and was started. */
public final class Timing {
  /** How many messages this one stands for. */
  public final int messages;

  /** When it arrived; before its restart, as it were, for a message from disk. */
  final long arrivedNs;

  private long startedNs;

  public Timing(int messages, long arrivedNs) {
    this.messages = messages;
    this.arrivedNs = arrivedNs;
    this.startedNs = arrivedNs;
  }

  public void started(long nowNs) {
    startedNs = nowNs;
  }

  public long waitedNs() {
    return startedNs - arrivedNs;
  }

  public long handledNs(long nowNs) {
    return nowNs - startedNs;
  }
}
