package dev.weir.flow;

import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.text;
import static dev.weir.flow.OptionReader.whole;

import dev.weir.queue.QueueStoreOptions;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;

/** What all services of one {@link Weir} share: the data directory and its store. */
public final class WeirOptions {
  private static final Path UNSET = Path.of("");

  private String directory;
  private final QueueStoreOptions store = new QueueStoreOptions(UNSET);

  public WeirOptions() {}

  public WeirOptions(WeirOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public WeirOptions(JsonObject json) {
    new OptionReader(
            Map.of(
                "directory", value -> setDirectory(text("directory", value)),
                "cacheBytes", value -> setCacheBytes(whole("cacheBytes", value)),
                "logFileBytes", value -> setLogFileBytes(whole("logFileBytes", value)),
                "minFreeBytes", value -> setMinFreeBytes(whole("minFreeBytes", value)),
                "packetBytes", value -> setPacketBytes(smallWhole("packetBytes", value)),
                "ackFlushMs", value -> setAckFlushMs(whole("ackFlushMs", value))))
        .apply(json);
  }

  public JsonObject toJson() {
    JsonObject json =
        new JsonObject()
            .put("cacheBytes", store.getCacheBytes())
            .put("logFileBytes", store.getLogFileBytes())
            .put("minFreeBytes", store.getMinFreeBytes())
            .put("packetBytes", store.getPacketBytes())
            .put("ackFlushMs", store.getAckFlushMs());
    return directory == null ? json : json.put("directory", directory);
  }

  /** Null if there is no disk tier. */
  public String getDirectory() {
    return directory;
  }

  /**
   * The data directory on a local disk, created if absent; null, the default, for services that
   * wait in memory only. One Weir at a time may use a directory.
   */
  public WeirOptions setDirectory(String directory) {
    if (directory != null && directory.isBlank()) {
      throw new IllegalArgumentException("directory is blank, allowed is a path");
    }
    this.directory = directory;
    return this;
  }

  public long getCacheBytes() {
    return store.getCacheBytes();
  }

  /** See {@link QueueStoreOptions#setCacheBytes}. */
  public WeirOptions setCacheBytes(long cacheBytes) {
    store.setCacheBytes(cacheBytes);
    return this;
  }

  public long getLogFileBytes() {
    return store.getLogFileBytes();
  }

  /** See {@link QueueStoreOptions#setLogFileBytes}. */
  public WeirOptions setLogFileBytes(long logFileBytes) {
    store.setLogFileBytes(logFileBytes);
    return this;
  }

  public long getMinFreeBytes() {
    return store.getMinFreeBytes();
  }

  /** See {@link QueueStoreOptions#setMinFreeBytes}. */
  public WeirOptions setMinFreeBytes(long minFreeBytes) {
    store.setMinFreeBytes(minFreeBytes);
    return this;
  }

  public int getPacketBytes() {
    return store.getPacketBytes();
  }

  /** See {@link QueueStoreOptions#setPacketBytes}. */
  public WeirOptions setPacketBytes(int packetBytes) {
    store.setPacketBytes(packetBytes);
    return this;
  }

  public long getAckFlushMs() {
    return store.getAckFlushMs();
  }

  /** See {@link QueueStoreOptions#setAckFlushMs}. */
  public WeirOptions setAckFlushMs(long ackFlushMs) {
    store.setAckFlushMs(ackFlushMs);
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
