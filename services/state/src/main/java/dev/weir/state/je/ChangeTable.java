package dev.weir.state.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.CursorConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.table.ChangeLog;
import java.io.Closeable;
import java.util.List;
import java.util.function.Predicate;

/**
 * The log of the changes of a factory, bounded by bytes. The key of each entry has the sum of all
 * that was written before it, so the size of the log is known from its two ends.
 */
final class ChangeTable implements ChangeLog, Closeable {
  /** Old entries that one commit may delete beside as many as twice those that it adds. */
  private static final int MIN_DELETIONS = 100;

  private final Database table;
  private final long limitBytes;

  /** See {@link #floor()}. */
  private volatile long floor;

  /** The position of the newest entry, or, without entries, the one that the log begins behind. */
  private final long lastAtStart;

  /** Used by the commit thread. */
  private Extent extent;

  /**
   * What is committed of the log.
   *
   * @param oldest no entry has a lower position
   * @param writtenBytes all that was ever written
   */
  record Extent(long oldest, long writtenBytes) {}

  /** The largest position that was ever put, committed or not; used by the commit thread. */
  private long attempted;

  /**
   * @param start the position that a log without entries begins behind
   */
  ChangeTable(Database table, long limitBytes, long start) {
    this.table = table;
    this.limitBytes = limitBytes;
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = table.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      if (cursor.getFirst(key, value, null) != OperationStatus.SUCCESS) {
        this.lastAtStart = start;
        this.extent = new Extent(start + 1, 0);
      } else {
        long oldest = LoggedChange.positionOf(key.getData());
        cursor.getLast(key, value, null);
        this.lastAtStart = LoggedChange.positionOf(key.getData());
        long beforeBytes = LoggedChange.beforeOf(key.getData());
        this.extent = new Extent(oldest, beforeBytes + key.getSize() + value.getSize());
      }
    }
    this.attempted = lastAtStart;
    this.floor = extent.oldest() - 1;
  }

  long lastAtStart() {
    return lastAtStart;
  }

  /**
   * Adds changes, and deletes what is over the limit, but never the last one.
   *
   * @param changes not empty
   * @return what the log is once the transaction is committed
   */
  Extent append(Transaction transaction, List<LoggedChange> changes) {
    long writtenBytes = extent.writtenBytes();
    for (LoggedChange each : changes) {
      if (each.position() <= attempted) {
        remove(transaction, each.position());
      }
      attempted = Math.max(attempted, each.position());
      byte[] key = LoggedChange.key(each.position(), writtenBytes);
      byte[] value = each.encode();
      table.put(transaction, new DatabaseEntry(key), new DatabaseEntry(value));
      writtenBytes += key.length + value.length;
    }
    long last = changes.get(changes.size() - 1).position();
    return new Extent(trim(transaction, writtenBytes, last, changes.size()), writtenBytes);
  }

  /** A commit is tried again that may have succeeded: its change is there once. */
  private void remove(Transaction transaction, long position) {
    DatabaseEntry key = new DatabaseEntry(LoggedChange.start(position));
    try (Cursor cursor = table.openCursor(transaction, null)) {
      if (cursor.getSearchKeyRange(key, nothing(), LockMode.RMW) == OperationStatus.SUCCESS
          && LoggedChange.positionOf(key.getData()) == position) {
        cursor.delete();
      }
    }
  }

  /** Deletes the oldest entries; returns where the log begins then. */
  private long trim(Transaction transaction, long writtenBytes, long last, int added) {
    long oldest = extent.oldest();
    DatabaseEntry key = new DatabaseEntry(LoggedChange.start(oldest));
    DatabaseEntry nothing = nothing();
    try (Cursor cursor = table.openCursor(transaction, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, nothing, LockMode.RMW);
      for (int left = MIN_DELETIONS + 2 * added;
          left > 0 && status == OperationStatus.SUCCESS;
          left--) {
        oldest = LoggedChange.positionOf(key.getData());
        long keptBytes = writtenBytes - LoggedChange.beforeOf(key.getData());
        if (oldest >= last || keptBytes <= limitBytes) {
          break;
        }
        // First: a reader that misses the entry must know why.
        floor = oldest;
        cursor.delete();
        status = cursor.getNext(key, nothing, LockMode.RMW);
      }
    }
    return oldest;
  }

  /** The transaction of {@link #append} is committed. */
  void committed(Extent now) {
    extent = now;
  }

  @Override
  public long floor() {
    return floor;
  }

  @Override
  public boolean has(long position) {
    DatabaseEntry key = new DatabaseEntry(LoggedChange.start(position));
    try (Cursor cursor = table.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      return cursor.getSearchKeyRange(key, nothing(), null) == OperationStatus.SUCCESS
          && LoggedChange.positionOf(key.getData()) == position;
    }
  }

  @Override
  public void scan(long after, long last, Predicate<LoggedChange> visitor) {
    DatabaseEntry key = new DatabaseEntry(LoggedChange.start(after + 1));
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = table.openCursor(null, CursorConfig.READ_UNCOMMITTED)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, null);
      while (status == OperationStatus.SUCCESS) {
        long position = LoggedChange.positionOf(key.getData());
        if (position > last || !visitor.test(LoggedChange.decode(position, value.getData()))) {
          return;
        }
        status = cursor.getNext(key, value, null);
      }
    }
  }

  /** For a value that nobody needs. */
  private static DatabaseEntry nothing() {
    DatabaseEntry entry = new DatabaseEntry();
    entry.setPartial(0, 0, true);
    return entry;
  }

  @Override
  public void close() {
    table.close();
  }
}
