package dev.weir.flow;

/** When a message that is timed arrived and was started. */
final class Timing {
  /** How many messages this one stands for. */
  final int messages;

  /** When it arrived; before its restart, as it were, for a message from disk. */
  final long arrivedNs;

  private long startedNs;

  Timing(int messages, long arrivedNs) {
    this.messages = messages;
    this.arrivedNs = arrivedNs;
    this.startedNs = arrivedNs;
  }

  void started(long nowNs) {
    startedNs = nowNs;
  }

  long waitedNs() {
    return startedNs - arrivedNs;
  }

  long handledNs(long nowNs) {
    return nowNs - startedNs;
  }
}
