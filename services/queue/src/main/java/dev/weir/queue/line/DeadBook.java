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
  private long nextUnreadable = DeadKey.UNREADABLE;

  // Of messages that cannot be read; they are kept until they are requeued or purged.
  private long unreadableCount;
  private long unreadableBytes;

  /** Begins with numbers that no earlier dead letter has had. */
  public void startNumbers(long next, long unreadable) {
    nextNumber = Math.max(nextNumber, next);
    nextUnreadable = Math.max(nextUnreadable, unreadable);
  }

  /** Makes the key of the next dead letter. */
  public DeadKey name(DetachedMessage<?> message) {
    long number = message.raw == null ? nextNumber++ : nextUnreadable++;
    return new DeadKey(number, message.sequence, message.diedAtMs, message.bytes());
  }

  public void add(DeadKey key) {
    change(key, 1);
    if (key.isUnreadable()) {
      nextUnreadable = Math.max(nextUnreadable, key.number() + 1);
    } else {
      oldestMs = Math.min(oldestMs, key.diedAtMs());
      nextNumber = Math.max(nextNumber, key.number() + 1);
    }
  }

  public void remove(DeadKey key) {
    change(key, -1);
  }

  private void change(DeadKey key, int sign) {
    count += sign;
    bytes += sign * (long) key.bytes();
    if (key.isUnreadable()) {
      unreadableCount += sign;
      unreadableBytes += sign * (long) key.bytes();
    }
  }

  /** Dead letters that may be deleted because there are too many. */
  public long trimmableCount() {
    return count - unreadableCount;
  }

  public long trimmableBytes() {
    return bytes - unreadableBytes;
  }

  /** Notes that this is the oldest dead letter. */
  public void startAt(DeadKey oldest) {
    firstNumber = oldest.number();
    oldestMs = oldest.diedAtMs();
  }

  /** Notes that there are no dead letters that may be trimmed. */
  public void clear() {
    count = unreadableCount;
    bytes = unreadableBytes;
  }

  /** Number of the last dead letter that may be trimmed. */
  public long lastNumber() {
    return nextNumber - 1;
  }

  /** Number of the last message that cannot be read. */
  public long lastUnreadable() {
    return nextUnreadable - 1;
  }

  /**
   * When a dead letter is to be deleted, ms since 1970; 0 for now, {@link Long#MAX_VALUE} for
   * never.
   */
  public long nextTrimMs(DeadLetterOptions options) {
    if (trimmableCount() == 0) {
      return Long.MAX_VALUE;
    }
    if (trimmableCount() > options.getMaxCount() || trimmableBytes() > options.getMaxBytes()) {
      return 0;
    }
    long maxAgeMs = options.getMaxAgeMs();
    boolean isNever = maxAgeMs == 0 || maxAgeMs > Long.MAX_VALUE - oldestMs;
    return isNever ? Long.MAX_VALUE : oldestMs + maxAgeMs;
  }
}
