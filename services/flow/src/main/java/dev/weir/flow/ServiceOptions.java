package dev.weir.flow;

import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionTypes;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.Delivery;
import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import io.vertx.core.json.JsonObject;

/** The limits of one service and how it runs. */
public final class ServiceOptions extends JsonOptions<ServiceOptions> {
  /** {@value} messages may be in handling at once. */
  public static final int DEFAULT_WORKERS = 200;

  /** {@value} messages may wait in memory. */
  public static final int DEFAULT_MEMORY_MESSAGES = 10_000;

  /** {@value} bytes may wait in memory. */
  public static final long DEFAULT_MEMORY_BYTES = 64L << 20;

  /** {@value} bytes may wait on disk. */
  public static final long DEFAULT_DISK_BYTES = QueueOptions.DEFAULT_MAX_BYTES;

  /** {@value} bytes may wait in memory to be written to disk. */
  public static final long DEFAULT_WRITE_BUFFER_BYTES = QueueOptions.DEFAULT_WRITE_BUFFER_BYTES;

  /** {@value} bytes is the largest message the disk tier takes. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = QueueOptions.DEFAULT_MAX_MESSAGE_BYTES;

  /** {@value} ms is the time a service has to finish what waits when it is closed. */
  public static final long DEFAULT_DRAIN_TIMEOUT_MS = 10_000;

  /** {@value} failed attempts and a durable message becomes a dead letter. */
  public static final int DEFAULT_MAX_ATTEMPTS = RetryOptions.DEFAULT_MAX_ATTEMPTS;

  /** {@value} ms before the first retry. */
  public static final long DEFAULT_BACKOFF_MS = RetryOptions.DEFAULT_BACKOFF_MS;

  /** {@value} ms at most before a retry. */
  public static final long DEFAULT_MAX_BACKOFF_MS = RetryOptions.DEFAULT_MAX_BACKOFF_MS;

  /** {@value} ids of durable messages are remembered. */
  public static final int DEFAULT_DEDUP_MAX_IDS = 100_000;

  /** {@value} ms an id is remembered. */
  public static final long DEFAULT_DEDUP_WINDOW_MS = QueueOptions.DEFAULT_DEDUP_WINDOW_MS;

  /** The largest number of priorities, {@value}. */
  public static final int MAX_PRIORITIES = 4;

  /** The largest number of workers, {@value}. */
  public static final int MAX_WORKERS = 1_000_000;

