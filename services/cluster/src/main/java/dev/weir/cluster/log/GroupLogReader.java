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
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Reads the log of a group as it was when this was opened, without changing anything. The replica
 * that it belongs to may run in another process, but not in this one.
 *
 * <p>One thread at a time, which must not be interrupted.
 */
public final class GroupLogReader implements AutoCloseable {
  /**
   * Room for all that recovery makes of the log behind the last checkpoint: what JE has not logged
   * it cannot evict from a cache without losing it, where it must not write.
   */
  private static final long CACHE_BYTES = 128 << 20;

  private final Path directory;
  private final Environment environment;
  private final CRC32C crc = new CRC32C();
  private Database batches;
  private Cursor cursor;
  private long start;
  private long end;

  /** Position that the next batch must have. */
  private long next;

  private GroupLogReader(Path directory) {
    this.directory = directory;
    this.environment = new Environment(directory.toFile(), configuration());
  }

  private static EnvironmentConfig configuration() {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setReadOnly(true).setTransactional(true).setCacheSize(CACHE_BYTES);
    config.setConfigParam(EnvironmentConfig.FILE_LOGGING_LEVEL, "SEVERE");
    config.setConfigParam(EnvironmentConfig.STATS_COLLECT, "false");
    return config;
  }

  /**
   * Opens the log in a directory: {@link NodeOptions#getDirectory} with the name of the group.
   *
   * @throws IllegalStateException if there is none, or it cannot be read
   */
  public static GroupLogReader open(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new IllegalStateException("there is no log in " + directory);
    }
    GroupLogReader reader = null;
    boolean opened = false;
    try {
      reader = new GroupLogReader(directory);
      reader.find();
      opened = true;
      return reader;
    } catch (DatabaseException | IllegalArgumentException e) {
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
    try (Database meta = environment.openDatabase(null, LogMeta.NAME, readOnly(true))) {
      // A log without a history has no batches that count yet.
      LogHistory stored = LogHistory.decode(LogMeta.read(meta, LogHistory.KEY));
      generation = stored.generation();
      start = stored.start();
    }
    batches = environment.openDatabase(null, JeBatches.PREFIX + generation, readOnly(false));
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
    // Each record is read once: they must not take the room in the cache.
    return new DatabaseConfig()
        .setReadOnly(true)
        .setTransactional(transactional)
        .setCacheMode(CacheMode.EVICT_LN);
  }

  /** Position of the first message it has. */
  public long start() {
    return start;
  }

  /** Position behind its last message. */
  public long end() {
    return end;
  }

  /**
   * Makes the batch that starts at a position the next one.
   *
   * @return whether there is one
   */
  public boolean seek(long position) {
    next = position;
    return position >= start && found(key(position), new DatabaseEntry());
  }

  /**
   * The next batch, byte for byte, in a buffer of its own; null behind the last.
   *
   * @throws IllegalStateException if it is damaged, or one before it is missing
   */
  public ByteBuffer next() {
    if (next >= end) {
      return null;
    }
    DatabaseEntry key = key(next);
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
    ByteBuffer batch = ByteBuffer.wrap(value.getData());
    long position = ByteBuffer.wrap(key.getData()).getLong();
    if (!Batch.isIntact(batch, 0, batch.limit(), crc) || Batch.position(batch, 0) != position) {
      throw new IllegalStateException(
          "the log in " + directory + " has a damaged batch at " + position);
    }
    return batch;
  }

  private static DatabaseEntry key(long position) {
    return new DatabaseEntry(ByteBuffer.allocate(Long.BYTES).putLong(position).array());
  }

  @Override
  public void close() {
    JeLogFiles.closeQuietly(cursor);
    JeLogFiles.closeQuietly(batches);
    JeLogFiles.closeQuietly(environment);
  }
}
