package dev.weir.state.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.state.change.Change;
import java.util.function.Predicate;

/** The two tables of one factory: its documents by key, and its index. */
final class FactoryTables implements AutoCloseable {
  private static final byte[] NOTHING = {};

  private final Database documents;
  private final Database index;

  FactoryTables(Database documents, Database index) {
    this.documents = documents;
    this.index = index;
  }

  /** The record of a key; null if there is none. */
  byte[] get(byte[] key) {
    DatabaseEntry value = new DatabaseEntry();
    OperationStatus status =
        documents.get(null, new DatabaseEntry(key), value, LockMode.READ_COMMITTED);
    return status == OperationStatus.SUCCESS ? value.getData() : null;
  }

  void apply(Transaction transaction, Change change) {
    DatabaseEntry key = new DatabaseEntry(change.key());
    if (change.record() == null) {
      documents.delete(transaction, key);
    } else {
      documents.put(transaction, key, new DatabaseEntry(change.record()));
    }
    for (byte[] entry : change.removed()) {
      index.delete(transaction, new DatabaseEntry(entry));
    }
    for (byte[] entry : change.added()) {
      index.put(transaction, new DatabaseEntry(entry), new DatabaseEntry(NOTHING));
    }
  }

  /**
   * Visits entries of the index in their order. It takes no locks, so that a commit never waits for
   * it: it also sees what is about to be committed, and who uses an entry looks at its document.
   *
   * @param from the first entry, or the next one if it is not there
   * @param visitor false to end
   */
  void scanIndex(byte[] from, Predicate<byte[]> visitor) {
    DatabaseEntry entry = new DatabaseEntry(from);
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    try (Cursor cursor = index.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      OperationStatus status = cursor.getSearchKeyRange(entry, nothing, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS && visitor.test(entry.getData())) {
        status = cursor.getNext(entry, nothing, LockMode.READ_UNCOMMITTED);
      }
    }
  }

  /** The number of documents; counts them. */
  long count() {
    return documents.count();
  }

  @Override
  public void close() {
    documents.close();
    index.close();
  }
}
