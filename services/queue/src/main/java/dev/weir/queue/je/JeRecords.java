package dev.weir.queue.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.dbi.CursorImpl;
import java.util.List;

/** The records of a database of JE. Reads take no locks. */
final class JeRecords implements Records {
  private final Database database;

  private JeRecords(Database database) {
    this.database = database;
  }

  /** The tables of a JE environment. */
  record Source(Environment environment, DatabaseConfig config) implements Records.Source {
    @Override
    public Records open(String name) {
      return new JeRecords(environment.openDatabase(null, name, config));
    }

    @Override
    public List<String> names() {
      return environment.getDatabaseNames();
    }
  }

  @Override
  public boolean get(DatabaseEntry key, DatabaseEntry value) {
    return database.get(null, key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
  }

  @Override
  public void put(StoreTransaction transaction, DatabaseEntry key, DatabaseEntry value) {
    database.put(transaction.je(), key, value);
  }

  @Override
  public boolean delete(StoreTransaction transaction, DatabaseEntry key) {
    return database.delete(transaction.je(), key) == OperationStatus.SUCCESS;
  }

  @Override
  public TableCursor cursor(byte[] from, boolean withValues) {
    return new JeCursor(database.openCursor(null, null), from, withValues);
  }

  @Override
  public void close() {
    database.close();
  }

  private static final class JeCursor implements TableCursor {
    private final Cursor cursor;
    private final DatabaseEntry key;
    private final DatabaseEntry value = new DatabaseEntry();
    private boolean started;

    JeCursor(Cursor cursor, byte[] from, boolean withValues) {
      this.cursor = cursor;
      this.key = new DatabaseEntry(from);
      if (!withValues) {
        value.setPartial(0, 0, true);
      }
    }

    @Override
    public boolean next() {
      OperationStatus status =
          started
              ? cursor.getNext(key, value, LockMode.READ_UNCOMMITTED)
              : cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      started = true;
      return status == OperationStatus.SUCCESS;
    }

    @Override
    public boolean previous() {
      OperationStatus status = OperationStatus.SUCCESS;
      if (!started) {
        started = true;
        status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
        if (status != OperationStatus.SUCCESS) {
          return last();
        }
      }
      return cursor.getPrev(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    }

    private boolean last() {
      return cursor.getLast(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    }

    @Override
    public byte[] key() {
      return key.getData();
    }

    @Override
    public byte[] value() {
      return value.getData();
    }

    @Override
    public long lsn() {
      return CursorImpl.getCurrentLsn(DbInternal.getCursorImpl(cursor));
    }

    @Override
    public void close() {
      cursor.close();
    }
  }
}
