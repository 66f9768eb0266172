package dev.weir.cluster.log;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.je.LogFiles;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The database table with the batches of one history. The key is the position of the first message,
 * 8 bytes big-endian; the value is the batch, byte for byte. Exceptions of JE are passed on.
 */
final class BatchTable implements AutoCloseable {
  static final String PREFIX = "batches.";

  private final LogEnvironment environment;
  private final String name;
  private final Database database;

  /** {@link #deleteTrimmed} deletes the batches before this position. */
  private volatile long trimTo;

  /** All batches before this position are deleted. */
  private long trimmed;

  /** Key of the next put; reused. */
  private final ByteBuffer key = ByteBuffer.allocate(Long.BYTES);

  private final DatabaseEntry keyEntry = new DatabaseEntry(key.array());
  private final DatabaseEntry batchEntry = new DatabaseEntry();

  /** Copy of a batch that is not backed by an array; JE accepts only arrays. */
  private byte[] copy = new byte[0];

  /**
   * @param generation number of the history, part of the table's name
   */
  BatchTable(LogEnvironment environment, long generation) {
    this.environment = environment;
    this.name = PREFIX + generation;
    this.database = environment.open(name, JeLogConfig.appended());
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
   * Returns the last batch; null if there is none.
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

  /**
   * Reads batches in order from a position on, up to the end of the log. Stops early if the next
   * batch was trimmed, or the log was cut or replaced since it had the given version.
   *
   * @throws LogException if a batch is missing or damaged
   */
  void read(long position, LogExtent extent, long version, TransactionLog.BatchHandler handler) {
    CRC32C crc = new CRC32C();
    DatabaseEntry found = key(position);
    DatabaseEntry value = new DatabaseEntry();
    long next = position;
    try (Cursor cursor = database.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKey(found, value, LockMode.READ_UNCOMMITTED);
      while (next(status, found) == next) {
        ByteBuffer batch = checked(value, next, crc);
        next += Batch.count(batch, 0);
        if (!handler.onBatch(batch) || extent.version() != version || next >= extent.end()) {
          return;
        }
        status = cursor.getNext(found, value, LockMode.READ_UNCOMMITTED);
      }
    }
    if (extent.version() == version && next >= extent.start()) {
      throw environment.damaged("the batch at " + next + " is missing");
    }
  }

  private ByteBuffer checked(DatabaseEntry value, long position, CRC32C crc) {
    ByteBuffer batch = intact(value, position, crc);
    if (batch == null) {
      throw environment.damaged("the batch at " + position + " is not as it was written");
    }
    return batch;
  }

  /** The batch in a record; null if it is damaged or does not start at the position. */
  static ByteBuffer intact(DatabaseEntry value, long position, CRC32C crc) {
    ByteBuffer batch = ByteBuffer.wrap(value.getData());
    boolean intact =
        Batch.isIntact(batch, 0, batch.limit(), crc)
            && Batch.bytes(batch, 0) == batch.limit()
            && Batch.position(batch, 0) == position;
    return intact ? batch : null;
  }

  /** Deletes the batches from a position on, the last one first, so that a crash leaves no gap. */
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

  /** Lets {@link #deleteTrimmed} delete the batches before a position. */
  void trimTo(long position) {
    trimTo = position;
  }

  /**
   * Deletes some of the trimmed batches; called by one thread.
   *
   * @return whether there may be more
   */
  boolean deleteTrimmed(int count) {
    try (Cursor cursor = database.openCursor(null, null)) {
      // From where it stopped last: a search from the start would visit deleted records again.
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

  static DatabaseEntry key(long position) {
    return new DatabaseEntry(ByteBuffer.allocate(Long.BYTES).putLong(position).array());
  }

  /** An entry for a value that is not to be read. */
  private static DatabaseEntry nothing() {
    DatabaseEntry nothing = new DatabaseEntry();
    nothing.setPartial(0, 0, true);
    return nothing;
  }

  @Override
  public void close() {
    LogFiles.closeQuietly(database);
  }
}
