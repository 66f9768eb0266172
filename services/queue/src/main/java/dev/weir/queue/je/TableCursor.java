package dev.weir.queue.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.dbi.CursorImpl;

/**
 * Reads the records of a table in the order of their keys, without locks. Used by one thread:
 *
 * <pre>
 * try (TableCursor cursor = TableCursor.keys(table, from)) {
 *   while (cursor.next()) {
 *     use(cursor.key());
 * </pre>
 */
final class TableCursor implements AutoCloseable {
  private final Cursor cursor;
  private final DatabaseEntry key;
  private final DatabaseEntry value = new DatabaseEntry();
  private boolean started;

  private TableCursor(Database table, byte[] from, boolean withValues) {
    this.cursor = table.openCursor(null, null);
    this.key = new DatabaseEntry(from);
    if (!withValues) {
      value.setPartial(0, 0, true);
    }
  }

  /** Reads keys only, from the first key that is not smaller than {@code from}. */
  static TableCursor keys(Database table, byte[] from) {
    return new TableCursor(table, from, false);
  }

  /** Reads keys and values, from the first key that is not smaller than {@code from}. */
  static TableCursor records(Database table, byte[] from) {
    return new TableCursor(table, from, true);
  }

  /** Reads keys and values backwards, from the last key that is smaller than {@code end}. */
  static TableCursor before(Database table, byte[] end) {
    return new TableCursor(table, end, true);
  }

  /** The largest key of a table, or null if the table is empty. */
  static byte[] lastKey(Database table) {
    try (TableCursor last = keys(table, new byte[0])) {
      OperationStatus status = last.cursor.getLast(last.key, last.value, LockMode.READ_UNCOMMITTED);
      return status == OperationStatus.SUCCESS ? last.key() : null;
    }
  }

  /** Moves to the next record; false at the end. */
  boolean next() {
    OperationStatus status =
        started
            ? cursor.getNext(key, value, LockMode.READ_UNCOMMITTED)
            : cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
    started = true;
    return status == OperationStatus.SUCCESS;
  }

  /** Moves to the record before; false at the start. Not to be mixed with {@link #next}. */
  boolean previous() {
    OperationStatus status = OperationStatus.SUCCESS;
    if (!started) {
      started = true;
      status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      if (status != OperationStatus.SUCCESS) {
        return cursor.getLast(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
      }
    }
    return cursor.getPrev(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
  }

  byte[] key() {
    return key.getData();
  }

  /** The value; only of a cursor that reads {@link #records}. */
  byte[] value() {
    return value.getData();
  }

  /** Where the value lies in the log: JE's log sequence number. */
  long lsn() {
    return CursorImpl.getCurrentLsn(DbInternal.getCursorImpl(cursor));
  }

  @Override
  public void close() {
    cursor.close();
  }
}
