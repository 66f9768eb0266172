package dev.weir.state;

import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.whole;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionType;
import dev.weir.queue.QueueStoreOptions;
import io.vertx.core.json.JsonObject;

/** What all factories of one {@link Documents} share: the directory, threads and memory. */
public final class DocumentsOptions extends JsonOptions<DocumentsOptions> {
  public static final String DEFAULT_DIRECTORY = "data/documents";
  public static final long DEFAULT_LOG_FILE_BYTES = 32L << 20;
  public static final long DEFAULT_EXPIRY_SWEEP_MS = 1_000;
  public static final int DEFAULT_MAX_STREAMS = 64;
  public static final long MIN_BUDGET_BYTES = 1L << 20;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> DIRECTORY =
      OPTIONS
          .add("directory", text("a path").orNull(), DEFAULT_DIRECTORY)
          .does("The data directory of the documents, on a local disk; null for none.");
  private static final Option<Integer> THREADS =
      OPTIONS.integer("threads", 0, 0, 256).does("Threads that run operations; 0 for one per CPU.");
  private static final Option<Long> RESIDENT_BYTES =
      OPTIONS
          .add("residentBytes", budget(), 0L)
          .does("Heap for documents in memory that are on disk too; 0 for a quarter of the heap.");
  private static final Option<Long> MEMORY_BYTES =
      OPTIONS
          .add("memoryBytes", budget(), 0L)
          .does(
              "Heap for documents that are in memory only, and for replicated factories; 0 for an"
                  + " eighth of the heap, or three eighths without a directory.");
  private static final Option<Long> IN_FLIGHT_BYTES =
      OPTIONS
          .add("inFlightBytes", budget(), 0L)
          .does("Heap for operations under way; 0 for an eighth of the heap.");
  private static final Option<Long> CACHE_BYTES =
      OPTIONS
          .add("cacheBytes", budget(), 0L)
          .does("Heap for the cache of JE; 0 for an eighth of the heap.");
  private static final Option<Long> LOG_FILE_BYTES =
      OPTIONS
          .whole("logFileBytes", DEFAULT_LOG_FILE_BYTES, 1L << 20, 1L << 30)
          .does("Size of one log file of JE.");
  private static final Option<Long> MIN_FREE_BYTES =
      OPTIONS
          .whole("minFreeBytes", QueueStoreOptions.DEFAULT_MIN_FREE_BYTES, 1L << 20, 1L << 40)
          .does("Free space below which nothing is written.");
  private static final Option<Integer> MAX_STREAMS =
      OPTIONS
          .integer("maxStreams", DEFAULT_MAX_STREAMS, 0, 10_000)
          .does("Streams of changes over HTTP, and requests that wait for changes, at a time.");
  private static final Option<Long> EXPIRY_SWEEP_MS =
      OPTIONS
          .whole("expirySweepMs", DEFAULT_EXPIRY_SWEEP_MS, 10, 3_600_000)
          .does("How often documents that have expired are looked for and deleted.");

  public DocumentsOptions() {
    super(OPTIONS);
  }

  public DocumentsOptions(DocumentsOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public DocumentsOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  private static OptionType<Long> budget() {
    String allowed = "0 or at least " + MIN_BUDGET_BYTES;
    return whole(0, Long.MAX_VALUE)
        .with(
            allowed,
            (name, bytes) -> {
              if (bytes != 0 && bytes < MIN_BUDGET_BYTES) {
                throw Checks.notAllowed(name, bytes, allowed);
              }
              return bytes;
            });
  }

  public String getDirectory() {
    return get(DIRECTORY);
  }

  /**
   * The data directory, created if absent. One store at a time may use a directory. Null for a
   * store whose factories are all {@linkplain FactoryOptions#setPersisted in memory only}.
   */
  public DocumentsOptions setDirectory(String directory) {
    return set(DIRECTORY, directory);
  }

  public int getThreads() {
    return get(THREADS);
  }

  /**
   * Threads that run operations, validators and actions. A key always has the same thread, so its
   * operations run one at a time. 0, the default, for one per CPU.
   */
  public DocumentsOptions setThreads(int threads) {
    return set(THREADS, threads);
  }

  public long getResidentBytes() {
    return get(RESIDENT_BYTES);
  }

  /**
   * Heap for documents in memory that are on disk too, of all factories together. Those that were
   * not used for the longest time leave the memory; they are read again from JE when somebody asks
   * for them. 0, the default, for a quarter of the heap, or two fifths of the node's share.
   */
  public DocumentsOptions setResidentBytes(long residentBytes) {
    return set(RESIDENT_BYTES, residentBytes);
  }

  public long getMemoryBytes() {
    return get(MEMORY_BYTES);
  }

  /**
   * Heap for the documents, keys and index entries of factories that are {@linkplain
   * FactoryOptions#setPersisted in memory only}. Above it writes fail with {@link
   * DocumentFailure#MEMORY_FULL}. Replicated factories reserve their share of it. 0, the default,
   * for an eighth of the heap, or a fifth of the node's share; three times as much in a store
   * without a {@linkplain #setDirectory directory}.
   */
  public DocumentsOptions setMemoryBytes(long memoryBytes) {
    return set(MEMORY_BYTES, memoryBytes);
  }

  public long getInFlightBytes() {
    return get(IN_FLIGHT_BYTES);
  }

  /**
   * Heap for operations that are under way. Above it operations fail with {@link
   * DocumentFailure#BUSY}. An operation larger than all of it fails with {@link
   * DocumentFailure#TOO_LARGE}, even if {@link FactoryOptions#setMaxDocumentBytes} allows its
   * document; so does a body over HTTP larger than a third of it. 0, the default, for an eighth of
   * the heap, or a fifth of the node's share.
   */
  public DocumentsOptions setInFlightBytes(long inFlightBytes) {
    return set(IN_FLIGHT_BYTES, inFlightBytes);
  }

  public long getCacheBytes() {
    return get(CACHE_BYTES);
  }

  /**
   * Heap for the cache of JE; 0, the default, for an eighth of the heap, or a fifth of the node's
   * share.
   */
  public DocumentsOptions setCacheBytes(long cacheBytes) {
    return set(CACHE_BYTES, cacheBytes);
  }

  public long getLogFileBytes() {
    return get(LOG_FILE_BYTES);
  }

  /** The size of one log file of JE. */
  public DocumentsOptions setLogFileBytes(long logFileBytes) {
    return set(LOG_FILE_BYTES, logFileBytes);
  }

  public long getMinFreeBytes() {
    return get(MIN_FREE_BYTES);
  }

  /** Free space of the file system below which writes fail with {@code DISK_FULL}. */
  public DocumentsOptions setMinFreeBytes(long minFreeBytes) {
    return set(MIN_FREE_BYTES, minFreeBytes);
  }

  public int getMaxStreams() {
    return get(MAX_STREAMS);
  }

  /**
   * How many streams of changes over HTTP may be open at a time, together with the requests that
   * {@linkplain ChangeQuery#setWaitMs wait} for changes; {@value #DEFAULT_MAX_STREAMS} by default.
   * More fail with {@link DocumentFailure#BUSY}.
   */
  public DocumentsOptions setMaxStreams(int maxStreams) {
    return set(MAX_STREAMS, maxStreams);
  }

  public long getExpirySweepMs() {
    return get(EXPIRY_SWEEP_MS);
  }

  /**
   * How often documents that have expired are looked for and deleted. A document that has expired
   * is not found from that moment on, deleted or not.
   */
  public DocumentsOptions setExpirySweepMs(long expirySweepMs) {
    return set(EXPIRY_SWEEP_MS, expirySweepMs);
  }
}
