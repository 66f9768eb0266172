package dev.weir.group.documents;

import dev.weir.group.GroupState;
import dev.weir.group.Serde;
import dev.weir.group.Table;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.table.MemoryTables;
import dev.weir.state.table.Range;
import dev.weir.state.table.Tables;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** The documents of one shard, their keys in order and their index. For one call of a processor. */
final class ShardTables implements Tables {
  /** Estimated heap of a document beside its record and its key. */
  private static final int DOCUMENT_BYTES = 250;

  /** Estimated heap of an entry beside twice its bytes: itself and what leads to it. */
  private static final int ENTRY_BYTES = 300;

  private static final int FLOOR_AT = 0;
  private static final int DOCUMENTS_AT = 8;
  private static final int BYTES_AT = 16;
  private static final int TIMER_AT = 24;
  private static final int FIGURES_BYTES = 32;

  private final Table<Buffer> documents;
  private final Table<Buffer> meta;
  private final SortedEntries keys;
  private final SortedEntries index;
  private final Buffer figures;

  ShardTables(GroupState state) {
    this.documents = state.table("documents", Serde.BYTES);
    this.meta = state.table("meta", Serde.BYTES);
    this.keys = new SortedEntries(state.table("keys", Serde.BYTES));
    this.index = new SortedEntries(state.table("index", Serde.BYTES));
    Buffer kept = meta.get("figures");
    this.figures = kept == null ? Buffer.buffer(new byte[FIGURES_BYTES]) : kept;
  }

  /** The indexed fields with which the shard was first written; null before. */
  String fields() {
    Buffer fields = meta.get("fields");
    return fields == null ? null : fields.toString();
  }

  void setFields(String fields) {
    meta.put("fields", Buffer.buffer(fields));
  }

  /** The version that no new document may have or be below. */
  long floor() {
    return figures.getLong(FLOOR_AT);
  }

  long documents() {
    return figures.getLong(DOCUMENTS_AT);
  }

  /** Estimated heap of what is here. */
  long heapBytes() {
    return figures.getLong(BYTES_AT);
  }

  /** When the timer of the next expiry fires; 0 if none is set. */
  long timerMs() {
    return figures.getLong(TIMER_AT);
  }

  void setTimerMs(long dueMs) {
    figures.setLong(TIMER_AT, dueMs);
    meta.put("figures", figures);
  }

  @Override
  public State get(byte[] key) {
    return get(text(key));
  }

  State get(String key) {
    Buffer record = documents.get(key);
    return Records.decode(record == null ? null : record.getBytes());
  }

  /**
   * How much heap a change takes; nothing is changed.
   *
   * @param update what it does to keys and index
   */
  static long moreBytes(MemoryTables.Update update, State before, State after) {
    long entries = ENTRY_BYTES * (long) (update.added().size() - update.removed().size());
    long document = ENTRY_BYTES + DOCUMENT_BYTES + 2L * update.key().length;
    return update.heapBytes()
        + entries
        + after.bytes()
        - before.bytes()
        + (update.created() ? document : update.deleted() ? -document : 0);
  }

  /** Changes the state of a key. */
  void change(String key, MemoryTables.Update update, State before, State after) {
    if (after.isAbsent()) {
      documents.remove(key);
      figures.setLong(FLOOR_AT, Math.max(floor(), before.version()));
    } else {
      documents.put(key, Buffer.buffer(Records.encode(after)));
    }
    update.added().forEach(index::add);
    update.removed().forEach(index::remove);
    if (update.created()) {
      keys.add(update.key());
    } else if (update.deleted()) {
      keys.remove(update.key());
    }
    int more = update.created() ? 1 : update.deleted() ? -1 : 0;
    long moreBytes = moreBytes(update, before, after);
    if (more != 0 || moreBytes != 0) {
      figures.setLong(DOCUMENTS_AT, documents() + more);
      figures.setLong(BYTES_AT, heapBytes() + moreBytes);
      meta.put("figures", figures);
    }
  }

  @Override
  public void scanIndex(Range range, Predicate<byte[]> visitor) {
    index.scan(range, visitor);
  }

  @Override
  public void scanKeys(Range range, Predicate<byte[]> visitor) {
    keys.scan(range, visitor);
  }

  static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
