package dev.weir.queue;

import static dev.weir.options.OptionTypes.section;

import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.util.Map;

/** Limits, policies and delivery order of one queue. */
public final class QueueOptions extends Options<QueueOptions> {
  /** Default: at most {@value} bytes of messages. */
  public static final long DEFAULT_MAX_BYTES = 8L << 30;

  /** Default: at most {@value} bytes wait in memory to be written. */
  public static final long DEFAULT_WRITE_BUFFER_BYTES = 64L << 20;

  /** Default: {@value} bytes are read ahead of the consumer. */
  public static final long DEFAULT_READ_AHEAD_BYTES = 1L << 20;

  /** Default: the largest message has {@value} bytes. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 64 << 20;

  /** Default: {@value} appends may wait for room under {@link OverflowPolicy#BLOCK}. */
  public static final int DEFAULT_MAX_BLOCKED = 10_000;

  /** Default: {@value} ms, so that only messages with an expiry of their own expire. */
  public static final long DEFAULT_TTL_MS = 0;

  /** Default: no message waits longer than {@value} ms for its time, which is a year. */
  public static final long DEFAULT_MAX_DELAY_MS = 365L * 24 * 3600 * 1000;

  /** Default: {@value}, so that no ids are remembered. */
  public static final int DEFAULT_DEDUP_MAX_IDS = 0;

  /** Default: an id is remembered for {@value} ms. */
  public static final long DEFAULT_DEDUP_WINDOW_MS = 3_600_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Long> MAX_BYTES =
      OPTIONS
          .whole("maxBytes", DEFAULT_MAX_BYTES, 1, Long.MAX_VALUE)
          .does("Bytes of all waiting and unacknowledged messages.");
  private static final Option<Long> WRITE_BUFFER_BYTES =
      OPTIONS
          .whole("writeBufferBytes", DEFAULT_WRITE_BUFFER_BYTES, 1 << 10, Long.MAX_VALUE)
          .does("Bytes that may wait in memory for their write.");
  private static final Option<Long> READ_AHEAD_BYTES =
      OPTIONS
          .whole("readAheadBytes", DEFAULT_READ_AHEAD_BYTES, 0, Long.MAX_VALUE)
          .does("Bytes held in memory ahead of the consumer.");
  private static final Option<Integer> MAX_MESSAGE_BYTES =
      OPTIONS
          .integer("maxMessageBytes", DEFAULT_MAX_MESSAGE_BYTES, 1, 512 << 20)
          .does("The largest message.");
  private static final Option<Integer> MAX_BLOCKED =
      OPTIONS
          .integer("maxBlocked", DEFAULT_MAX_BLOCKED, 0, 10_000_000)
          .does("Appends that may wait for room under the policy BLOCK.");
  private static final Option<OverflowPolicy> POLICY =
      OPTIONS.choice("policy", OverflowPolicy.FAIL).does("What happens over a budget.");
  private static final Option<Boolean> WRITE_THROUGH =
      OPTIONS
          .flag("writeThrough", false)
          .does("Whether a message is delivered only after its write.");
  private static final Option<DeliveryOrder> ORDER =
      OPTIONS.choice("order", DeliveryOrder.NONE).does("What a message has to wait for.");
  private static final Option<RetryOptions> RETRY =
      OPTIONS
          .add("retry", section(RetryOptions::new, RetryOptions::new), new RetryOptions())
          .does("When a failed message is delivered again.");
  private static final Option<DeadLetterOptions> DEAD_LETTERS =
      OPTIONS
          .add(
              "deadLetters",
              section(DeadLetterOptions::new, DeadLetterOptions::new),
              new DeadLetterOptions())
          .does("How many dead letters are kept.");
  private static final Option<Long> TTL_MS =
      OPTIONS
          .whole("ttlMs", DEFAULT_TTL_MS, 0, Long.MAX_VALUE / 4)
          .does("Time until an undelivered message expires; 0 for never.");
  private static final Option<Long> MAX_DELAY_MS =
      OPTIONS
          .whole("maxDelayMs", DEFAULT_MAX_DELAY_MS, 0, DEFAULT_MAX_DELAY_MS)
          .does("The longest time that a message waits for its time.");
  private static final Option<Boolean> DEAD_LETTER_EXPIRED =
      OPTIONS
          .flag("deadLetterExpired", false)
          .does("Whether expired messages are kept as dead letters.");
  private static final Option<Integer> DEDUP_MAX_IDS =
      OPTIONS
          .integer("dedupMaxIds", DEFAULT_DEDUP_MAX_IDS, 0, 10_000_000)
          .does("Ids that are remembered.");
  private static final Option<Long> DEDUP_WINDOW_MS =
      OPTIONS
          .whole("dedupWindowMs", DEFAULT_DEDUP_WINDOW_MS, 1, Long.MAX_VALUE / 4)
          .does("How long an id is remembered.");

