package dev.weir.queue;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.util.Map;

/**
 * Limits for the dead letters of a queue. Above a limit, the oldest are deleted and counted. A
 * message that its serde cannot read, perhaps because a codec is not registered, is no part of
 * that: it does not count for the limits, and stays until it is requeued or purged.
 */
public final class DeadLetterOptions extends Options<DeadLetterOptions> {
  /** Default: {@value} dead letters. */
  public static final long DEFAULT_MAX_COUNT = 1_000_000;

  /** Default: {@value} bytes of dead letters. */
  public static final long DEFAULT_MAX_BYTES = 1L << 30;

  /** Default: {@value} ms, which keeps dead letters for ever. */
  public static final long DEFAULT_MAX_AGE_MS = 0;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Long> MAX_COUNT =
      OPTIONS
          .whole("maxCount", DEFAULT_MAX_COUNT, 0, Long.MAX_VALUE)
          .does("Dead letters that are kept.");
  private static final Option<Long> MAX_BYTES =
      OPTIONS
          .whole("maxBytes", DEFAULT_MAX_BYTES, 0, Long.MAX_VALUE)
          .does("Bytes of dead letters that are kept.");
  private static final Option<Long> MAX_AGE_MS =
      OPTIONS
          .whole("maxAgeMs", DEFAULT_MAX_AGE_MS, 0, Long.MAX_VALUE)
          .does("Time a dead letter is kept; 0 for ever.");

  public DeadLetterOptions() {
    super(OPTIONS);
  }

  public DeadLetterOptions(DeadLetterOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public DeadLetterOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  public long getMaxCount() {
    return get(MAX_COUNT);
  }

  /** Maximum number of dead letters, 0 or more; default {@value #DEFAULT_MAX_COUNT}. */
  public DeadLetterOptions setMaxCount(long maxCount) {
    return set(MAX_COUNT, maxCount);
  }

  public long getMaxBytes() {
    return get(MAX_BYTES);
  }

  /** Maximum size of all dead letters in bytes, 0 or more; default {@value #DEFAULT_MAX_BYTES}. */
  public DeadLetterOptions setMaxBytes(long maxBytes) {
    return set(MAX_BYTES, maxBytes);
  }

  public long getMaxAgeMs() {
    return get(MAX_AGE_MS);
  }

  /** Time in ms that a dead letter is kept, 0 for ever; default {@value #DEFAULT_MAX_AGE_MS}. */
  public DeadLetterOptions setMaxAgeMs(long maxAgeMs) {
    return set(MAX_AGE_MS, maxAgeMs);
  }
}
