package dev.weir.state.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.state.DocumentVersion;
import dev.weir.state.change.Change;
import dev.weir.state.change.State;
import dev.weir.state.table.Range;
import java.io.Closeable;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * The tables of one factory: its documents by key, its index, the versions that it keeps, and the
 * log of its changes.
 */
final class FactoryTables implements Closeable {
  private static final byte[] NOTHING = {};

  private final Database documents;
  private final Database index;

  /** Null if the factory keeps no versions. */
  private final VersionTable versions;

  /** Null if the factory has no log. */
  private final ChangeTable changes;

  /**
   * @param versions null if the factory keeps none
   * @param changes null if the factory has no log
   */
  FactoryTables(Database documents, Database index, VersionTable versions, ChangeTable changes) {
    this.documents = documents;
    this.index = index;
    this.versions = versions;
    this.changes = changes;
  }

  /** The record of a key; null if there is none. */
  byte[] get(byte[] key) {
    DatabaseEntry value = new DatabaseEntry();
    OperationStatus status =
        documents.get(null, new DatabaseEntry(key), value, LockMode.READ_COMMITTED);
    return status == OperationStatus.SUCCESS ? value.getData() : null;
  }

  /** Counts the documents, which reads the keys of all. */
  long count() {
    return documents.count();
  }

  /** A kept version of a key; null if there is none. */
  State version(byte[] key, long version) {
    return versions == null ? null : versions.get(key, version);
  }

  /** The kept versions of a key up to one, the newest first. */
  List<DocumentVersion> versions(byte[] key, long last) {
    return versions == null ? List.of() : versions.list(key, last);
  }

  /** The log of changes; null if the factory has none. */
  ChangeTable changes() {
    return changes;
  }

  void apply(Transaction transaction, Change change) {
    DatabaseEntry key = new DatabaseEntry(change.key());
    byte[] record = change.record();
    if (record == null) {
      documents.delete(transaction, key);
    } else {
      documents.put(transaction, key, new DatabaseEntry(record));
    }
    for (byte[] entry : change.removed()) {
      index.delete(transaction, new DatabaseEntry(entry));
    }
    for (byte[] entry : change.added()) {
      index.put(transaction, new DatabaseEntry(entry), new DatabaseEntry(NOTHING));
    }
    if (versions != null) {
      versions.apply(transaction, change.key(), change.kept());
    }
  }

  /** Visits entries of the index, see {@link #scan}. */
  void scanIndex(Range range, Predicate<byte[]> visitor) {
    scan(index, range, visitor);
  }

  /** Visits keys of documents, see {@link #scan}. */
  void scanKeys(Range range, Predicate<byte[]> visitor) {
    scan(documents, range, visitor);
  }

  /** Visits the records of all documents, for who is alone with the factory. */
  void scanDocuments(BiConsumer<byte[], byte[]> visitor) {
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry record = new DatabaseEntry();
    try (Cursor cursor = documents.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      while (cursor.getNext(key, record, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        visitor.accept(key.getData(), record.getData());
      }
    }
  }

  Database index() {
    return index;
  }

  /**
   * Visits the keys of a table in their order, or from the last to the first. It takes no locks, so
   * that a commit never waits for it: it also sees what is about to be committed, and who uses a
   * key looks at its document.
   *
   * @param visitor false to end
   */
  private static void scan(Database table, Range range, Predicate<byte[]> visitor) {
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    try (Cursor cursor = table.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      DatabaseEntry key = new DatabaseEntry();
      OperationStatus status = first(cursor, range, key, nothing);
      while (status == OperationStatus.SUCCESS
          && range.contains(key.getData())
          && visitor.test(key.getData())) {
        status =
            range.descending()
                ? cursor.getPrev(key, nothing, LockMode.READ_UNCOMMITTED)
                : cursor.getNext(key, nothing, LockMode.READ_UNCOMMITTED);
      }
    }
  }

  private static OperationStatus first(
      Cursor cursor, Range range, DatabaseEntry key, DatabaseEntry nothing) {
    LockMode mode = LockMode.READ_UNCOMMITTED;
    if (!range.descending()) {
      key.setData(range.from());
      return cursor.getSearchKeyRange(key, nothing, mode);
    }
    if (range.to() == null) {
      return cursor.getLast(key, nothing, mode);
    }
    key.setData(range.to());
    return cursor.getSearchKeyRange(key, nothing, mode) == OperationStatus.SUCCESS
        ? cursor.getPrev(key, nothing, mode)
        : cursor.getLast(key, nothing, mode);
  }

  @Override
  public void close() {
    documents.close();
    index.close();
    if (versions != null) {
      versions.close();
    }
    if (changes != null) {
      changes.close();
    }
  }
}