  public QueueOptions() {
    super(OPTIONS);
  }

  public QueueOptions(QueueOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public QueueOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  public long getMaxBytes() {
    return get(MAX_BYTES);
  }

  /** Budget for all waiting and unacknowledged messages; default {@value #DEFAULT_MAX_BYTES}. */
  public QueueOptions setMaxBytes(long maxBytes) {
    return set(MAX_BYTES, maxBytes);
  }

  public long getWriteBufferBytes() {
    return get(WRITE_BUFFER_BYTES);
  }

  /**
   * Upper bound of the bytes that wait in memory to be written; default {@value
   * #DEFAULT_WRITE_BUFFER_BYTES}. All queues together have at most {@link
   * QueueStoreOptions#setBufferBudget}. The bound is reached when messages come faster than the
   * disk takes them; then the policy applies.
   */
  public QueueOptions setWriteBufferBytes(long writeBufferBytes) {
    return set(WRITE_BUFFER_BYTES, writeBufferBytes);
  }

  public long getReadAheadBytes() {
    return get(READ_AHEAD_BYTES);
  }

  /**
   * Upper bound of the bytes that are read from disk ahead of the consumer; default {@value
   * #DEFAULT_READ_AHEAD_BYTES}. At least one packet is read ahead.
   */
  public QueueOptions setReadAheadBytes(long readAheadBytes) {
    return set(READ_AHEAD_BYTES, readAheadBytes);
  }

  public int getMaxMessageBytes() {
    return get(MAX_MESSAGE_BYTES);
  }

  /** Largest message, 1 byte to 512 MiB; default {@value #DEFAULT_MAX_MESSAGE_BYTES}. */
  public QueueOptions setMaxMessageBytes(int maxMessageBytes) {
    return set(MAX_MESSAGE_BYTES, maxMessageBytes);
  }

  public int getMaxBlocked() {
    return get(MAX_BLOCKED);
  }

  /**
   * Largest number of appends that wait for room under {@link OverflowPolicy#BLOCK}, 0 to 10
   * million; default {@value #DEFAULT_MAX_BLOCKED}. Further appends fail.
   */
  public QueueOptions setMaxBlocked(int maxBlocked) {
    return set(MAX_BLOCKED, maxBlocked);
  }

  public OverflowPolicy getPolicy() {
    return get(POLICY);
  }

  /** What the queue does over its budget; default {@link OverflowPolicy#FAIL}; not null. */
  public QueueOptions setPolicy(OverflowPolicy policy) {
    return set(POLICY, policy);
  }

  public boolean isWriteThrough() {
    return get(WRITE_THROUGH);
  }

  /**
   * True to deliver messages only after they were written, and to hold no more in memory than the
   * read-ahead; default false. With false, a message without durability may be delivered from
   * memory and is then never written. A message that was just written stays in memory while half of
   * the write buffer is free.
   */
  public QueueOptions setWriteThrough(boolean writeThrough) {
    return set(WRITE_THROUGH, writeThrough);
  }

  public DeliveryOrder getOrder() {
    return get(ORDER);
  }

  /** Which earlier messages a message waits for; default {@link DeliveryOrder#NONE}; not null. */
  public QueueOptions setOrder(DeliveryOrder order) {
    return set(ORDER, order);
  }

  public RetryOptions getRetry() {
    return get(RETRY);
  }

  /**
   * When messages whose handling failed are delivered again; not null.
   *
   * @throws IllegalArgumentException if {@code maxDeliveries} is less than {@code maxAttempts}: the
   *     last attempts would never be made; or if {@code backoffMs} is more than {@code
   *     maxBackoffMs}
   */
  public QueueOptions setRetry(RetryOptions retry) {
    Checks.notNull("retry", retry).check();
    return set(RETRY, retry);
  }

  public DeadLetterOptions getDeadLetters() {
    return get(DEAD_LETTERS);
  }

  /** Limits for dead letters; not null. */
  public QueueOptions setDeadLetters(DeadLetterOptions deadLetters) {
    return set(DEAD_LETTERS, deadLetters);
  }

  public long getTtlMs() {
    return get(TTL_MS);
  }

  /**
   * Time in ms after which a message that was not delivered expires, 0 for never; default {@value
   * #DEFAULT_TTL_MS}. A message may have an earlier expiry of its own.
   */
  public QueueOptions setTtlMs(long ttlMs) {
    return set(TTL_MS, ttlMs);
  }

  public long getMaxDelayMs() {
    return get(MAX_DELAY_MS);
  }

  /**
   * The longest time in ms that a message waits for its {@link MessageOptions#notBeforeMs()}, 0 to
   * a year; default {@value #DEFAULT_MAX_DELAY_MS}. A message with a later time comes when this
   * time is over. The opening of the queue applies the bound to all messages that wait, so that a
   * time from a wrong clock holds no message longer.
   */
  public QueueOptions setMaxDelayMs(long maxDelayMs) {
    return set(MAX_DELAY_MS, maxDelayMs);
  }

  public boolean isDeadLetterExpired() {
    return get(DEAD_LETTER_EXPIRED);
  }

  /** True to make dead letters of expired messages; default false: they are counted and deleted. */
  public QueueOptions setDeadLetterExpired(boolean deadLetterExpired) {
    return set(DEAD_LETTER_EXPIRED, deadLetterExpired);
  }

  public int getDedupMaxIds() {
    return get(DEDUP_MAX_IDS);
  }

  /**
   * Number of the last {@linkplain MessageOptions#id() ids} that are remembered, 0 to 10 million;
   * default {@value #DEFAULT_DEDUP_MAX_IDS}. A message whose id is remembered is not added again;
   * its append completes with the first one. Ids are on disk with their messages. In memory, each
   * takes about 160 bytes and its characters. All queues of a store remember ids in a quarter of
   * {@link QueueStoreOptions#setBufferBudget}, which is 1/32 of the heap; above it a queue forgets
   * its oldest ids earlier, but not the last 1,000.
   */
  public QueueOptions setDedupMaxIds(int dedupMaxIds) {
    return set(DEDUP_MAX_IDS, dedupMaxIds);
  }

  public long getDedupWindowMs() {
    return get(DEDUP_WINDOW_MS);
  }

  /** Time in ms that an id is remembered, 1 or more; default {@value #DEFAULT_DEDUP_WINDOW_MS}. */
  public QueueOptions setDedupWindowMs(long dedupWindowMs) {
    return set(DEDUP_WINDOW_MS, dedupWindowMs);
  }

  /** Refuses options that contradict each other. */
  void check() {
    getRetry().check();
    if (getPolicy() == OverflowPolicy.BLOCK && getMaxBlocked() == 0) {
      throw new IllegalArgumentException(
          "maxBlocked is 0, allowed is 1 to 10000000 with the policy BLOCK");
    }
    DeadLetterOptions dead = getDeadLetters();
    if (isDeadLetterExpired() && (dead.getMaxCount() == 0 || dead.getMaxBytes() == 0)) {
      throw new IllegalArgumentException(
          "deadLetterExpired is true, allowed is false with deadLetters that keep none: maxCount is"
              + " "
              + dead.getMaxCount()
              + ", maxBytes is "
              + dead.getMaxBytes());
    }
  }
}
