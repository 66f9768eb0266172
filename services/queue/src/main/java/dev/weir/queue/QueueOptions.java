package dev.weir.queue;

/** Limits, policies and delivery order of one queue. */
public final class QueueOptions {
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

  /** Default: {@value}, so that no ids are remembered. */
  public static final int DEFAULT_DEDUP_MAX_IDS = 0;

  /** Default: an id is remembered for {@value} ms. */
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
   * Upper bound of the bytes that wait in memory to be written; default {@value
   * #DEFAULT_WRITE_BUFFER_BYTES}, but at most an eighth of the heap. The bound is reached when
   * messages come faster than the disk takes them; then the policy applies.
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
   * Upper bound of the bytes that are read from disk ahead of the consumer; default {@value
   * #DEFAULT_READ_AHEAD_BYTES}. At least one packet is read ahead.
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
   * Largest number of appends that wait for room under {@link OverflowPolicy#BLOCK}, 0 to 10
   * million; default {@value #DEFAULT_MAX_BLOCKED}. Further appends fail.
   */
  public QueueOptions setMaxBlocked(int maxBlocked) {
    this.maxBlocked = (int) Checks.range("maxBlocked", maxBlocked, 0, 10_000_000);
    return this;
  }

  public OverflowPolicy getPolicy() {
    return policy;
  }

  /** What the queue does over its budget; default {@link OverflowPolicy#FAIL}; not null. */
  public QueueOptions setPolicy(OverflowPolicy policy) {
    this.policy = Checks.notNull("policy", policy);
    return this;
  }

  public boolean isWriteThrough() {
    return writeThrough;
  }

  /**
   * True to deliver messages only after they were written, and to hold no more in memory than the
   * read-ahead; default false. With false, a message without durability may be delivered from
   * memory and is then never written. A message that was just written stays in memory while half of
   * the write buffer is free.
   */
  public QueueOptions setWriteThrough(boolean writeThrough) {
    this.writeThrough = writeThrough;
    return this;
  }

  public DeliveryOrder getOrder() {
    return order;
  }

  /** Which earlier messages a message waits for; default {@link DeliveryOrder#NONE}; not null. */
  public QueueOptions setOrder(DeliveryOrder order) {
    this.order = Checks.notNull("order", order);
    return this;
  }

  public RetryOptions getRetry() {
    return retry;
  }

  /** When messages whose handling failed are delivered again; not null. */
  public QueueOptions setRetry(RetryOptions retry) {
    this.retry = Checks.notNull("retry", retry);
    return this;
  }

  public DeadLetterOptions getDeadLetters() {
    return deadLetters;
  }

  /** Limits for dead letters; not null. */
  public QueueOptions setDeadLetters(DeadLetterOptions deadLetters) {
    this.deadLetters = Checks.notNull("deadLetters", deadLetters);
    return this;
  }

  public long getTtlMs() {
    return ttlMs;
  }

  /**
   * Time in ms after which a message that was not delivered expires, 0 for never; default {@value
   * #DEFAULT_TTL_MS}. A message may have an earlier expiry of its own.
   */
  public QueueOptions setTtlMs(long ttlMs) {
    this.ttlMs = Checks.range("ttlMs", ttlMs, 0, Long.MAX_VALUE / 4);
    return this;
  }

  public boolean isDeadLetterExpired() {
    return deadLetterExpired;
  }

  /** True to make dead letters of expired messages; default false: they are counted and deleted. */
  public QueueOptions setDeadLetterExpired(boolean deadLetterExpired) {
    this.deadLetterExpired = deadLetterExpired;
    return this;
  }

  public int getDedupMaxIds() {
    return dedupMaxIds;
  }

  /**
   * Number of the last {@linkplain MessageOptions#id() ids} that are remembered, 0 to 10 million;
   * default {@value #DEFAULT_DEDUP_MAX_IDS}. A message whose id is remembered is not added again;
   * its append completes with the first one. Ids are on disk with their messages; in memory, each
   * takes about 100 bytes.
   */
  public QueueOptions setDedupMaxIds(int dedupMaxIds) {
    this.dedupMaxIds = (int) Checks.range("dedupMaxIds", dedupMaxIds, 0, 10_000_000);
    return this;
  }

  public long getDedupWindowMs() {
    return dedupWindowMs;
  }

  /** Time in ms that an id is remembered, 1 or more; default {@value #DEFAULT_DEDUP_WINDOW_MS}. */
  public QueueOptions setDedupWindowMs(long dedupWindowMs) {
    this.dedupWindowMs = Checks.range("dedupWindowMs", dedupWindowMs, 1, Long.MAX_VALUE / 4);
    return this;
  }
}
