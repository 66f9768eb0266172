package dev.weir.queue;

import java.nio.file.Path;
import java.time.InstantSource;

/** How a {@link QueueStore} uses its directory, memory and disk. */
public final class QueueStoreOptions {
  /** {@value} bytes of heap for the store's cache. */
  public static final long DEFAULT_CACHE_BYTES = 16L << 20;

  /** {@value} bytes per log file. */
  public static final long DEFAULT_LOG_FILE_BYTES = 64L << 20;

  /** {@value} bytes of the file system are left free. */
  public static final long DEFAULT_MIN_FREE_BYTES = 64L << 20;

  /** {@value} bytes: a packet is closed when it has as many. */
  public static final int DEFAULT_PACKET_BYTES = 64 << 10;

  /** {@value} bytes of one queue are written in one transaction at most (one packet at least). */
  public static final int DEFAULT_BATCH_BYTES = 1 << 20;

  /** Every {@value} ms partly acknowledged packets are remembered on disk. */
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

  /** The data directory on a local disk, created if absent; one store at a time may use it. */
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
   * Size of one log file, 1 MiB to 1 GiB; default {@value #DEFAULT_LOG_FILE_BYTES}. Space is given
   * back to the file system one file at a time.
   */
  public QueueStoreOptions setLogFileBytes(long logFileBytes) {
    this.logFileBytes = Checks.range("logFileBytes", logFileBytes, 1L << 20, 1L << 30);
    return this;
  }

  public long getMinFreeBytes() {
    return minFreeBytes;
  }

  /**
   * Free space below which nothing is appended, 1 MiB to 1 TiB; default {@value
   * #DEFAULT_MIN_FREE_BYTES}. Half of it stays usable for deletes and for cleaning.
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
   * Bytes of one queue per transaction, 1 KiB to 256 MiB; default {@value #DEFAULT_BATCH_BYTES}.
   */
  public QueueStoreOptions setBatchBytes(int batchBytes) {
    this.batchBytes = (int) Checks.range("batchBytes", batchBytes, 1 << 10, 256 << 20);
    return this;
  }

  public long getAckFlushMs() {
    return ackFlushMs;
  }

  /**
   * How long an acknowledgement inside a packet may wait to be written, 1 ms to 60 s; default
   * {@value #DEFAULT_ACK_FLUSH_MS}. What was acknowledged later than that before a crash is
   * delivered again.
   */
  public QueueStoreOptions setAckFlushMs(long ackFlushMs) {
    this.ackFlushMs = Checks.range("ackFlushMs", ackFlushMs, 1, 60_000);
    return this;
  }

  InstantSource getClock() {
    return clock;
  }

  /** What tells the time of day for delays and expiries; for tests. */
  QueueStoreOptions setClock(InstantSource clock) {
    this.clock = Checks.notNull("clock", clock);
    return this;
  }
}
