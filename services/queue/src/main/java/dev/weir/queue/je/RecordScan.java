package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.DatabaseException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * Iterates over the records of a table in a closed directory, past records that cannot be read:
 *
 * <pre>
 * while (scan.next()) {
 *   use(scan.record().key(), scan.value());
 * }
 * if (scan.isCutOff()) ...
 * </pre>
 */
public final class RecordScan {
  private static final int KEYS_AT_ONCE = 512;

  /**
   * A record whose value has not been read.
   *
   * @param position of the value in the log, or null if it is not known
   */
  public record Place(byte[] key, LogScan.Position position) {}

  private final ReadOnlyFiles files;
  private final Table table;
  private final String queue;
  private final Predicate<LogScan.Position> unreadable;
  private final Queue<Place> places = new ArrayDeque<>();
  private byte[] from;
  private byte[] lastKey = {};
  private boolean ended;
  private boolean cutOff;
  private Place place;

  RecordScan(
      ReadOnlyFiles files,
      Table table,
      String queue,
      byte[] from,
      Predicate<LogScan.Position> unreadable) {
    this.files = files;
    this.table = table;
    this.queue = queue;
    this.from = from;
    this.unreadable = unreadable;
  }

  /** Moves to the next record; false at the end, and where the index is damaged. */
  public boolean next() {
    while (places.isEmpty() && !ended) {
      readKeys();
    }
    place = places.poll();
    if (place != null) {
      lastKey = place.key;
    }
    return place != null;
  }

  private void readKeys() {
    byte[] last = from;
    try (TableCursor cursor = TableCursor.keys(files.tables().get(table, queue), from)) {
      while (places.size() < KEYS_AT_ONCE && cursor.next()) {
        last = cursor.key();
        LogScan.Position position = files.isRebuilt() ? null : LogScan.Position.of(cursor.lsn());
        places.add(new Place(last, position));
      }
      ended = places.size() < KEYS_AT_ONCE;
    } catch (DatabaseException e) {
      if (!files.rebuild(e)) {
        files.reopenIfInvalid();
        ended = true;
        cutOff = true;
      }
    }
    // The smallest key greater than the last one.
    from = Arrays.copyOf(last, last.length + 1);
  }

  /** The current record. */
  public Place place() {
    return place;
  }

  /** True if the records after {@link #lastKey} cannot be found, because the index is damaged. */
  public boolean isCutOff() {
    return cutOff;
  }

  /** The last key that was shown; empty if there was none. */
  public byte[] lastKey() {
    return lastKey;
  }

  /** Reads the value of the current record as {@link #value(Place)} does. */
  public ByteBuffer value() {
    return value(place);
  }

  /**
   * Reads the value of a record of this table; null if it is damaged.
   *
   * @throws QueueException {@code DIRECTORY_UNUSABLE} if the system does not let its file be read
   */
  public ByteBuffer value(Place of) {
    if (of.position != null && unreadable.test(of.position)) {
      return null;
    }
    DatabaseEntry value = new DatabaseEntry();
    DatabaseEntry key = new DatabaseEntry(of.key);
    try {
      boolean found = files.tables().get(table, queue).get(key, value);
      return found ? ByteBuffer.wrap(value.getData()) : null;
    } catch (DatabaseException | UncheckedIOException e) {
      FileObstacle obstacle = FileObstacle.of(e);
      if (obstacle != null) {
        // Says nothing about the record.
        throw files.unreadable(obstacle, e);
      }
      files.reopenIfInvalid();
      return null;
    }
  }
}
