package dev.weir.queue;

import static dev.weir.options.OptionTypes.path;

import dev.weir.options.ByteBudget;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Directory, memory and disk limits of a {@link QueueStore}. */
public final class QueueStoreOptions extends Options<QueueStoreOptions> {
  /** The smallest cache has {@value} bytes. */
  public static final long MIN_CACHE_BYTES = 4L << 20;

  /** Default: {@value} bytes of heap for the store's cache. */
  public static final long DEFAULT_CACHE_BYTES = 16L << 20;

  /** Default: {@value} bytes for each log file. */
  public static final long DEFAULT_LOG_FILE_BYTES = 64L << 20;

  /** Default: {@value} bytes of the file system stay free. */
  public static final long DEFAULT_MIN_FREE_BYTES = 128L << 20;

  /** Default: a packet of many messages is closed when it has {@value} bytes. */
  public static final int DEFAULT_PACKET_BYTES = 64 << 10;

  /**
   * Default: one transaction writes at most {@value} bytes of one queue, but at least one packet.
   */
  public static final int DEFAULT_BATCH_BYTES = 1 << 20;

  /** Default: packets of {@value} bytes and more are written to segment files. */
  public static final int DEFAULT_SEGMENT_THRESHOLD_BYTES = 16 << 10;

  /**
   * Packets that are forced to the device together go to a segment file if they have {@value} times
   * as many bytes as one packet must have, because then two files are forced instead of one.
   */
  public static final int FORCED_FACTOR = 8;

  /** Default: acknowledgements are written every {@value} ms. */
  public static final long DEFAULT_ACK_FLUSH_MS = 20;

  private InstantSource clock = InstantSource.system();
  private LongSupplier monotonicNs = System::nanoTime;

  /** Null for a share of the heap. */
  private ByteBudget bufferBudget;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Path> DIRECTORY =
      OPTIONS.add("directory", path(), null).does("The data directory on a local disk.");
  private static final Option<Long> CACHE_BYTES =
      OPTIONS
          .whole("cacheBytes", DEFAULT_CACHE_BYTES, MIN_CACHE_BYTES, 64L << 30)
          .does("Heap for the cache of the store.");
  private static final Option<Long> LOG_FILE_BYTES =
      OPTIONS
          .whole("logFileBytes", DEFAULT_LOG_FILE_BYTES, 1L << 20, 1L << 30)
          .does("Size of one log file; at most half of minFreeBytes counts.");
  private static final Option<Long> MIN_FREE_BYTES =
      OPTIONS
          .whole("minFreeBytes", DEFAULT_MIN_FREE_BYTES, 1L << 20, 1L << 40)
          .does("Free space below which nothing is appended.");
  private static final Option<Integer> PACKET_BYTES =
      OPTIONS
          .integer("packetBytes", DEFAULT_PACKET_BYTES, 1 << 10, 16 << 20)
          .does(
              "Size at which a packet is closed; up to four times as large with less than 24"
                  + " messages.");
  private static final Option<Integer> BATCH_BYTES =
      OPTIONS
          .integer("batchBytes", DEFAULT_BATCH_BYTES, 1 << 10, 256 << 20)
          .does("Bytes of one queue in one transaction.");
  private static final Option<Integer> SEGMENT_THRESHOLD_BYTES =
      OPTIONS
          .integer("segmentThresholdBytes", DEFAULT_SEGMENT_THRESHOLD_BYTES, 0, 64 << 20)
          .does(
              "Packets of this size and larger are written to segment files; 0 for none. Those that"
                  + " are forced together for MACHINE must have "
                  + FORCED_FACTOR
                  + " times as many bytes.");
  private static final Option<Long> ACK_FLUSH_MS =
      OPTIONS
          .whole("ackFlushMs", DEFAULT_ACK_FLUSH_MS, 1, 60_000)
          .does("The longest time until an acknowledgement is written.");

  public QueueStoreOptions(Path directory) {
    super(OPTIONS);
    setDirectory(directory);
  }

  public QueueStoreOptions(QueueStoreOptions other) {
    super(other);
    clock = other.clock;
    monotonicNs = other.monotonicNs;
    bufferBudget = other.bufferBudget;
  }

  public Path getDirectory() {
    return get(DIRECTORY);
  }

  /**
   * The data directory, on a local disk. Created if absent. Only one store at a time may use it.
   */
  public QueueStoreOptions setDirectory(Path directory) {
    return set(DIRECTORY, directory);
  }

  public long getCacheBytes() {
    return get(CACHE_BYTES);
  }

