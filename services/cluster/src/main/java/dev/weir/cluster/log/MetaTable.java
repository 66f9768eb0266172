package dev.weir.cluster.log;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.cluster.protocol.Control;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.queue.je.LogFiles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32C;

/**
 * The table with the few small records of a transaction log, each with a checksum. Exceptions of JE
 * are passed on.
 */
final class MetaTable implements AutoCloseable {
  static final String NAME = "meta";
  private static final String FORMAT = "format";
  private static final String RECORD = "record";
  private static final String DISK = "disk";
  private static final int FORMAT_VERSION = 2;

  /**
   * With the members in the record, once they have changed: a version that does not know them must
   * not use the log.
   */
  private static final int WITH_MEMBERS = 3;

  /**
   * With objects beside the snapshots: a version that does not know them would read snapshots
   * without them.
   */
  private static final int WITH_OBJECTS = 4;

  /** Without the id of the disk, and the disks in the record. */
  private static final int FIRST_FORMAT = 1;

  private final LogEnvironment environment;
  private final Database database;
  private final long diskId;

  MetaTable(LogEnvironment environment) {
    this.environment = environment;
    this.database = environment.open(NAME, JeLogConfig.meta());
    boolean isNew = checkFormat();
    if (get(DISK) == null) {
      long random = new SecureRandom().nextLong();
      put(DISK, value(Long.BYTES).putLong(random));
      isNew = true;
    }
    if (isNew) {
      environment.flush(true);
    }
    diskId = get(DISK).getLong();
  }

  /** Returns whether the format was written, which is to be flushed. */
  private boolean checkFormat() {
    ByteBuffer format = get(FORMAT);
    if (format == null || format.getInt(0) == FIRST_FORMAT) {
      put(FORMAT, value(Integer.BYTES).putInt(FORMAT_VERSION));
      return true;
    }
    if (format.getInt(0) < FORMAT_VERSION || format.getInt(0) > WITH_OBJECTS) {
      throw environment.failed(
          "has format " + format.getInt(0) + ", this version reads up to " + WITH_OBJECTS, null);
    }
    return false;
  }

  /** Random number that was stored when this table was created. */
  long diskId() {
    return diskId;
  }

  GroupRecord record() {
    ByteBuffer in = get(RECORD);
    return in == null
        ? GroupRecord.NONE
        : new GroupRecord(
            in.getLong(),
            in.getInt(),
            in.getLong(),
            in.getInt(),
            in.getLong(),
            in.hasRemaining() ? in.getLong() : 0,
            in.hasRemaining() ? in.getLong() : 0,
            in.hasRemaining() ? in.getLong() : 0,
            Control.decodeMembership(in));
  }

  /** Stores the record and forces it to the device. */
  void save(GroupRecord record) {
    if (record.membership() != null) {
      raise(WITH_MEMBERS);
    }
    ByteBuffer value =
        value(2 * Integer.BYTES + 6 * Long.BYTES + Control.membershipBytes(record.membership()))
            .putLong(record.epoch())
            .putInt(record.votedFor())
            .putLong(record.inSyncEpoch())
            .putInt(record.inSync())
            .putLong(record.version())
            .putLong(record.disks())
            .putLong(record.votedDisk())
            .putLong(record.voter());
    Control.encode(record.membership(), value);
    putForced(RECORD, value);
  }

  boolean hasObjects() {
    return get(FORMAT).getInt(0) == WITH_OBJECTS;
  }

  /** There are objects beside the snapshots from now on. */
  void withObjects() {
    raise(WITH_OBJECTS);
  }

  private void raise(int format) {
    if (get(FORMAT).getInt(0) < format) {
      putForced(FORMAT, value(Integer.BYTES).putInt(format));
    }
  }

  /**
   * Returns a record; null if there is none.
   *
   * @throws LogException if it is damaged
   */
  ByteBuffer get(String key) {
    try {
      return read(database, key);
    } catch (IllegalStateException e) {
      throw environment.damaged(e.getMessage());
    }
  }

  /**
   * Returns a record of a table that is open elsewhere; null if there is none.
   *
   * @throws IllegalStateException if it is damaged
   */
  static ByteBuffer read(Database meta, String key) {
    DatabaseEntry value = new DatabaseEntry();
    if (meta.get(null, entry(key), value, LockMode.DEFAULT) != OperationStatus.SUCCESS) {
      return null;
    }
    ByteBuffer read = ByteBuffer.wrap(value.getData());
    int bytes = read.limit() - Integer.BYTES;
    if (bytes < 0 || read.getInt(bytes) != checksum(read, bytes)) {
      throw new IllegalStateException("its record '" + key + "' has a wrong checksum");
    }
    return read.limit(bytes);
  }

  /** A buffer for a value of this size, with room for the checksum. */
  static ByteBuffer value(int bytes) {
    return ByteBuffer.allocate(bytes + Integer.BYTES).limit(bytes);
  }

  /** As {@link #put}, and forces everything written so far to the device. */
  void putForced(String key, ByteBuffer value) {
    put(key, value);
    environment.flush(true);
  }

  /**
   * Writes a record, which outlives a crash once it was flushed.
   *
   * @param value from {@link #value}, up to its position
   */
  void put(String key, ByteBuffer value) {
    int bytes = value.position();
    value.limit(bytes + Integer.BYTES).putInt(bytes, checksum(value, bytes));
    Transaction transaction = environment.begin();
    try {
      database.put(transaction, entry(key), new DatabaseEntry(value.array(), 0, value.limit()));
      transaction.commit(Durability.COMMIT_NO_SYNC);
    } catch (RuntimeException e) {
      abort(transaction, e);
      throw e;
    }
  }

  private static void abort(Transaction transaction, RuntimeException why) {
    try {
      transaction.abort();
    } catch (DatabaseException e) {
      // The environment is invalid; the first failure is the cause.
      why.addSuppressed(e);
    }
  }

  private static int checksum(ByteBuffer value, int bytes) {
    CRC32C crc = new CRC32C();
    crc.update(value.array(), 0, bytes);
    return (int) crc.getValue();
  }

  private static DatabaseEntry entry(String key) {
    return new DatabaseEntry(key.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() {
    LogFiles.closeQuietly(database);
  }
}
