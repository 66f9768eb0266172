package dev.weir.queue;

/** What a queue knows of its dead letters without reading them. Guarded by the queue's lock. */
final class DeadBook {
  long count;
  long bytes;

  /** Removed because there were too many, or they were too old. */
  long trimmed;

  /** None is before it. */
  long firstNumber;

  /** When the oldest died, ms since 1970. */
  long oldestMs = Long.MAX_VALUE;

  private long nextNumber = 1;

  /** Names the next dead letter. */
  DeadKey name(SideMessage<?> message) {
    return new DeadKey(nextNumber++, message.sequence, message.diedAtMs, message.bytes());
  }

  void add(DeadKey key) {
    count++;
    bytes += key.bytes();
    oldestMs = Math.min(oldestMs, key.diedAtMs());
    nextNumber = Math.max(nextNumber, key.number() + 1);
  }

  void remove(DeadKey key) {
    count--;
    bytes -= key.bytes();
  }

  /** Nothing is before this one. */
  void startAt(DeadKey oldest) {
    firstNumber = oldest.number();
    oldestMs = oldest.diedAtMs();
  }

  /** There are none. */
  void clear() {
    count = 0;
    bytes = 0;
  }

  long lastNumber() {
    return nextNumber - 1;
  }

  /** When there is something to remove, ms since 1970; 0 for now. */
  long nextTrimMs(DeadLetterOptions options) {
    if (count == 0) {
      return Long.MAX_VALUE;
    }
    if (count > options.getMaxCount() || bytes > options.getMaxBytes()) {
      return 0;
    }
    return options.getMaxAgeMs() == 0 ? Long.MAX_VALUE : oldestMs + options.getMaxAgeMs();
  }
}