  /** Heap for the store's cache, 4 MiB to 64 GiB; default {@value #DEFAULT_CACHE_BYTES}. */
  public QueueStoreOptions setCacheBytes(long cacheBytes) {
    return set(CACHE_BYTES, cacheBytes);
  }

  public long getLogFileBytes() {
    return get(LOG_FILE_BYTES);
  }

  /**
   * Size of one log file, 1 MiB to 1 GiB; default {@value #DEFAULT_LOG_FILE_BYTES}. The file system
   * gets space back one file at a time. A file is no larger than half of {@link #setMinFreeBytes},
   * which has to hold what is copied out of it.
   */
  public QueueStoreOptions setLogFileBytes(long logFileBytes) {
    return set(LOG_FILE_BYTES, logFileBytes);
  }

  public long getMinFreeBytes() {
    return get(MIN_FREE_BYTES);
  }

  /**
   * Free space below which the store refuses appends, 1 MiB to 1 TiB; default {@value
   * #DEFAULT_MIN_FREE_BYTES}. Deletes and cleaning may use it down to an eighth. Log files are no
   * larger than half of this.
   */
  public QueueStoreOptions setMinFreeBytes(long minFreeBytes) {
    return set(MIN_FREE_BYTES, minFreeBytes);
  }

  public int getPacketBytes() {
    return get(PACKET_BYTES);
  }

  /**
   * Size at which a packet is closed, 1 KiB to 16 MiB; default {@value #DEFAULT_PACKET_BYTES}. A
   * packet with less than 24 messages may have four times as many bytes, but at most a quarter of
   * {@link QueueOptions#setReadAheadBytes}: what a packet costs is shared by its messages.
   */
  public QueueStoreOptions setPacketBytes(int packetBytes) {
    return set(PACKET_BYTES, packetBytes);
  }

  public int getBatchBytes() {
    return get(BATCH_BYTES);
  }

  /**
   * Largest size of one queue's part of a transaction, 1 KiB to 256 MiB; default {@value
   * #DEFAULT_BATCH_BYTES}.
   */
  public QueueStoreOptions setBatchBytes(int batchBytes) {
    return set(BATCH_BYTES, batchBytes);
  }

  public int getSegmentThresholdBytes() {
    return get(SEGMENT_THRESHOLD_BYTES);
  }

  /**
   * Packets of this size and larger are written to segment files beside the log, which is faster
   * for large messages; 0 to 64 MiB, default {@value #DEFAULT_SEGMENT_THRESHOLD_BYTES}; 0 for none.
   * Those that are forced to the device together must have {@value #FORCED_FACTOR} times as many
   * bytes. A release that knows no segments refuses a directory that has had one.
   */
  public QueueStoreOptions setSegmentThresholdBytes(int segmentThresholdBytes) {
    return set(SEGMENT_THRESHOLD_BYTES, segmentThresholdBytes);
  }

  public long getAckFlushMs() {
    return get(ACK_FLUSH_MS);
  }

  /**
   * Longest time until an acknowledgement is written, 1 ms to 60 s; default {@value
   * #DEFAULT_ACK_FLUSH_MS}. After a crash, messages that were acknowledged in the last such
   * interval are delivered again.
   */
  public QueueStoreOptions setAckFlushMs(long ackFlushMs) {
    return set(ACK_FLUSH_MS, ackFlushMs);
  }

  /** The one that was set, or a new one. */
  ByteBudget getBufferBudget() {
    return bufferBudget == null
        ? HeapBudget.ofJvm().share(HeapBudget.Share.QUEUE_BUFFERS)
        : bufferBudget;
  }

  /**
   * The bytes that all queues of the store together may hold in memory on their way to disk and
   * back; the write buffer of each queue is a part of them. A message that waits to be written
   * counts up to 256 bytes more than its size, which its objects take of the heap. Not null; by
   * default an eighth of the heap. A store that is one of several things in its JVM gets a part of
   * what they share.
   */
  public QueueStoreOptions setBufferBudget(ByteBudget bufferBudget) {
    this.bufferBudget = Checks.notNull("bufferBudget", bufferBudget);
    return this;
  }

  InstantSource getClock() {
    return clock;
  }

  LongSupplier getMonotonicNs() {
    return monotonicNs;
  }

  /** The time of day and the monotonic clock for delays and expiries; for tests. */
  QueueStoreOptions setClock(InstantSource clock, LongSupplier monotonicNs) {
    this.clock = Checks.notNull("clock", clock);
    this.monotonicNs = Checks.notNull("monotonicNs", monotonicNs);
    return this;
  }
}
