package dev.weir.queue;

/** The queues of {@link CrashModelTest}, small enough that everything is exercised. */
enum CrashQueue {
  PLAIN(DeliveryOrder.NONE, 3, 10_000, false),
  WRITTEN(DeliveryOrder.NONE, 2, 64, true),
  KEYED(DeliveryOrder.KEY, 3, 64, false),
  STRICT(DeliveryOrder.QUEUE, 4, 0, false);

  /** So many of the last ids are repeated, of those that a small window is sure to know. */
  static final int REPEATED_IDS = 20;

  final DeliveryOrder order;
  final int maxAttempts;
  final int dedupMaxIds;
  private final boolean writeThrough;

  CrashQueue(DeliveryOrder order, int maxAttempts, int dedupMaxIds, boolean writeThrough) {
    this.order = order;
    this.maxAttempts = maxAttempts;
    this.dedupMaxIds = dedupMaxIds;
    this.writeThrough = writeThrough;
  }

  QueueOptions options() {
    return new QueueOptions()
        .setOrder(order)
        .setDedupMaxIds(dedupMaxIds)
        .setWriteThrough(writeThrough)
        .setReadAheadBytes(8 << 10)
        .setRetry(RetryOptions.exponential(maxAttempts, 2, 10).setMaxDeliveries(127));
  }

  /** What stands for no key. */
  static final String NO_KEY = "-";

  /** The messages a message waits for: those of the same lane before it; "" for none. */
  String lane(String key) {
    return switch (order) {
      case NONE -> "";
      case KEY -> key.equals(NO_KEY) ? "" : key;
      case QUEUE -> "all";
    };
  }
}