  private static final long MAX_TIME_MS = ServiceMessage.MAX_TIME_MS;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Integer> WORKERS =
      OPTIONS
          .integer("workers", DEFAULT_WORKERS, 1, MAX_WORKERS)
          .does("Messages in handling at once.");
  private static final Option<Integer> MEMORY_MESSAGES =
      OPTIONS
          .integer("memoryMessages", DEFAULT_MEMORY_MESSAGES, 0, Integer.MAX_VALUE)
          .does("Messages that may wait in memory.");
  private static final Option<Long> MEMORY_BYTES =
      OPTIONS
          .whole("memoryBytes", DEFAULT_MEMORY_BYTES, 0, Long.MAX_VALUE)
          .does("Bytes that may wait in memory.");
  private static final Option<Long> DISK_BYTES =
      OPTIONS
          .whole("diskBytes", DEFAULT_DISK_BYTES, 0, Long.MAX_VALUE)
          .does("Bytes that may wait on disk; 0 for no disk tier.");
  private static final Option<Long> WRITE_BUFFER_BYTES =
      OPTIONS
          .whole("writeBufferBytes", DEFAULT_WRITE_BUFFER_BYTES, 1024, Long.MAX_VALUE)
          .does("Bytes that may wait in memory for their write to disk.");
  private static final Option<Integer> MAX_MESSAGE_BYTES =
      OPTIONS
          .integer("maxMessageBytes", DEFAULT_MAX_MESSAGE_BYTES, 1, 512 << 20)
          .does("The largest message of the disk tier.");
  private static final Option<Long> DRAIN_TIMEOUT_MS =
      OPTIONS
          .whole("drainTimeoutMs", DEFAULT_DRAIN_TIMEOUT_MS, 0, Long.MAX_VALUE)
          .does("Time for waiting messages when the service is closed.");
  private static final Option<Integer> MAX_ATTEMPTS =
      OPTIONS
          .integer("maxAttempts", DEFAULT_MAX_ATTEMPTS, 1, Delivery.MAX_COUNT)
          .does("Failed attempts until a durable message is a dead letter.");
  private static final Option<Long> BACKOFF_MS =
      OPTIONS
          .whole("backoffMs", DEFAULT_BACKOFF_MS, 0, MAX_TIME_MS / 10)
          .does("Time before the first retry of a durable message.");
  private static final Option<Long> MAX_BACKOFF_MS =
      OPTIONS
          .whole("maxBackoffMs", DEFAULT_MAX_BACKOFF_MS, 0, MAX_TIME_MS / 10)
          .does("The longest time before a retry.");
  private static final Option<DeadLetterOptions> DEAD_LETTERS =
      OPTIONS
          .add(
              "deadLetters",
              OptionTypes.section(DeadLetterOptions::new, DeadLetterOptions::new),
              new DeadLetterOptions())
          .does("How many dead letters are kept.");
  private static final Option<Integer> DEDUP_MAX_IDS =
      OPTIONS
          .integer("dedupMaxIds", DEFAULT_DEDUP_MAX_IDS, 0, 10_000_000)
          .does("Ids of durable messages that are remembered.");
  private static final Option<Long> DEDUP_WINDOW_MS =
      OPTIONS
          .whole("dedupWindowMs", DEFAULT_DEDUP_WINDOW_MS, 1, Long.MAX_VALUE / 4)
          .does("How long an id is remembered.");
  private static final Option<Long> DELAY_MS =
      OPTIONS.whole("delayMs", 0, 0, MAX_TIME_MS).does("Delay of a durable message.");
  private static final Option<Long> EXPIRES_IN_MS =
      OPTIONS.whole("expiresInMs", 0, 0, MAX_TIME_MS).does("Expiry of durable messages; 0: none.");
  private static final Option<OverflowPolicy> POLICY =
      OPTIONS.choice("policy", OverflowPolicy.FAIL).does("What happens over the limits.");
  private static final Option<DeliveryOrder> ORDER =
      OPTIONS
          .choice("order", DeliveryOrder.NONE)
          .does("Which earlier durable messages a durable message waits for.");
  private static final Option<Integer> PRIORITIES =
      OPTIONS
          .integer("priorities", 1, 1, MAX_PRIORITIES)
          .does("Levels of priority; the header weir-priority names that of a message.");
  private static final Option<RunOn> RUN_ON =
      OPTIONS.choice("runOn", RunOn.EVENT_LOOP).does("Where the handler runs.");
  private static final Option<Boolean> WRITE_THROUGH =
      OPTIONS
          .flag("writeThrough", false)
          .does("Whether a message of the disk tier starts only after its write.");

  public ServiceOptions() {
    super(OPTIONS);
  }

