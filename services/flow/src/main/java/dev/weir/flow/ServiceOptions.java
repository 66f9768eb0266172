package dev.weir.flow;

import static dev.weir.flow.OptionReader.constant;
import static dev.weir.flow.OptionReader.notNull;
import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.truth;
import static dev.weir.flow.OptionReader.whole;
import static java.util.Map.entry;

import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.function.Consumer;

/** The limits of one service and how it runs. */
public final class ServiceOptions {
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

  /** The largest number of workers, {@value}. */
  public static final int MAX_WORKERS = 1_000_000;

  private int workers = DEFAULT_WORKERS;
  private int memoryMessages = DEFAULT_MEMORY_MESSAGES;
  private long memoryBytes = DEFAULT_MEMORY_BYTES;
  private long diskBytes = DEFAULT_DISK_BYTES;
  private long writeBufferBytes = DEFAULT_WRITE_BUFFER_BYTES;
  private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
  private long drainTimeoutMs = DEFAULT_DRAIN_TIMEOUT_MS;
  private OverflowPolicy policy = OverflowPolicy.FAIL;
  private RunOn runOn = RunOn.EVENT_LOOP;
  private boolean writeThrough;
  private int maxAttempts = DEFAULT_MAX_ATTEMPTS;
  private long backoffMs = DEFAULT_BACKOFF_MS;
  private long maxBackoffMs = DEFAULT_MAX_BACKOFF_MS;
  private int dedupMaxIds = DEFAULT_DEDUP_MAX_IDS;
  private long dedupWindowMs = DEFAULT_DEDUP_WINDOW_MS;

  public ServiceOptions() {}

