package dev.weir.state;

import static dev.weir.options.OptionTypes.choice;
import static dev.weir.options.OptionTypes.texts;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.queue.Durability;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Pattern;

/** The options of one factory of documents. */
public final class FactoryOptions extends JsonOptions<FactoryOptions> {
  public static final int DEFAULT_MAX_DOCUMENT_BYTES = 1 << 20;
  public static final int DEFAULT_MAX_KEY_BYTES = 512;

  /** The most earlier versions that a factory keeps of a document. */
  public static final int MAX_HISTORY_VERSIONS = 1_000;

  /** A hundred years. */
  public static final long MAX_EXPIRY_MS = 100L * 366 * 24 * 3_600_000;

  private static final Pattern PATH =
      Pattern.compile("[^\\s()=<>^'\".]{1,100}(\\.[^\\s()=<>^'\".]{1,100}){0,9}");

  private static final String DURABILITIES = "one of [PROCESS, MACHINE]";

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Durability> DURABILITY =
      OPTIONS
          .add(
              "durability",
              choice(Durability.class).with(DURABILITIES, FactoryOptions::checkDurability),
              Durability.PROCESS)
          .does("What a commit survives: a killed process, or a loss of power.");
  private static final Option<Boolean> PERSISTED =
      OPTIONS
          .flag("persisted", true)
          .does("Documents are on disk; false: in memory only, gone when the store closes.");
  private static final Option<Long> COMMIT_INTERVAL_MS =
      OPTIONS
          .whole("commitIntervalMs", 0, 0, 3_600_000)
          .does("0: a write is acknowledged when committed; else at once, and committed so often.");
  private static final Option<Boolean> IMMUTABLE =
      OPTIONS.flag("immutable", false).does("Documents are created and deleted, never changed.");
  private static final Option<Integer> MAX_DOCUMENT_BYTES =
      OPTIONS
          .integer("maxDocumentBytes", DEFAULT_MAX_DOCUMENT_BYTES, 2, 64 << 20)
          .does("The largest document, as JSON.");
  private static final Option<Integer> MAX_KEY_BYTES =
      OPTIONS
          .integer("maxKeyBytes", DEFAULT_MAX_KEY_BYTES, 1, 4096)
          .does("The longest key, in UTF-8.");
  private static final Option<Long> EXPIRY_MS =
      OPTIONS
          .whole("expiryMs", 0, 0, MAX_EXPIRY_MS)
          .does("When a document expires, counted from its last put; 0 for never.");
  private static final Option<Integer> HISTORY_VERSIONS =
      OPTIONS
          .integer("historyVersions", 0, 0, MAX_HISTORY_VERSIONS)
          .does("Earlier versions kept of each document; 0 deletes what was kept.");
  private static final Option<Long> CHANGE_LOG_BYTES =
      OPTIONS
          .whole("changeLogBytes", 0, 0, 1L << 40)
          .does("Disk for the log of changes that streams read; 0 for no log and no streams.");
  private static final Option<List<String>> INDEXES =
      OPTIONS
          .add("indexes", texts(FactoryOptions::checkPath), List.of())
          .does("Fields that queries may name; members within members by dots.");

  public FactoryOptions() {
    super(OPTIONS);
  }

