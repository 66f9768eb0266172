package dev.weir.queue.line;

import dev.weir.queue.DeadLetterOptions;

/** The number, size and age of a queue's dead letters. Guarded by the queue's lock. */
public final class DeadBook {
  public long count;
  public long bytes;

  /** Dead letters that were deleted because there were too many, or they were too old. */
  public long trimmed;

  /** No dead letter has a lower number. */
  public long firstNumber;

  /** When the oldest message became a dead letter, ms since 1970. */
  long oldestMs = Long.MAX_VALUE;

  private long nextNumber = 1;

  /** Makes the key of the next dead letter. */
  public DeadKey name(DetachedMessage<?> message) {
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

  /** Notes that this is the oldest dead letter. */
  public void startAt(DeadKey oldest) {
    firstNumber = oldest.number();
    oldestMs = oldest.diedAtMs();
  }

  /** Notes that there are no dead letters. */
  public void clear() {
    count = 0;
    bytes = 0;
  }

  public long lastNumber() {
    return nextNumber - 1;
  }

  /**
   * When a dead letter is to be deleted, ms since 1970; 0 for now, {@link Long#MAX_VALUE} for
   * never.
   */
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