  public ServiceOptions(ServiceOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public ServiceOptions(JsonObject json) {
    new OptionReader(
            Map.<String, Consumer<Object>>ofEntries(
                entry("workers", value -> setWorkers(smallWhole("workers", value))),
                entry(
                    "memoryMessages",
                    value -> setMemoryMessages(smallWhole("memoryMessages", value))),
                entry("memoryBytes", value -> setMemoryBytes(whole("memoryBytes", value))),
                entry("diskBytes", value -> setDiskBytes(whole("diskBytes", value))),
                entry(
                    "writeBufferBytes",
                    value -> setWriteBufferBytes(whole("writeBufferBytes", value))),
                entry(
                    "maxMessageBytes",
                    value -> setMaxMessageBytes(smallWhole("maxMessageBytes", value))),
                entry("drainTimeoutMs", value -> setDrainTimeoutMs(whole("drainTimeoutMs", value))),
                entry("maxAttempts", value -> setMaxAttempts(smallWhole("maxAttempts", value))),
                entry("backoffMs", value -> setBackoffMs(whole("backoffMs", value))),
                entry("maxBackoffMs", value -> setMaxBackoffMs(whole("maxBackoffMs", value))),
                entry("dedupMaxIds", value -> setDedupMaxIds(smallWhole("dedupMaxIds", value))),
                entry("dedupWindowMs", value -> setDedupWindowMs(whole("dedupWindowMs", value))),
                entry(
                    "policy", value -> setPolicy(constant("policy", OverflowPolicy.class, value))),
                entry("runOn", value -> setRunOn(constant("runOn", RunOn.class, value))),
                entry("writeThrough", value -> setWriteThrough(truth("writeThrough", value)))))
        .apply(json);
  }

  public JsonObject toJson() {
    return new JsonObject()
        .put("workers", workers)
        .put("memoryMessages", memoryMessages)
        .put("memoryBytes", memoryBytes)
        .put("diskBytes", diskBytes)
        .put("writeBufferBytes", writeBufferBytes)
        .put("maxMessageBytes", maxMessageBytes)
        .put("drainTimeoutMs", drainTimeoutMs)
        .put("maxAttempts", maxAttempts)
        .put("backoffMs", backoffMs)
        .put("maxBackoffMs", maxBackoffMs)
        .put("dedupMaxIds", dedupMaxIds)
        .put("dedupWindowMs", dedupWindowMs)
        .put("policy", policy.name())
        .put("runOn", runOn.name())
        .put("writeThrough", writeThrough);
  }

  public int getWorkers() {
    return workers;
  }

  /**
   * Messages in handling at once, 1 to {@value #MAX_WORKERS}; default {@value #DEFAULT_WORKERS}.
   */
  public ServiceOptions setWorkers(int workers) {
    this.workers = (int) range("workers", workers, 1, MAX_WORKERS);
    return this;
  }

  public int getMemoryMessages() {
    return memoryMessages;
  }

  /** Messages waiting in memory, 0 or more; default {@value #DEFAULT_MEMORY_MESSAGES}. */
  public ServiceOptions setMemoryMessages(int memoryMessages) {
    this.memoryMessages = (int) range("memoryMessages", memoryMessages, 0, Integer.MAX_VALUE);
    return this;
  }

  public long getMemoryBytes() {
    return memoryBytes;
  }

  /** Bytes waiting in memory, 0 or more; default {@value #DEFAULT_MEMORY_BYTES}. */
  public ServiceOptions setMemoryBytes(long memoryBytes) {
    this.memoryBytes = range("memoryBytes", memoryBytes, 0, Long.MAX_VALUE);
    return this;
  }

  public long getDiskBytes() {
    return diskBytes;
  }

  /**
   * Bytes waiting on disk, 0 for a service without a disk tier; default {@value
   * #DEFAULT_DISK_BYTES}. A disk tier needs {@link WeirOptions#setDirectory}.
   */
  public ServiceOptions setDiskBytes(long diskBytes) {
    this.diskBytes = range("diskBytes", diskBytes, 0, Long.MAX_VALUE);
    return this;
  }

  public long getWriteBufferBytes() {
    return writeBufferBytes;
  }

  /**
   * Bytes on their way to disk, 1 KiB or more; default {@value #DEFAULT_WRITE_BUFFER_BYTES}, and an
   * eighth of the heap at most. Used up when messages come faster than the disk takes them; then
   * the policy acts.
   */
  public ServiceOptions setWriteBufferBytes(long writeBufferBytes) {
    this.writeBufferBytes = range("writeBufferBytes", writeBufferBytes, 1024, Long.MAX_VALUE);
    return this;
  }

  public int getMaxMessageBytes() {
    return maxMessageBytes;
  }

  /**
   * The largest message the disk tier takes, 1 byte to 512 MiB; default {@value
   * #DEFAULT_MAX_MESSAGE_BYTES}.
   */
  public ServiceOptions setMaxMessageBytes(int maxMessageBytes) {
    this.maxMessageBytes = (int) range("maxMessageBytes", maxMessageBytes, 1, 512 << 20);
    return this;
  }

  public long getDrainTimeoutMs() {
    return drainTimeoutMs;
  }

  /** Time for what waits when the service is closed; default {@value #DEFAULT_DRAIN_TIMEOUT_MS}. */
  public ServiceOptions setDrainTimeoutMs(long drainTimeoutMs) {
    this.drainTimeoutMs = range("drainTimeoutMs", drainTimeoutMs, 0, Long.MAX_VALUE);
    return this;
  }

  public int getMaxAttempts() {
    return maxAttempts;
  }

  /**
   * Failed attempts at a durable message, 1 to 1 million; default {@value #DEFAULT_MAX_ATTEMPTS}.
   * Then it becomes a {@linkplain Service#deadLetters() dead letter}. Messages behind it do not
   * wait for its retries.
   */
  public ServiceOptions setMaxAttempts(int maxAttempts) {
    this.maxAttempts = (int) range("maxAttempts", maxAttempts, 1, 1_000_000);
    return this;
  }

  public long getBackoffMs() {
    return backoffMs;
  }

  /**
   * Time before the first retry of a durable message, 0 ms to a year; default {@value
   * #DEFAULT_BACKOFF_MS}. It doubles with every retry; a fifth of it is left to chance.
   */
  public ServiceOptions setBackoffMs(long backoffMs) {
    new RetryOptions().setBackoffMs(backoffMs);
    this.backoffMs = backoffMs;
    return this;
  }

  public long getMaxBackoffMs() {
    return maxBackoffMs;
  }

  /** The longest time before a retry; default {@value #DEFAULT_MAX_BACKOFF_MS}. */
  public ServiceOptions setMaxBackoffMs(long maxBackoffMs) {
    new RetryOptions().setMaxBackoffMs(maxBackoffMs);
    this.maxBackoffMs = maxBackoffMs;
    return this;
  }

  public int getDedupMaxIds() {
    return dedupMaxIds;
  }

  /**
   * How many of the last ids of durable messages are remembered, 0 to 10 million; default {@value
   * #DEFAULT_DEDUP_MAX_IDS}. A message {@linkplain Weir#sendWithId sent} with a remembered id is
   * not added again. About 100 bytes of memory each; none as long as no message has an id.
   */
  public ServiceOptions setDedupMaxIds(int dedupMaxIds) {
    new QueueOptions().setDedupMaxIds(dedupMaxIds);
    this.dedupMaxIds = dedupMaxIds;
    return this;
  }

  public long getDedupWindowMs() {
    return dedupWindowMs;
  }

  /** How long an id is remembered, 1 ms or more; default {@value #DEFAULT_DEDUP_WINDOW_MS}. */
  public ServiceOptions setDedupWindowMs(long dedupWindowMs) {
    new QueueOptions().setDedupWindowMs(dedupWindowMs);
    this.dedupWindowMs = dedupWindowMs;
    return this;
  }

  public OverflowPolicy getPolicy() {
    return policy;
  }

  /**
   * What happens over the limits; default {@link OverflowPolicy#FAIL}; not null. {@code BLOCK}
   * slows durable sends; a plain request cannot be slowed and fails.
   */
  public ServiceOptions setPolicy(OverflowPolicy policy) {
    this.policy = notNull("policy", policy);
    return this;
  }

  public RunOn getRunOn() {
    return runOn;
  }

  /** Where the handler runs; default {@link RunOn#EVENT_LOOP}; not null. */
  public ServiceOptions setRunOn(RunOn runOn) {
    this.runOn = notNull("runOn", runOn);
    return this;
  }

  public boolean isWriteThrough() {
    return writeThrough;
  }

  /**
   * True to start a message of the disk tier only after it was written, and to hold no more of them
   * in memory than is read ahead; default false: see {@link QueueOptions#setWriteThrough}.
   */
  public ServiceOptions setWriteThrough(boolean writeThrough) {
    this.writeThrough = writeThrough;
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
