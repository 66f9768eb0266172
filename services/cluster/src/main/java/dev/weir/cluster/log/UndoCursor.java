package dev.weir.cluster.log;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;

/** Walks over the undo of {@link JeObjects} that belongs to a mark or a later one. */
final class UndoCursor implements AutoCloseable {
  private final Cursor cursor;
  private final long from;
  private final DatabaseEntry key = new DatabaseEntry();
  private final DatabaseEntry value = new DatabaseEntry();
  private boolean found;

  /** All undo from a mark on. */
  UndoCursor(Database undo, long from) {
    this(undo, Long.MIN_VALUE, from);
  }

  /**
   * @param id the first object
   */
  UndoCursor(Database undo, long id, long from) {
    this.cursor = undo.openCursor(null, null);
    this.from = from;
    seek(id);
  }

  boolean isFound() {
    return found;
  }

  long id() {
    return ObjectKeys.id(key);
  }

  long mark() {
    return ObjectKeys.mark(key);
  }

  byte[] before() {
    return ObjectKeys.before(value);
  }

  /** Goes to the next undo, of the same object or of another one. */
  void next() {
    found = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    skip();
  }

  /** Goes to the first undo of the next object. */
  void nextObject() {
    long id = id();
    if (id == Long.MAX_VALUE) {
      found = false;
    } else {
      seek(id + 1);
    }
  }

  private void seek(long id) {
    key.setData(ObjectKeys.of(id, from).getData());
    found =
        cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    skip();
  }

  private void skip() {
    while (found && mark() < from) {
      key.setData(ObjectKeys.of(id(), from).getData());
      found =
          cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED)
              == OperationStatus.SUCCESS;
    }
  }

  /**
   * Looks at some undo, and deletes what is of earlier marks.
   *
   * @param from key of the first one; empty for all
   * @return key of the next one; null if there is none
   */
  static byte[] delete(Database undo, byte[] from, long firstMark, int count) {
    DatabaseEntry key = new DatabaseEntry(from);
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    try (Cursor cursor = undo.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, nothing, LockMode.READ_UNCOMMITTED);
      for (int i = 0; i < count && status == OperationStatus.SUCCESS; i++) {
        if (ObjectKeys.mark(key) < firstMark) {
          cursor.delete();
        }
        status = cursor.getNext(key, nothing, LockMode.READ_UNCOMMITTED);
      }
      return status == OperationStatus.SUCCESS ? key.getData() : null;
    }
  }

  static void deleteAll(Database table) {
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    try (Cursor cursor = table.openCursor(null, null)) {
      while (cursor.getNext(key, nothing, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        cursor.delete();
      }
    }
  }

  @Override
  public void close() {
    cursor.close();
  }
}
