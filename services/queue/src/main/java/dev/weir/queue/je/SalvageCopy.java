package dev.weir.queue.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentFailureException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.dbi.EnvironmentFailureReason;
import dev.weir.queue.QueueStoreOptions;
import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what can be read of a damaged JE environment into a new one. The old files cannot be used
 * on: JE refuses an environment in which it found a wrong checksum, and its cleaner never gets past
 * the damaged file.
 *
 * <p>Of a packet or message that cannot be read the key is copied, without a value. A reader finds
 * such a record corrupt; the counts and the order of its neighbours stay. Progress and ids that
 * cannot be read are left out, so messages are delivered or accepted again. If keys cannot be read
 * nothing is copied.
 */
final class SalvageCopy {
  private static final Logger LOG = LoggerFactory.getLogger(SalvageCopy.class);
  private static final long BYTES_PER_TRANSACTION = 1 << 20;
  private static final Pattern LOCATION =
      Pattern.compile("Location 0x(\\p{XDigit}{1,8})/(0x\\p{XDigit}+)");

  private final Path from;
  private final Path to;
  private final EnvironmentConfig sourceConfig;
  private final EnvironmentConfig targetConfig;
  private Environment source;
  private Environment target;
  private long copied;
  private long unreadable;

  /**
   * @param to an empty directory beside what is to be copied
   * @param options of the store that is copied
   */
  SalvageCopy(Path to, QueueStoreOptions options) {
    this.from = options.getDirectory();
    this.to = to;
    this.targetConfig = JeConfig.environment(options);
    // Read-only: the damaged files stay as they are, and JE does not mark them as refused.
    this.sourceConfig = targetConfig.clone().setReadOnly(true).setAllowCreate(false);
  }

  /** True if the files are no longer what was written, and reading them again will not help. */
  static boolean isDamage(Throwable failure) {
    return isCorruption(failure) || isCausedBy(failure, SalvageCopy::isMissingFile);
  }

  private static boolean isCorruption(Throwable failure) {
    return isCausedBy(failure, EnvironmentFailureException::isCorrupted);
  }

  private static boolean isMissingFile(EnvironmentFailureException e) {
    return e.getReason() == EnvironmentFailureReason.LOG_FILE_NOT_FOUND;
  }

  private static boolean isCausedBy(
      Throwable failure, Predicate<EnvironmentFailureException> condition) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof EnvironmentFailureException found && condition.test(found)) {
        return true;
      }
    }
    return false;
  }

  /** The place in the log, if JE says so, or its first line. */
  static String describe(Throwable damage) {
    for (Throwable e = damage; e != null; e = e.getCause()) {
      Matcher location = LOCATION.matcher(String.valueOf(e.getMessage()));
      if (location.find()) {
        long file = Long.parseLong(location.group(1), 16);
        return String.format("%08x.jdb at %s", file, location.group(2));
      }
      if (e instanceof FileNotFoundException) {
        return e.getMessage();
      }
    }
    return JeFiles.firstLine(damage);
  }

  /**
   * Copies everything.
   *
   * @return one line that says how much was copied
   * @throws RuntimeException if keys cannot be read, or the copy cannot be written
   */
  String copy() {
    try {
      source = new Environment(from.toFile(), sourceConfig);
      target = new Environment(to.toFile(), targetConfig);
      for (String name : source.getDatabaseNames()) {
        copy(name);
      }
      target.flushLog(true);
      // Closing writes the last checkpoint, without which the copy is not complete.
      target.close();
      target = null;
    } finally {
      JeFiles.closeQuietly(source);
      JeFiles.closeQuietly(target);
    }
    return copied + " records are in a new log, " + unreadable + " could not be read";
  }

  private void copy(String name) {
    try (Database copy = target.openDatabase(null, name, JeConfig.database())) {
      byte[] done = null;
      do {
        done = copyFrom(name, done, copy);
      } while (done != null);
    }
  }

  /** Copies the records after a key; returns the key that could not be read, or null at the end. */
  private byte[] copyFrom(String name, byte[] after, Database copy) {
    byte[] stopped = null;
    Transaction transaction = target.beginTransaction(null, null);
    DatabaseConfig readOnly = JeConfig.database().setReadOnly(true).setAllowCreate(false);
    Database original = source.openDatabase(null, name, readOnly);
    Cursor cursor = original.openCursor(null, null);
    try {
      long bytes = 0;
      DatabaseEntry value = new DatabaseEntry();
      byte[] key = next(cursor, after);
      while (key != null && stopped == null) {
        if (read(cursor, value)) {
          copy.put(transaction, new DatabaseEntry(key), value);
          copied++;
          bytes += key.length + value.getSize();
          if (bytes > BYTES_PER_TRANSACTION) {
            transaction.commit(Durability.COMMIT_NO_SYNC);
            transaction = target.beginTransaction(null, null);
            bytes = 0;
          }
          key = next(cursor, null);
        } else {
          copyKeyOnly(name, key, copy, transaction);
          stopped = key;
        }
      }
      transaction.commit(Durability.COMMIT_NO_SYNC);
      transaction = null;
    } finally {
      if (transaction != null) {
        transaction.abort();
      }
      JeFiles.closeQuietly(cursor);
      JeFiles.closeQuietly(original);
    }
    if (stopped != null) {
      // The failed read has made the environment invalid.
      JeFiles.closeQuietly(source);
      source = new Environment(from.toFile(), sourceConfig);
    }
    return stopped;
  }

  /** Moves to the first key after another, or to the next; reads no value. */
  private static byte[] next(Cursor cursor, byte[] after) {
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    OperationStatus status;
    if (after == null) {
      status = cursor.getNext(key, none, LockMode.READ_UNCOMMITTED);
    } else {
      key.setData(after);
      status = cursor.getSearchKeyRange(key, none, LockMode.READ_UNCOMMITTED);
      if (status == OperationStatus.SUCCESS && Arrays.equals(key.getData(), after)) {
        status = cursor.getNext(key, none, LockMode.READ_UNCOMMITTED);
      }
    }
    return status == OperationStatus.SUCCESS ? key.getData() : null;
  }

  private boolean read(Cursor cursor, DatabaseEntry value) {
    try {
      cursor.getCurrent(new DatabaseEntry(), value, LockMode.READ_UNCOMMITTED);
      return true;
    } catch (EnvironmentFailureException e) {
      if (!isCorruption(e)) {
        throw e;
      }
      LOG.debug("a record in {} cannot be read", from, e);
      return false;
    }
  }

  private void copyKeyOnly(String name, byte[] key, Database copy, Transaction transaction) {
    unreadable++;
    Table table = Table.of(name);
    if (table == null) {
      throw new IllegalStateException("a record of " + name + " cannot be read");
    }
    if (table.holdsMessages()) {
      copy.put(transaction, new DatabaseEntry(key), new DatabaseEntry(new byte[0]));
    }
  }
}