  public ServiceOptions(ServiceOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key, a bad value, or options that contradict
   *     each other
   */
  public ServiceOptions(JsonObject json) {
    super(OPTIONS, json);
    check();
  }

  /** Refuses options that contradict each other: setters are called in any order, and cannot. */
  void check() {
    new QueueOptions()
        .setRetry(RetryOptions.exponential(getMaxAttempts(), getBackoffMs(), getMaxBackoffMs()));
    if (getDiskBytes() == 0 && getOrder() != DeliveryOrder.NONE) {
      throw Checks.notAllowed(
          "order", getOrder(), "NONE with diskBytes 0, which takes no durable messages");
    }
    if (getExpiresInMs() != 0 && getExpiresInMs() <= getDelayMs()) {
      throw Checks.notAllowed(
          "expiresInMs", getExpiresInMs(), "0, or more than delayMs, " + getDelayMs());
    }
  }

  public int getWorkers() {
    return get(WORKERS);
  }

  /**
   * Messages in handling at once, 1 to {@value #MAX_WORKERS}; default {@value #DEFAULT_WORKERS}.
   */
  public ServiceOptions setWorkers(int workers) {
    return set(WORKERS, workers);
  }

  public int getMemoryMessages() {
    return get(MEMORY_MESSAGES);
  }

  /** Messages waiting in memory, 0 or more; default {@value #DEFAULT_MEMORY_MESSAGES}. */
  public ServiceOptions setMemoryMessages(int memoryMessages) {
    return set(MEMORY_MESSAGES, memoryMessages);
  }

  public long getMemoryBytes() {
    return get(MEMORY_BYTES);
  }

  /**
   * Bytes waiting in memory, 0 or more; default {@value #DEFAULT_MEMORY_BYTES}. All services of a
   * node together have at most a share of {@link WeirOptions#setHeapBytes}.
   */
  public ServiceOptions setMemoryBytes(long memoryBytes) {
    return set(MEMORY_BYTES, memoryBytes);
  }

  public long getDiskBytes() {
    return get(DISK_BYTES);
  }

  /**
   * Bytes waiting on disk, 0 for a service without a disk tier; default {@value
   * #DEFAULT_DISK_BYTES}. A disk tier needs {@link WeirOptions#setDirectory}.
   */
  public ServiceOptions setDiskBytes(long diskBytes) {
    return set(DISK_BYTES, diskBytes);
  }

  public long getWriteBufferBytes() {
    return get(WRITE_BUFFER_BYTES);
  }

  /**
   * Bytes on their way to disk, 1 KiB or more; default {@value #DEFAULT_WRITE_BUFFER_BYTES}. All
   * services of a node together have at most a share of {@link WeirOptions#setHeapBytes}. Used up
   * when messages come faster than the disk takes them; then the policy acts.
   */
  public ServiceOptions setWriteBufferBytes(long writeBufferBytes) {
    return set(WRITE_BUFFER_BYTES, writeBufferBytes);
  }

  public int getMaxMessageBytes() {
    return get(MAX_MESSAGE_BYTES);
  }

  /**
   * The largest message the disk tier takes, 1 byte to 512 MiB; default {@value
   * #DEFAULT_MAX_MESSAGE_BYTES}, and at most a 32nd of {@link WeirOptions#setHeapBytes}.
   */
  public ServiceOptions setMaxMessageBytes(int maxMessageBytes) {
    return set(MAX_MESSAGE_BYTES, maxMessageBytes);
  }

  public long getDrainTimeoutMs() {
    return get(DRAIN_TIMEOUT_MS);
  }

  /** Time for what waits when the service is closed; default {@value #DEFAULT_DRAIN_TIMEOUT_MS}. */
  public ServiceOptions setDrainTimeoutMs(long drainTimeoutMs) {
    return set(DRAIN_TIMEOUT_MS, drainTimeoutMs);
  }

  public int getMaxAttempts() {
    return get(MAX_ATTEMPTS);
  }

  /**
   * Failed attempts at a durable message, 1 to {@value dev.weir.queue.Delivery#MAX_COUNT}; default
   * {@value #DEFAULT_MAX_ATTEMPTS}. Then it becomes a {@linkplain Service#deadLetters() dead
   * letter}. Messages behind it do not wait for its retries.
   */
  public ServiceOptions setMaxAttempts(int maxAttempts) {
    return set(MAX_ATTEMPTS, maxAttempts);
  }

  public long getBackoffMs() {
    return get(BACKOFF_MS);
  }

  /**
   * Time before the first retry of a durable message, 0 ms to a year; default {@value
   * #DEFAULT_BACKOFF_MS}. It doubles with every retry; a fifth of it is left to chance. With more
   * than {@link #getMaxBackoffMs()} the options are refused when they are served.
   */
  public ServiceOptions setBackoffMs(long backoffMs) {
    return set(BACKOFF_MS, backoffMs);
  }

  public long getMaxBackoffMs() {
    return get(MAX_BACKOFF_MS);
  }

  /** The longest time before a retry; default {@value #DEFAULT_MAX_BACKOFF_MS}. */
  public ServiceOptions setMaxBackoffMs(long maxBackoffMs) {
    return set(MAX_BACKOFF_MS, maxBackoffMs);
  }

  public DeadLetterOptions getDeadLetters() {
    return get(DEAD_LETTERS);
  }

  /** How many dead letters are kept, how large and for how long; not null. */
  public ServiceOptions setDeadLetters(DeadLetterOptions deadLetters) {
    return set(DEAD_LETTERS, deadLetters);
  }

  public int getDedupMaxIds() {
    return get(DEDUP_MAX_IDS);
  }

  /**
   * How many of the last ids of durable messages are remembered, 0 to 10 million; default {@value
   * #DEFAULT_DEDUP_MAX_IDS}. A message {@linkplain Weir#sendWithId sent} with such an id is not
   * added again. About 100 bytes of memory each; a group keeps replies too, and may forget earlier.
   */
  public ServiceOptions setDedupMaxIds(int dedupMaxIds) {
    return set(DEDUP_MAX_IDS, dedupMaxIds);
  }

  public long getDedupWindowMs() {
    return get(DEDUP_WINDOW_MS);
  }

  /** How long an id is remembered, 1 ms or more; default {@value #DEFAULT_DEDUP_WINDOW_MS}. */
  public ServiceOptions setDedupWindowMs(long dedupWindowMs) {
    return set(DEDUP_WINDOW_MS, dedupWindowMs);
  }

  public long getDelayMs() {
    return get(DELAY_MS);
  }

  /**
   * The delay of a durable message that names no {@linkplain ServiceMessage#DELAY_MS delay} of 1 ms
   * or more: 0 to {@value ServiceMessage#MAX_TIME_MS} ms; default 0.
   */
  public ServiceOptions setDelayMs(long delayMs) {
    return set(DELAY_MS, delayMs);
  }

  public long getExpiresInMs() {
    return get(EXPIRES_IN_MS);
  }

  /**
   * How long after its arrival a durable message that does not {@linkplain
   * ServiceMessage#EXPIRES_IN_MS say so} itself expires: 1 to {@value ServiceMessage#MAX_TIME_MS}
   * ms, more than {@link #getDelayMs()}; default 0, never.
   */
  public ServiceOptions setExpiresInMs(long expiresInMs) {
    return set(EXPIRES_IN_MS, expiresInMs);
  }

  public OverflowPolicy getPolicy() {
    return get(POLICY);
  }

  /**
   * What happens over the limits; default {@link OverflowPolicy#FAIL}; not null. {@code BLOCK}
   * slows durable sends; a plain request cannot be slowed and fails.
   */
  public ServiceOptions setPolicy(OverflowPolicy policy) {
    return set(POLICY, policy);
  }

  public DeliveryOrder getOrder() {
    return get(ORDER);
  }

  /**
   * Which earlier durable messages must be handled, their retries included, before a durable
   * message is handled; default {@link DeliveryOrder#NONE}; not null. {@link DeliveryOrder#KEY} is
   * by {@link ServiceMessage#KEY}. Plain messages and requests wait for nobody: while the service
   * is not busy they do not go through the queue.
   */
  public ServiceOptions setOrder(DeliveryOrder order) {
    return set(ORDER, order);
  }

  public int getPriorities() {
    return get(PRIORITIES);
  }

  /**
   * Levels of priority, 1 to {@value #MAX_PRIORITIES}; default 1. With 2 or more the header {@link
   * ServiceMessage#PRIORITY} of a message names its level, and a free worker takes a message of the
   * highest level that has one. Order is kept within a level. A lower one may wait for ever.
   *
   * <p>Each level above 0 is a service of its own, at {@link Service#priority}: it has these limits
   * of memory and disk, its own queue, figures, remembered ids and dead letters. Levels share the
   * workers and the handler. Pausing and closing the service, and setting its workers, does the
   * same to all. To have fewer levels, empty the queues above first: nobody serves them any more.
   */
  public ServiceOptions setPriorities(int priorities) {
    return set(PRIORITIES, priorities);
  }

  public RunOn getRunOn() {
    return get(RUN_ON);
  }

  /** Where the handler runs; default {@link RunOn#EVENT_LOOP}; not null. */
  public ServiceOptions setRunOn(RunOn runOn) {
    return set(RUN_ON, runOn);
  }

  public boolean isWriteThrough() {
    return get(WRITE_THROUGH);
  }

  /** As {@link QueueOptions#setWriteThrough}, for the disk tier; default false. */
  public ServiceOptions setWriteThrough(boolean writeThrough) {
    return set(WRITE_THROUGH, writeThrough);
  }
}
