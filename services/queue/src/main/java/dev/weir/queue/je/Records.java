package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import java.io.Closeable;
import java.util.List;

/** The records of one table, in the order of their keys. */
interface Records extends Closeable {

  /** Where tables are: an environment of JE, or the memory of a test. */
  interface Source {
    /** Opens a table; creates it if it is absent and the source can be written. */
    Records open(String name);

    /** Names of all tables. */
    List<String> names();
  }

  /** Reads a value, committed or not; false if there is no record. */
  boolean get(DatabaseEntry key, DatabaseEntry value);

  void put(StoreTransaction transaction, DatabaseEntry key, DatabaseEntry value);

  /** Deletes a record; false if there is none. */
  boolean delete(StoreTransaction transaction, DatabaseEntry key);

  /**
   * Opens a cursor.
   *
   * @param from where {@link TableCursor#next} and {@link TableCursor#previous} start
   * @param withValues false to read keys only
   */
  TableCursor cursor(byte[] from, boolean withValues);

  @Override
  void close();
}
