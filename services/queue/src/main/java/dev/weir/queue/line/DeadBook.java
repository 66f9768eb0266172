package dev.weir.queue.line;

import dev.weir.queue.DeadLetterOptions;

/** What a queue knows of its dead letters without reading them. Guarded by the queue's lock. */
public final class DeadBook {
  public long count;
  public long bytes;

  /** Removed because there were too many, or they were too old. */
  public long trimmed;

  /** None is before it. */
  public long firstNumber;

  /** When the oldest died, ms since 1970. */
  long oldestMs = Long.MAX_VALUE;

  private long nextNumber = 1;

  /** Names the next dead letter. */
  public DeadKey name(SideMessage<?> message) {
    return new DeadKey(nextNumber++, message.sequence, message.diedAtMs, message.bytes());
  }

  public void add(DeadKey key) {
    count++;
    bytes += key.bytes();
    oldestMs = Math.min(oldestMs, key.diedAtMs());
    nextNumber = Math.max(nextNumber, key.number() + 1);
  }

  public void remove(DeadKey key) {
    count--;
    bytes -= key.bytes();
  }

  /** Nothing is before this one. */
  public void startAt(DeadKey oldest) {
    firstNumber = oldest.number();
    oldestMs = oldest.diedAtMs();
  }

  /** There are none. */
  public void clear() {
    count = 0;
    bytes = 0;
  }

  public long lastNumber() {
    return nextNumber - 1;
  }

  /** When there is something to remove, ms since 1970; 0 for now. */
  public long nextTrimMs(DeadLetterOptions options) {
    if (count == 0) {
      return Long.MAX_VALUE;
    }
    if (count > options.getMaxCount() || bytes > options.getMaxBytes()) {
      return 0;
    }
    return options.getMaxAgeMs() == 0 ? Long.MAX_VALUE : oldestMs + options.getMaxAgeMs();
  }
}
