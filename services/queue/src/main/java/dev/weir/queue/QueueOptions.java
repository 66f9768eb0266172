package dev.weir.queue;

/** The limits of one queue. */
public final class QueueOptions {
  /** {@value} bytes of messages at most. */
  public static final long DEFAULT_MAX_BYTES = 8L << 30;

  /** {@value} bytes may wait in memory to be written. */
  public static final long DEFAULT_WRITE_BUFFER_BYTES = 64L << 20;

  /** {@value} bytes are read ahead of the consumer. */
  public static final long DEFAULT_READ_AHEAD_BYTES = 1L << 20;

  /** {@value} bytes is the largest message. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 64 << 20;

  /** {@value} appends may wait for room under {@link OverflowPolicy#BLOCK}. */
  public static final int DEFAULT_MAX_BLOCKED = 10_000;

  /** {@value}: messages do not expire unless they say so. */
  public static final long DEFAULT_TTL_MS = 0;

  /** {@value}: ids are not remembered. */
  public static final int DEFAULT_DEDUP_MAX_IDS = 0;

  /** {@value} ms an id is remembered. */
  public static final long DEFAULT_DEDUP_WINDOW_MS = 3_600_000;

  private long maxBytes = DEFAULT_MAX_BYTES;
  private long writeBufferBytes = DEFAULT_WRITE_BUFFER_BYTES;
  private long readAheadBytes = DEFAULT_READ_AHEAD_BYTES;
  private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
  private int maxBlocked = DEFAULT_MAX_BLOCKED;
  private OverflowPolicy policy = OverflowPolicy.FAIL;
  private boolean writeThrough;
  private DeliveryOrder order = DeliveryOrder.NONE;
  private RetryOptions retry = new RetryOptions();
  private DeadLetterOptions deadLetters = new DeadLetterOptions();
  private long ttlMs = DEFAULT_TTL_MS;
  private boolean deadLetterExpired;
  private int dedupMaxIds = DEFAULT_DEDUP_MAX_IDS;
  private long dedupWindowMs = DEFAULT_DEDUP_WINDOW_MS;

  public QueueOptions() {}

  public QueueOptions(QueueOptions other) {
    maxBytes = other.maxBytes;
    writeBufferBytes = other.writeBufferBytes;
    readAheadBytes = other.readAheadBytes;
    maxMessageBytes = other.maxMessageBytes;
    maxBlocked = other.maxBlocked;
    policy = other.policy;
    writeThrough = other.writeThrough;
    order = other.order;
    retry = new RetryOptions(other.retry);
    deadLetters = new DeadLetterOptions(other.deadLetters);
    ttlMs = other.ttlMs;
    deadLetterExpired = other.deadLetterExpired;
    dedupMaxIds = other.dedupMaxIds;
    dedupWindowMs = other.dedupWindowMs;
  }

  public long getMaxBytes() {
    return maxBytes;
  }

  /** Budget for all waiting and unacknowledged messages; default {@value #DEFAULT_MAX_BYTES}. */
  public QueueOptions setMaxBytes(long maxBytes) {
    this.maxBytes = Checks.range("maxBytes", maxBytes, 1, Long.MAX_VALUE);
    return this;
  }

  public long getWriteBufferBytes() {
    return writeBufferBytes;
  }

  /**
   * Bytes that may wait in memory to be written; default {@value #DEFAULT_WRITE_BUFFER_BYTES}, and
   * an eighth of the heap at most. It is reached when messages come faster than the disk takes
   * them; then the policy acts.
   */
  public QueueOptions setWriteBufferBytes(long writeBufferBytes) {
    this.writeBufferBytes =
        Checks.range("writeBufferBytes", writeBufferBytes, 1 << 10, Long.MAX_VALUE);
    return this;
  }

  public long getReadAheadBytes() {
    return readAheadBytes;
  }

  /**
   * Bytes held in memory ahead of the consumer; default {@value #DEFAULT_READ_AHEAD_BYTES}. At
   * least one packet is read ahead, however large.
   */
  public QueueOptions setReadAheadBytes(long readAheadBytes) {
    this.readAheadBytes = Checks.range("readAheadBytes", readAheadBytes, 0, Long.MAX_VALUE);
    return this;
  }

