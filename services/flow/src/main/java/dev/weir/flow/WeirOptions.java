package dev.weir.flow;

import static dev.weir.options.OptionTypes.text;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.queue.QueueStoreOptions;
import io.vertx.core.json.JsonObject;

/** What all services of one {@link Weir} share: the data directory and its store. */
public final class WeirOptions extends JsonOptions<WeirOptions> {

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> DIRECTORY =
      OPTIONS
          .add("directory", text("a path").orNull(), null)
          .does("The data directory; null for no disk tier.");
  private static final Option<Long> CACHE_BYTES =
      OPTIONS
          .whole("cacheBytes", QueueStoreOptions.DEFAULT_CACHE_BYTES, 4L << 20, 64L << 30)
          .does("Heap for the cache of the store.");
  private static final Option<Long> LOG_FILE_BYTES =
      OPTIONS
          .whole("logFileBytes", QueueStoreOptions.DEFAULT_LOG_FILE_BYTES, 1L << 20, 1L << 30)
          .does("Size of one log file.");
  private static final Option<Long> MIN_FREE_BYTES =
      OPTIONS
          .whole("minFreeBytes", QueueStoreOptions.DEFAULT_MIN_FREE_BYTES, 1L << 20, 1L << 40)
          .does("Free space below which nothing is appended.");
  private static final Option<Integer> PACKET_BYTES =
      OPTIONS
          .integer("packetBytes", QueueStoreOptions.DEFAULT_PACKET_BYTES, 1 << 10, 16 << 20)
          .does("Size at which a packet is closed.");
  private static final Option<Long> ACK_FLUSH_MS =
      OPTIONS
          .whole("ackFlushMs", QueueStoreOptions.DEFAULT_ACK_FLUSH_MS, 1, 60_000)
          .does("The longest time until an acknowledgement is written.");

  public WeirOptions() {
    super(OPTIONS);
  }

  public WeirOptions(WeirOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public WeirOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  /** Null if there is no disk tier. */
  public String getDirectory() {
    return get(DIRECTORY);
  }

  /**
   * The data directory on a local disk, created if absent; null, the default, for services that
   * wait in memory only. One Weir at a time may use a directory.
   */
  public WeirOptions setDirectory(String directory) {
    return set(DIRECTORY, directory);
  }

  public long getCacheBytes() {
    return get(CACHE_BYTES);
  }

  /** See {@link QueueStoreOptions#setCacheBytes}. */
  public WeirOptions setCacheBytes(long cacheBytes) {
    return set(CACHE_BYTES, cacheBytes);
  }

  public long getLogFileBytes() {
    return get(LOG_FILE_BYTES);
  }

  /** See {@link QueueStoreOptions#setLogFileBytes}. */
  public WeirOptions setLogFileBytes(long logFileBytes) {
    return set(LOG_FILE_BYTES, logFileBytes);
  }

  public long getMinFreeBytes() {
    return get(MIN_FREE_BYTES);
  }

  /** See {@link QueueStoreOptions#setMinFreeBytes}. */
  public WeirOptions setMinFreeBytes(long minFreeBytes) {
    return set(MIN_FREE_BYTES, minFreeBytes);
  }

  public int getPacketBytes() {
    return get(PACKET_BYTES);
  }

  /** See {@link QueueStoreOptions#setPacketBytes}. */
  public WeirOptions setPacketBytes(int packetBytes) {
    return set(PACKET_BYTES, packetBytes);
  }

  public long getAckFlushMs() {
    return get(ACK_FLUSH_MS);
  }

  /** See {@link QueueStoreOptions#setAckFlushMs}. */
  public WeirOptions setAckFlushMs(long ackFlushMs) {
    return set(ACK_FLUSH_MS, ackFlushMs);
  }
}
