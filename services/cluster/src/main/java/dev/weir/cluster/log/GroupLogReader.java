package dev.weir.cluster.log;

import com.sleepycat.je.CacheMode;
import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.cluster.NodeOptions;
import dev.weir.queue.je.JeConfig;
import dev.weir.queue.je.LogFiles;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Reads the log of a group as it was when the reader was opened, and changes nothing. The replica
 * may run in another process, but not in this one.
 *
 * <p>One thread at a time may use it, which must not be interrupted.
 */
public final class GroupLogReader implements AutoCloseable {
  /**
   * Room for everything that JE's recovery reads after the last checkpoint. JE cannot evict it from
   * the cache, because a read-only environment cannot write it.
   */
  private static final long CACHE_BYTES = 128 << 20;

  private final Path directory;
  private final String prefix;
  private final Environment environment;
  private final CRC32C crc = new CRC32C();
  private Database batches;
  private Cursor cursor;
  private long start;
  private long end;

  /** Position of the next batch. */
  private long next;

  private GroupLogReader(Path directory) {
    LogPlace place = LogPlace.of(directory);
    this.directory = directory;
    this.prefix = place.prefix();
    this.environment = JeConfig.open(place.environment(), configuration());
  }

  private static EnvironmentConfig configuration() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setReadOnly(true).setTransactional(true).setCacheSize(CACHE_BYTES);
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  /**
   * Opens the log of a group by its directory: {@link NodeOptions#getDirectory} with the name of
   * the group, whether the log is there or in the common environment beside it.
   *
   * @throws IllegalStateException if there is no log, or it cannot be read
   */
  public static GroupLogReader open(Path directory) {
    if (!LogPlace.of(directory).exists()) {
      throw new IllegalStateException("there is no log in " + directory);
    }
    GroupLogReader reader = null;
    boolean opened = false;
    try {
      reader = new GroupLogReader(directory);
      reader.find();
      opened = true;
      return reader;
    } catch (DatabaseException | IllegalArgumentException | UncheckedIOException e) {
      throw unreadable(directory, e);
    } finally {
      if (reader != null && !opened) {
        reader.close();
      }
    }
  }

  private static IllegalStateException unreadable(Path directory, RuntimeException e) {
    return new IllegalStateException("the log in " + directory + " cannot be read: " + e, e);
  }

  private void find() {
    long generation;
    try (Database meta = environment.openDatabase(null, prefix + MetaTable.NAME, readOnly(true))) {
      // A log without a stored history has no valid batches yet.
      StoredHistory stored = StoredHistory.decode(MetaTable.read(meta, StoredHistory.KEY));
      generation = stored.generation();
      start = stored.start();
    }
    batches =
        environment.openDatabase(null, prefix + BatchTable.PREFIX + generation, readOnly(false));
    cursor = batches.openCursor(null, null);
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    end = start;
    if (cursor.getLast(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
      end = Math.max(start, Batch.end(checked(key, value), 0).position());
    }
    next = end;
  }

  private static DatabaseConfig readOnly(boolean transactional) {
    // Each record is read once, so it need not stay in the cache.
    return new DatabaseConfig()
        .setReadOnly(true)
        .setTransactional(transactional)
        .setCacheMode(CacheMode.EVICT_LN);
  }

  /** Position of the first message. */
  public long start() {
    return start;
  }

  /** Position after the last message. */
  public long end() {
    return end;
  }

  /**
   * Moves to the batch that starts at a position.
   *
   * @return whether there is such a batch
   */
  public boolean seek(long position) {
    next = position;
    return position >= start && found(BatchTable.key(position), new DatabaseEntry());
  }

  /**
   * Returns the next batch, byte for byte, in a new buffer; null after the last one.
   *
   * @throws IllegalStateException if the batch is damaged or missing
   */
  public ByteBuffer next() {
    if (next >= end) {
      return null;
    }
    DatabaseEntry key = BatchTable.key(next);
    DatabaseEntry value = new DatabaseEntry();
    if (!found(key, value)) {
      throw new IllegalStateException("the log in " + directory + " has no batch at " + next);
    }
    ByteBuffer batch = checked(key, value);
    next += Batch.count(batch, 0);
    return batch;
  }

  private boolean found(DatabaseEntry key, DatabaseEntry value) {
    try {
      return cursor.getSearchKey(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS;
    } catch (DatabaseException e) {
      throw unreadable(directory, e);
    }
  }

  private ByteBuffer checked(DatabaseEntry key, DatabaseEntry value) {
    long position = ByteBuffer.wrap(key.getData()).getLong();
    ByteBuffer batch = BatchTable.intact(value, position, crc);
    if (batch == null) {
      throw new IllegalStateException(
          "the log in " + directory + " has a damaged batch at " + position);
    }
    return batch;
  }

  @Override
  public void close() {
    LogFiles.closeQuietly(cursor);
    LogFiles.closeQuietly(batches);
    LogFiles.closeQuietly(environment);
  }
}