  public int getMaxMessageBytes() {
    return maxMessageBytes;
  }

  /** Largest message, 1 byte to 512 MiB; default {@value #DEFAULT_MAX_MESSAGE_BYTES}. */
  public QueueOptions setMaxMessageBytes(int maxMessageBytes) {
    this.maxMessageBytes = (int) Checks.range("maxMessageBytes", maxMessageBytes, 1, 512 << 20);
    return this;
  }

  public int getMaxBlocked() {
    return maxBlocked;
  }

  /**
   * How many appends may wait for room under {@link OverflowPolicy#BLOCK}, 0 to 10 million; default
   * {@value #DEFAULT_MAX_BLOCKED}. One more fails.
   */
  public QueueOptions setMaxBlocked(int maxBlocked) {
    this.maxBlocked = (int) Checks.range("maxBlocked", maxBlocked, 0, 10_000_000);
    return this;
  }

  public OverflowPolicy getPolicy() {
    return policy;
  }

  /** What happens over a budget; default {@link OverflowPolicy#FAIL}; not null. */
  public QueueOptions setPolicy(OverflowPolicy policy) {
    this.policy = Checks.notNull("policy", policy);
    return this;
  }

  public boolean isWriteThrough() {
    return writeThrough;
  }

  /**
   * True to deliver only what has been written, and to hold no more in memory than is read ahead;
   * default false: a message that asks for no durability and is wanted before its turn to be
   * written is delivered from memory and never written, and one just written stays in memory while
   * half of the write buffer is free.
   */
  public QueueOptions setWriteThrough(boolean writeThrough) {
    this.writeThrough = writeThrough;
    return this;
  }

  public DeliveryOrder getOrder() {
    return order;
  }

  /** What a message has to wait for; default {@link DeliveryOrder#NONE}; not null. */
  public QueueOptions setOrder(DeliveryOrder order) {
    this.order = Checks.notNull("order", order);
    return this;
  }

  public RetryOptions getRetry() {
    return retry;
  }

  /** What becomes of messages whose handling failed; not null. */
  public QueueOptions setRetry(RetryOptions retry) {
    this.retry = Checks.notNull("retry", retry);
    return this;
  }

  public DeadLetterOptions getDeadLetters() {
    return deadLetters;
  }

  /** How many dead letters are kept; not null. */
  public QueueOptions setDeadLetters(DeadLetterOptions deadLetters) {
    this.deadLetters = Checks.notNull("deadLetters", deadLetters);
    return this;
  }

  public long getTtlMs() {
    return ttlMs;
  }

  /**
   * Time in ms after which a message that was not delivered expires, 0 for never; default {@value
   * #DEFAULT_TTL_MS}. A message may name an earlier time.
   */
  public QueueOptions setTtlMs(long ttlMs) {
    this.ttlMs = Checks.range("ttlMs", ttlMs, 0, Long.MAX_VALUE / 4);
    return this;
  }

  public boolean isDeadLetterExpired() {
    return deadLetterExpired;
  }

  /** True to keep expired messages as dead letters; default false: they are counted and gone. */
  public QueueOptions setDeadLetterExpired(boolean deadLetterExpired) {
    this.deadLetterExpired = deadLetterExpired;
    return this;
  }

  public int getDedupMaxIds() {
    return dedupMaxIds;
  }

  /**
   * How many of the last {@linkplain MessageOptions#id() ids} are remembered, 0 to 10 million;
   * default {@value #DEFAULT_DEDUP_MAX_IDS}. A message whose id is remembered is not added again;
   * its append completes as that of the first. Ids are on disk with their messages, and in memory:
   * about 100 bytes each.
   */
  public QueueOptions setDedupMaxIds(int dedupMaxIds) {
    this.dedupMaxIds = (int) Checks.range("dedupMaxIds", dedupMaxIds, 0, 10_000_000);
    return this;
  }

  public long getDedupWindowMs() {
    return dedupWindowMs;
  }

  /** How long an id is remembered, 1 ms or more; default {@value #DEFAULT_DEDUP_WINDOW_MS}. */
  public QueueOptions setDedupWindowMs(long dedupWindowMs) {
    this.dedupWindowMs = Checks.range("dedupWindowMs", dedupWindowMs, 1, Long.MAX_VALUE / 4);
    return this;
  }
}
