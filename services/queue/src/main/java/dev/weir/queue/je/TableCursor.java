package dev.weir.queue.je;

/**
 * Reads the records of a table in the order of their keys, without locks. Used by one thread:
 *
 * <pre>
 * try (TableCursor cursor = TableCursor.keys(table, from)) {
 *   while (cursor.next()) {
 *     use(cursor.key());
 * </pre>
 */
interface TableCursor extends AutoCloseable {
  /** Reads keys only, from the first key that is not smaller than {@code from}. */
  static TableCursor keys(Records table, byte[] from) {
    return table.cursor(from, false);
  }

  /** Reads keys and values, from the first key that is not smaller than {@code from}. */
  static TableCursor records(Records table, byte[] from) {
    return table.cursor(from, true);
  }

  /** Reads keys and values backwards, from the last key that is smaller than {@code end}. */
  static TableCursor before(Records table, byte[] end) {
    return table.cursor(end, true);
  }

  /** Moves to the next record; false at the end. */
  boolean next();

  /** Moves to the record before; false at the start. Not to be mixed with {@link #next}. */
  boolean previous();

  byte[] key();

  /** The value; only of a cursor that reads {@link #records}. */
  byte[] value();

  /** The value as it is stored: of a packet in a segment, the reference to it. */
  default byte[] stored() {
    return value();
  }

  /** Where the value lies in the log: JE's log sequence number. */
  long lsn();

  @Override
  void close();
}
