package dev.weir.queue;

/** Limits for the dead letters of a queue. Above a limit, the oldest are deleted and counted. */
public final class DeadLetterOptions {
  /** Default: {@value} dead letters. */
  public static final long DEFAULT_MAX_COUNT = 1_000_000;

  /** Default: {@value} bytes of dead letters. */
  public static final long DEFAULT_MAX_BYTES = 1L << 30;

  /** Default: {@value} ms, which keeps dead letters for ever. */
  public static final long DEFAULT_MAX_AGE_MS = 0;

  private long maxCount = DEFAULT_MAX_COUNT;
  private long maxBytes = DEFAULT_MAX_BYTES;
  private long maxAgeMs = DEFAULT_MAX_AGE_MS;

  public DeadLetterOptions() {}

  public DeadLetterOptions(DeadLetterOptions other) {
    maxCount = other.maxCount;
    maxBytes = other.maxBytes;
    maxAgeMs = other.maxAgeMs;
  }

  public long getMaxCount() {
    return maxCount;
  }

  /** Maximum number of dead letters, 0 or more; default {@value #DEFAULT_MAX_COUNT}. */
  public DeadLetterOptions setMaxCount(long maxCount) {
    this.maxCount = Checks.range("deadLetters.maxCount", maxCount, 0, Long.MAX_VALUE);
    return this;
  }

  public long getMaxBytes() {
    return maxBytes;
  }

  /** Maximum size of all dead letters in bytes, 0 or more; default {@value #DEFAULT_MAX_BYTES}. */
  public DeadLetterOptions setMaxBytes(long maxBytes) {
    this.maxBytes = Checks.range("deadLetters.maxBytes", maxBytes, 0, Long.MAX_VALUE);
    return this;
  }

  public long getMaxAgeMs() {
    return maxAgeMs;
  }

  /** Time in ms that a dead letter is kept, 0 for ever; default {@value #DEFAULT_MAX_AGE_MS}. */
  public DeadLetterOptions setMaxAgeMs(long maxAgeMs) {
    this.maxAgeMs = Checks.range("deadLetters.maxAgeMs", maxAgeMs, 0, Long.MAX_VALUE);
    return this;
  }
}
