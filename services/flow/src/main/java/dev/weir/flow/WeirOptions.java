package dev.weir.flow;

import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.whole;

import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
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
  private static final Option<String> BACKUP_DIRECTORY =
      OPTIONS
          .add("backupDirectory", text("a path").orNull(), null)
          .does("Where administrators may have backups made; null for nowhere.");
  private static final Option<Long> HEAP_BYTES =
      OPTIONS
          .add(
              "heapBytes",
              whole(0, Long.MAX_VALUE)
                  .with("0 or at least " + HeapBudget.MIN_HEAP_BYTES, WeirOptions::checkHeap),
              0L)
          .does("The heap that this node may use; 0 for all of the JVM's.");
  private static final Option<Integer> DOCUMENTS_PERCENT =
      OPTIONS
          .integer("documentsPercent", 0, 0, HeapBudget.MAX_DOCUMENTS_PERCENT)
          .does("Part of that heap for a store of documents, in percent.");
  private static final Option<Long> CACHE_BYTES =
      OPTIONS
          .whole(
              "cacheBytes",
              QueueStoreOptions.DEFAULT_CACHE_BYTES,
              QueueStoreOptions.MIN_CACHE_BYTES,
              64L << 30)
          .does("Heap for the cache of the store.");
  private static final Option<Long> LOG_FILE_BYTES =
      OPTIONS
          .whole("logFileBytes", QueueStoreOptions.DEFAULT_LOG_FILE_BYTES, 1L << 20, 1L << 30)
          .does("Size of one log file; at most half of minFreeBytes counts.");
  private static final Option<Long> MIN_FREE_BYTES =
      OPTIONS
          .whole("minFreeBytes", QueueStoreOptions.DEFAULT_MIN_FREE_BYTES, 1L << 20, 1L << 40)
          .does("Free space below which nothing is appended.");
  private static final Option<Integer> PACKET_BYTES =
      OPTIONS
          .integer("packetBytes", QueueStoreOptions.DEFAULT_PACKET_BYTES, 1 << 10, 16 << 20)
          .does(
              "Size at which a packet is closed; up to four times as large with less than 24"
                  + " messages.");
  private static final Option<Integer> SEGMENT_THRESHOLD_BYTES =
      OPTIONS
          .integer(
              "segmentThresholdBytes",
              QueueStoreOptions.DEFAULT_SEGMENT_THRESHOLD_BYTES,
              0,
              64 << 20)
          .does(
              "Packets of this size and larger are written to segment files; 0 for none. Those that"
                  + " are forced together for MACHINE must have "
                  + QueueStoreOptions.FORCED_FACTOR
                  + " times as many bytes.");
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

  public String getBackupDirectory() {
    return get(BACKUP_DIRECTORY);
  }

  /**
   * Where an administrator of the gateway may have backups made, each a directory of its own in it;
   * null, the default, for nowhere. {@link Weir#backup} copies to any place.
   */
  public WeirOptions setBackupDirectory(String backupDirectory) {
    return set(BACKUP_DIRECTORY, backupDirectory);
  }

  private static Long checkHeap(String name, Long heapBytes) {
    if (heapBytes != 0 && heapBytes < HeapBudget.MIN_HEAP_BYTES) {
      throw Checks.notAllowed(name, heapBytes, "0 or at least " + HeapBudget.MIN_HEAP_BYTES);
    }
    return heapBytes;
  }

  public int getDocumentsPercent() {
    return get(DOCUMENTS_PERCENT);
  }

  /**
   * The part of {@linkplain #setHeapBytes the node's heap} that a store of documents may draw on, 0
   * to {@value HeapBudget#MAX_DOCUMENTS_PERCENT} percent; 0, the default, for no documents. The
   * other shares are smaller for it.
   */
  public WeirOptions setDocumentsPercent(int documentsPercent) {
    return set(DOCUMENTS_PERCENT, documentsPercent);
  }

  public long getHeapBytes() {
    return get(HEAP_BYTES);
  }

  /**
   * The part of the heap that this node may use, {@value HeapBudget#MIN_HEAP_BYTES} bytes or more;
   * 0, the default, for all that the JVM may ever have. Memory tiers, write buffers, the cache of
   * the store, messages in handling and the bodies of a gateway each take a {@linkplain HeapBudget
   * share} of it; their own options lower their share and never raise it. Nodes that live in one
   * JVM divide its heap by this option. More than the heap suits only messages that share their
   * bodies.
   */
  public WeirOptions setHeapBytes(long heapBytes) {
    return set(HEAP_BYTES, heapBytes);
  }

  public long getCacheBytes() {
    return get(CACHE_BYTES);
  }

  /** See {@link QueueStoreOptions#setCacheBytes}; at most the share of {@link #setHeapBytes}. */
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

  public int getSegmentThresholdBytes() {
    return get(SEGMENT_THRESHOLD_BYTES);
  }

  /** See {@link QueueStoreOptions#setSegmentThresholdBytes}. */
  public WeirOptions setSegmentThresholdBytes(int segmentThresholdBytes) {
    return set(SEGMENT_THRESHOLD_BYTES, segmentThresholdBytes);
  }

  public long getAckFlushMs() {
    return get(ACK_FLUSH_MS);
  }

  /** See {@link QueueStoreOptions#setAckFlushMs}. */
  public WeirOptions setAckFlushMs(long ackFlushMs) {
    return set(ACK_FLUSH_MS, ackFlushMs);
  }
}
