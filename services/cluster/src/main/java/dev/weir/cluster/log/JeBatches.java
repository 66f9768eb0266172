package dev.weir.cluster.log;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The batches of one history in a database: the position of the first message, 8 bytes big-endian,
 * to the batch, byte for byte. JE's failures are passed on.
 */
final class JeBatches implements AutoCloseable {
  static final String PREFIX = "batches.";

  private final JeLogFiles files;
  private final String name;
  private final Database database;
  private volatile long trimTo;

  /** Everything before it is deleted. */
  private long trimmed;

  /** Of the next put; reused. */
  private final ByteBuffer key = ByteBuffer.allocate(Long.BYTES);

  private final DatabaseEntry keyEntry = new DatabaseEntry(key.array());
  private final DatabaseEntry batchEntry = new DatabaseEntry();

  /** Where a batch that is not in an array goes on its way to JE. */
  private byte[] copy = new byte[64 << 10];

  /**
   * @param generation which history of this log; one is replaced by the next at once
   */
  JeBatches(JeLogFiles files, long generation) {
    this.files = files;
    this.name = PREFIX + generation;
    this.database = files.open(name, JeLogConfig.appended());
  }

  void put(long position, ByteBuffer batch) {
    int at = batch.position();
    int bytes = batch.remaining();
    if (batch.hasArray()) {
      batchEntry.setData(batch.array(), batch.arrayOffset() + at, bytes);
    } else {
      if (bytes > copy.length) {
        copy = new byte[Math.max(bytes, 2 * copy.length)];
      }
      batch.get(at, copy, 0, bytes);
      batchEntry.setData(copy, 0, bytes);
    }
    key.putLong(0, position);
    database.put(null, keyEntry, batchEntry);
  }

  /**
   * The last batch, or null.
   *
   * @throws LogException if it is damaged
   */
  ByteBuffer last() {
    try (Cursor cursor = database.openCursor(null, null)) {
      DatabaseEntry found = new DatabaseEntry();
      DatabaseEntry batch = new DatabaseEntry();
      long position = next(cursor.getLast(found, batch, LockMode.READ_UNCOMMITTED), found);
      return position < 0 ? null : checked(batch, position, new CRC32C());
    }
  }

  boolean contains(long position) {
    return database.get(null, key(position), nothing(), LockMode.READ_UNCOMMITTED)
        == OperationStatus.SUCCESS;
  }

  /** What may be read. */
  interface Range {
    /** Moves up when the log is trimmed. */
    long start();

    /** Moves up when something is appended. */
    long end();

    /** False once the history was cut or replaced. */
    boolean isCurrent();
  }

  /**
   * Reads batches in order from the one that starts at a position, up to the end of the range or
   * until what is next is not in it any more.
   *
   * @throws LogException if one is missing or damaged
   */
  void read(long position, Range range, TransactionLog.BatchHandler handler) {
    CRC32C crc = new CRC32C();
    DatabaseEntry found = key(position);
    DatabaseEntry value = new DatabaseEntry();
    long next = position;
    try (Cursor cursor = database.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKey(found, value, LockMode.READ_UNCOMMITTED);
      while (next(status, found) == next) {
        ByteBuffer batch = checked(value, next, crc);
        next += Batch.count(batch, 0);
        if (!handler.onBatch(batch) || !range.isCurrent() || next >= range.end()) {
          return;
        }
        status = cursor.getNext(found, value, LockMode.READ_UNCOMMITTED);
      }
    }
    if (range.isCurrent() && next >= range.start()) {
      throw files.damaged("the batch at " + next + " is missing");
    }
  }

  private ByteBuffer checked(DatabaseEntry value, long position, CRC32C crc) {
    ByteBuffer batch = ByteBuffer.wrap(value.getData());
    if (!Batch.isIntact(batch, 0, batch.limit(), crc)
        || Batch.bytes(batch, 0) != batch.limit()
        || Batch.position(batch, 0) != position) {
      throw files.damaged("the batch at " + position + " is not as it was written");
    }
    return batch;
  }

  /** Deletes all from a position on, the last first: what a crash leaves of it has no hole. */
  void deleteFrom(long position) {
    try (Cursor cursor = database.openCursor(null, null)) {
      DatabaseEntry found = new DatabaseEntry();
      OperationStatus status = cursor.getLast(found, nothing(), LockMode.READ_UNCOMMITTED);
      while (next(status, found) >= position) {
        cursor.delete();
        status = cursor.getPrev(found, nothing(), LockMode.READ_UNCOMMITTED);
      }
    }
  }

  /** Lets {@link #deleteTrimmed} delete what is before a position. */
  void trimTo(long position) {
    trimTo = position;
  }

  /**
   * Deletes some of what was trimmed; called by one thread.
   *
   * @return whether there may be more
   */
  boolean deleteTrimmed(int count) {
    try (Cursor cursor = database.openCursor(null, null)) {
      // Not from the first on: deleted ones before it would have to be passed.
      DatabaseEntry found = key(trimmed);
      OperationStatus status =
          cursor.getSearchKeyRange(found, nothing(), LockMode.READ_UNCOMMITTED);
      for (int deleted = 0; deleted < count; deleted++) {
        long at = next(status, found);
        if (at < 0 || at >= trimTo) {
          return false;
        }
        cursor.delete();
        trimmed = at + 1;
        status = cursor.getNext(found, nothing(), LockMode.READ_UNCOMMITTED);
      }
      return true;
    }
  }

  String name() {
    return name;
  }

  private static long next(OperationStatus status, DatabaseEntry found) {
    return status == OperationStatus.SUCCESS ? ByteBuffer.wrap(found.getData()).getLong() : -1;
  }

  private static DatabaseEntry key(long position) {
    return new DatabaseEntry(ByteBuffer.allocate(Long.BYTES).putLong(position).array());
  }

  /** Takes the place of content that is not wanted. */
  private static DatabaseEntry nothing() {
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    return nothing;
  }

  @Override
  public void close() {
    JeLogFiles.closeQuietly(database);
  }
}
