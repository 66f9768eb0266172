package dev.weir.cluster;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The few small records of a transaction log, each with a checksum; JE's failures are passed on.
 */
final class LogMeta implements AutoCloseable {
  private static final String NAME = "meta";

  private final JeLogFiles files;
  private final Database database;

  LogMeta(JeLogFiles files) {
    this.files = files;
    this.database = files.open(NAME, JeLogConfig.meta());
  }

  /**
   * Null if there is none.
   *
   * @throws LogException if it is damaged
   */
  ByteBuffer get(String key) {
    DatabaseEntry value = new DatabaseEntry();
    if (database.get(null, entry(key), value, LockMode.DEFAULT) != OperationStatus.SUCCESS) {
      return null;
    }
    ByteBuffer read = ByteBuffer.wrap(value.getData());
    int bytes = read.limit() - Integer.BYTES;
    if (bytes < 0 || read.getInt(bytes) != checksum(read, bytes)) {
      throw files.damaged("its record '" + key + "' has a wrong checksum");
    }
    return read.limit(bytes);
  }

  /** Room for a value of so many bytes. */
  static ByteBuffer value(int bytes) {
    return ByteBuffer.allocate(bytes + Integer.BYTES).limit(bytes);
  }

  /** Several writes that are all done or none. */
  void transact(Durability durability, Write... writes) {
    Transaction transaction = files.begin();
    try {
      for (Write write : writes) {
        put(transaction, write);
      }
      transaction.commit(durability);
    } catch (RuntimeException e) {
      abort(transaction, e);
      throw e;
    }
  }

  private void put(Transaction transaction, Write write) {
    int bytes = write.value.position();
    ByteBuffer value = write.value.limit(bytes + Integer.BYTES);
    value.putInt(bytes, checksum(value, bytes));
    database.put(transaction, entry(write.key), new DatabaseEntry(value.array(), 0, value.limit()));
  }

  private static void abort(Transaction transaction, RuntimeException why) {
    try {
      transaction.abort();
    } catch (DatabaseException e) {
      // Of an invalid environment: the reason is what counts.
      why.addSuppressed(e);
    }
  }

  /**
   * A record to be written.
   *
   * @param value from {@link LogMeta#value}, up to its position
   */
  record Write(String key, ByteBuffer value) {}

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
    JeLogFiles.closeQuietly(database);
  }
}