  public FactoryOptions(FactoryOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public FactoryOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  private static Durability checkDurability(String name, Durability durability) {
    if (durability == Durability.NONE) {
      throw Checks.notAllowed(name, durability, DURABILITIES);
    }
    return durability;
  }

  private static void checkPath(String name, String path) {
    if (path == null || !PATH.matcher(path).matches()) {
      throw Checks.notAllowed(
          name, path, "names without blanks, quotes, parentheses and = < > ^, by dots");
    }
  }

  public Durability getDurability() {
    return get(DURABILITY);
  }

  /**
   * What a commit survives: {@link Durability#PROCESS}, the default, a killed process; {@link
   * Durability#MACHINE} a loss of power too. One commit writes the changes of all factories that
   * wait, and has the strongest durability among them.
   */
  public FactoryOptions setDurability(Durability durability) {
    return set(DURABILITY, durability);
  }

  public boolean isPersisted() {
    return get(PERSISTED);
  }

  /**
   * Whether documents are on disk, as by default. Otherwise they are in memory only, within {@link
   * DocumentsOptions#setMemoryBytes}, and are gone when the store closes. Durability and commit
   * interval mean nothing then. What the directory has of a factory of that name stays there
   * unseen.
   *
   * <p>Operations of such a factory end before the call returns, on the caller's thread, unless it
   * has {@linkplain FactoryRules rules}.
   */
  public FactoryOptions setPersisted(boolean persisted) {
    return set(PERSISTED, persisted);
  }

  public long getCommitIntervalMs() {
    return get(COMMIT_INTERVAL_MS);
  }

  /**
   * When a write is acknowledged. With 0, the default, it is acknowledged when it is committed.
   * With more it is acknowledged at once and committed so many milliseconds later at the latest: a
   * killed process then loses the writes that were acknowledged in the last interval and in the
   * time of one commit. What is committed is always a state that the store really had, without
   * gaps. While commits fail, as on a full disk, the changes stay in memory, and the loss of a kill
   * grows until commits succeed again.
   */
  public FactoryOptions setCommitIntervalMs(long commitIntervalMs) {
    return set(COMMIT_INTERVAL_MS, commitIntervalMs);
  }

  public boolean isImmutable() {
    return get(IMMUTABLE);
  }

  /** Whether documents are created and deleted only, never changed; by default they may change. */
  public FactoryOptions setImmutable(boolean immutable) {
    return set(IMMUTABLE, immutable);
  }

  public int getMaxDocumentBytes() {
    return get(MAX_DOCUMENT_BYTES);
  }

  /**
   * The largest document, as JSON. {@link DocumentsOptions#setInFlightBytes} has to be larger, and
   * three times as large for documents over HTTP.
   */
  public FactoryOptions setMaxDocumentBytes(int maxDocumentBytes) {
    return set(MAX_DOCUMENT_BYTES, maxDocumentBytes);
  }

  public int getMaxKeyBytes() {
    return get(MAX_KEY_BYTES);
  }

  /** The longest key, in bytes of UTF-8. */
  public FactoryOptions setMaxKeyBytes(int maxKeyBytes) {
    return set(MAX_KEY_BYTES, maxKeyBytes);
  }

  public long getExpiryMs() {
    return get(EXPIRY_MS);
  }

  /**
   * When a document expires, counted from its creation, or from the last {@code put} or {@code
   * replace}; 0, the default, for never. {@link WriteOptions#expireAfterMs} overrides it.
   */
  public FactoryOptions setExpiryMs(long expiryMs) {
    return set(EXPIRY_MS, expiryMs);
  }

  public int getHistoryVersions() {
    return get(HISTORY_VERSIONS);
  }

  /**
   * How many earlier versions of each document are kept on disk beside the current one, 0 to
   * {@value #MAX_HISTORY_VERSIONS}; 0, the default, for none. They are read by {@link
   * DocumentFactory#get(String, long)} and listed by {@link DocumentFactory#versions}. A version
   * that was written while this was 0 is not kept. When a document is deleted or expires, its
   * versions are deleted with it. Opening a factory with 0 deletes all that it kept. A factory that
   * is in memory only keeps none, and is not opened with another value.
   */
  public FactoryOptions setHistoryVersions(int historyVersions) {
    return set(HISTORY_VERSIONS, historyVersions);
  }

  public long getChangeLogBytes() {
    return get(CHANGE_LOG_BYTES);
  }

  /**
   * Bytes of keys and values in the log of changes, which {@link DocumentFactory#changes} reads; 0,
   * the default, for no log. Above it the oldest changes are deleted, but never the last one. Each
   * change is in the log with its document. Opening a factory with 0 deletes its log, and no
   * position of that log is valid any more. A factory that is in memory only has no log, and is not
   * opened with another value.
   */
  public FactoryOptions setChangeLogBytes(long changeLogBytes) {
    return set(CHANGE_LOG_BYTES, changeLogBytes);
  }

  public List<String> getIndexes() {
    return get(INDEXES);
  }

  /**
   * The fields that filters may name and documents may be sorted by, such as {@code color} or
   * {@code owner.name}. Texts, numbers and truth values are indexed; a document with anything else
   * in a field, or without it, is not found by that field. A field that is new is indexed when the
   * factory is opened, which takes a while for many documents.
   */
  public FactoryOptions setIndexes(List<String> indexes) {
    return set(INDEXES, indexes);
  }
}
