package dev.weir.queue;

import java.nio.file.Path;
import java.time.InstantSource;

/** Directory, memory and disk limits of a {@link QueueStore}. */
public final class QueueStoreOptions {
  /** Default: {@value} bytes of heap for the store's cache. */
  public static final long DEFAULT_CACHE_BYTES = 16L << 20;

  /** Default: {@value} bytes for each log file. */
  public static final long DEFAULT_LOG_FILE_BYTES = 64L << 20;

  /** Default: {@value} bytes of the file system stay free. */
  public static final long DEFAULT_MIN_FREE_BYTES = 64L << 20;

  /** Default: a packet is closed when it has {@value} bytes. */
  public static final int DEFAULT_PACKET_BYTES = 64 << 10;

  /**
   * Default: one transaction writes at most {@value} bytes of one queue, but at least one packet.
   */
  public static final int DEFAULT_BATCH_BYTES = 1 << 20;

  /** Default: acknowledgements are written every {@value} ms. */
  public static final long DEFAULT_ACK_FLUSH_MS = 20;

  private Path directory;
  private long cacheBytes = DEFAULT_CACHE_BYTES;
  private long logFileBytes = DEFAULT_LOG_FILE_BYTES;
  private long minFreeBytes = DEFAULT_MIN_FREE_BYTES;
  private int packetBytes = DEFAULT_PACKET_BYTES;
  private int batchBytes = DEFAULT_BATCH_BYTES;
  private long ackFlushMs = DEFAULT_ACK_FLUSH_MS;
  private InstantSource clock = InstantSource.system();

  public QueueStoreOptions(Path directory) {
    setDirectory(directory);
  }

  public QueueStoreOptions(QueueStoreOptions other) {
    directory = other.directory;
    cacheBytes = other.cacheBytes;
    logFileBytes = other.logFileBytes;
    minFreeBytes = other.minFreeBytes;
    packetBytes = other.packetBytes;
    batchBytes = other.batchBytes;
    ackFlushMs = other.ackFlushMs;
    clock = other.clock;
  }

  public Path getDirectory() {
    return directory;
  }

  /**
   * The data directory, on a local disk. Created if absent. Only one store at a time may use it.
   */
  public QueueStoreOptions setDirectory(Path directory) {
    this.directory = Checks.notNull("directory", directory);
    return this;
  }

  public long getCacheBytes() {
    return cacheBytes;
  }

  /** Heap for the store's cache, 4 MiB to 64 GiB; default {@value #DEFAULT_CACHE_BYTES}. */
  public QueueStoreOptions setCacheBytes(long cacheBytes) {
    this.cacheBytes = Checks.range("cacheBytes", cacheBytes, 4L << 20, 64L << 30);
    return this;
  }

  public long getLogFileBytes() {
    return logFileBytes;
  }

  /**
   * Size of one log file, 1 MiB to 1 GiB; default {@value #DEFAULT_LOG_FILE_BYTES}. The file system
   * gets space back one file at a time.
   */
  public QueueStoreOptions setLogFileBytes(long logFileBytes) {
    this.logFileBytes = Checks.range("logFileBytes", logFileBytes, 1L << 20, 1L << 30);
    return this;
  }

  public long getMinFreeBytes() {
    return minFreeBytes;
  }

  /**
   * Free space below which the store refuses appends, 1 MiB to 1 TiB; default {@value
   * #DEFAULT_MIN_FREE_BYTES}. Deletes and cleaning may use half of it.
   */
  public QueueStoreOptions setMinFreeBytes(long minFreeBytes) {
    this.minFreeBytes = Checks.range("minFreeBytes", minFreeBytes, 1L << 20, 1L << 40);
    return this;
  }

  public int getPacketBytes() {
    return packetBytes;
  }

  /** Size at which a packet is closed, 1 KiB to 16 MiB; default {@value #DEFAULT_PACKET_BYTES}. */
  public QueueStoreOptions setPacketBytes(int packetBytes) {
    this.packetBytes = (int) Checks.range("packetBytes", packetBytes, 1 << 10, 16 << 20);
    return this;
  }

  public int getBatchBytes() {
    return batchBytes;
  }

  /**
   * Largest size of one queue's part of a transaction, 1 KiB to 256 MiB; default {@value
   * #DEFAULT_BATCH_BYTES}.
   */
  public QueueStoreOptions setBatchBytes(int batchBytes) {
    this.batchBytes = (int) Checks.range("batchBytes", batchBytes, 1 << 10, 256 << 20);
    return this;
  }

  public long getAckFlushMs() {
    return ackFlushMs;
  }

  /**
   * Longest time until an acknowledgement is written, 1 ms to 60 s; default {@value
   * #DEFAULT_ACK_FLUSH_MS}. After a crash, messages that were acknowledged in the last such
   * interval are delivered again.
   */
  public QueueStoreOptions setAckFlushMs(long ackFlushMs) {
    this.ackFlushMs = Checks.range("ackFlushMs", ackFlushMs, 1, 60_000);
    return this;
  }

  InstantSource getClock() {
    return clock;
  }

  /** The clock for delays and expiries; for tests. */
  QueueStoreOptions setClock(InstantSource clock) {
    this.clock = Checks.notNull("clock", clock);
    return this;
  }
}
