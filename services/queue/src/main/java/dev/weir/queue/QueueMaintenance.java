package dev.weir.queue;

import dev.weir.options.Checks;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.ScheduleTable;
import dev.weir.queue.je.StoreBackup;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.je.Table;
import dev.weir.queue.offline.ChosenDeadLetters;
import dev.weir.queue.offline.KeyCount;
import dev.weir.queue.offline.MessageDelete;
import dev.weir.queue.offline.MessageWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Changes a data directory that no store has open; a store cannot open it meanwhile. Methods block,
 * are called by one thread at a time, and must not be interrupted. A failure of JE is thrown as
 * {@link QueueException} {@code STORE_FAILED} or {@code DISK_FULL}.
 */
public final class QueueMaintenance implements AutoCloseable {
  private final QueueStoreOptions options;
  private final Path path;
  private final StoreDirectory lock;
  private final JeFiles files;

  private QueueMaintenance(QueueStoreOptions options, StoreDirectory lock, JeFiles files) {
    this.options = options;
    this.path = options.getDirectory();
    this.lock = lock;
    this.files = files;
  }

  /**
   * Opens an existing store, recovering what a crash left.
   *
   * @param path not null
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT}, {@code DISK_FULL} or {@code STORE_FAILED}
   */
  public static QueueMaintenance open(Path path) {
    StoreDirectory lock = StoreDirectory.openExisting(Checks.notNull("path", path), true);
    return open(new QueueStoreOptions(path), lock);
  }

  /**
   * Opens a store, created if there is none: the directory must be absent, empty or a store.
   *
   * @param path not null
   * @throws QueueException as {@link #open(Path)}
   */
  public static QueueMaintenance create(Path path) {
    return create(path, QueueStoreOptions.DEFAULT_MIN_FREE_BYTES);
  }

  /**
   * Opens a store as {@link #create(Path)} does.
   *
   * @param path not null
   * @param minFreeBytes free space of the file system below which an {@link #appender} takes
   *     nothing; 1 MiB to 1 TiB
   * @throws QueueException as {@link #open(Path)}
   */
  public static QueueMaintenance create(Path path, long minFreeBytes) {
    QueueStoreOptions options =
        new QueueStoreOptions(Checks.notNull("path", path)).setMinFreeBytes(minFreeBytes);
    boolean isNew = Files.notExists(path) || isUnused(path);
    return open(
        options, isNew ? StoreDirectory.open(path) : StoreDirectory.openExisting(path, true));
  }

  private static boolean isUnused(Path path) {
    try {
      return StoreDirectory.isUnused(path);
    } catch (IOException e) {
      throw StoreDirectory.unreadable(path, e);
    }
  }

  private static QueueMaintenance open(QueueStoreOptions options, StoreDirectory lock) {
    JeFiles files = new JeFiles(options);
    try {
      files.open();
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
    return new QueueMaintenance(options, lock, files);
  }

  /**
   * Counts the messages of a queue by keys; no message is read.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary summary(String queue) {
    return files.call(() -> KeyCount.of(files.tables(), check(queue)));
  }

  private String check(String queue) {
    return QueueDirectory.check(queue, path, files.tables().queues());
  }

  /**
   * Deletes all messages that a queue has to deliver, forced to the device; its dead letters stay.
   * Sequences are not used again.
   *
   * @return what was deleted, and the dead letters
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary purge(String queue) {
    return truncate(queue, Table.PACKETS, Table.PROGRESS, Table.DEFERRED);
  }

  /**
   * Deletes all dead letters of a queue, forced to the device.
   *
   * @return what was there
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary purgeDead(String queue) {
    return truncate(queue, Table.DEAD);
  }

  private QueueSummary truncate(String queue, Table... tables) {
    QueueSummary before = summary(queue);
    return delete(
        () -> {
          QueueTables.truncate(files, queue, tables);
          return before;
        });
  }

  /** Runs work that makes room, also on a disk that has hardly any. */
  private <V> V delete(Supplier<V> work) {
    return files.call(
        () -> {
          files.allowDeletes();
          return work.get();
        });
  }

  /** Runs work that takes room. */
  private <V> V move(Supplier<V> work) {
    return files.call(
        () -> {
          files.measureRoom();
          return work.get();
        });
  }

  /**
   * Moves dead letters back into their queue, to be delivered at once and as often as if they had
   * never failed. A crash leaves each either dead or in the queue. One that cannot be read stays.
   *
   * @param sequence of the message, or null for all
   * @return how many were moved
   * @throws IllegalArgumentException if there is no such queue
   */
  public long requeue(String queue, Long sequence) {
    return requeue(queue, letter -> sequence == null || letter.sequence() == sequence, 0);
  }

  /**
   * Moves chosen dead letters back into their queue, as {@link #requeue(String, Long)} does.
   *
   * @param which chooses dead letters; called once for each, oldest first
   * @param perSecond how many of them are delivered in a second from now on; 0 for all at once
   * @return how many were moved
   * @throws IllegalArgumentException if there is no such queue
   */
  public long requeue(String queue, Predicate<StoredMessage> which, double perSecond) {
    return move(() -> new ChosenDeadLetters(files, check(queue), which).requeue(perSecond));
  }

  /**
   * Moves chosen dead letters into another queue, to be delivered there as if they were new. A
   * crash leaves each in one of the queues.
   *
   * @param to another queue of this directory
   * @param perSecond as for {@link #requeue(String, Predicate, double)}
   * @return how many were moved
   * @throws IllegalArgumentException if there is no such queue
   */
  public long move(String queue, Predicate<StoredMessage> which, String to, double perSecond) {
    return move(() -> new ChosenDeadLetters(files, check(queue), which).move(check(to), perSecond));
  }

  /**
   * Deletes chosen dead letters, forced to the device. One that cannot be read stays.
   *
   * @return how many were deleted
   * @throws IllegalArgumentException if there is no such queue
   */
  public long purgeDead(String queue, Predicate<StoredMessage> which) {
    return delete(() -> new ChosenDeadLetters(files, check(queue), which).delete());
  }

  /**
   * Deletes one message, whatever its state, forced to the device.
   *
   * @return false if the queue has no message of this sequence that can be read
   * @throws IllegalArgumentException if there is no such queue
   */
  public boolean delete(String queue, long sequence) {
    return delete(() -> new MessageDelete(files, check(queue)).delete(sequence));
  }

  /**
   * Deletes a queue with its messages and dead letters, forced to the device. A queue that gets its
   * name later uses other sequences.
   *
   * @return what was there
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary deleteQueue(String queue) {
    QueueSummary before = summary(queue);
    return delete(
        () -> {
          QueueTables.remove(files, queue);
          return before;
        });
  }

  /**
   * Makes all messages of a queue due that wait for a time: delayed messages and retries. Reads all
   * messages to count them.
   *
   * @return how many waited for a later time than now
   * @throws IllegalArgumentException if there is no such queue
   */
  public long releaseScheduled(String queue) {
    return files.call(
        () -> new ScheduleTable(files, check(queue)).release(System.currentTimeMillis()));
  }

  /**
   * Adds messages to a queue, which is created if it is absent. It takes none, with {@code
   * DISK_FULL}, while the file system has less free space than must stay; what it has taken can
   * still be committed.
   *
   * @param queue not blank
   */
  public QueueAppender appender(String queue) {
    if (Checks.notNull("queue", queue).isBlank()) {
      throw new IllegalArgumentException("queue is blank, allowed is any other text");
    }
    return files.call(() -> new MessageWriter(files, queue));
  }

  /**
   * Copies the store to a new directory, as {@link QueueStore#backup} does.
   *
   * @param target a new or empty directory; exists afterwards only if the copy is complete
   * @param progress is told the bytes copied
   * @return bytes copied
   */
  public long backup(Path target, Progress progress) {
    return StoreBackup.copy(files, options, Checks.notNull("target", target), progress);
  }

  /**
   * Makes a data directory of a backup. The backup stays as it is.
   *
   * @param backup a directory that {@link #backup} or {@link QueueStore#backup} has made, not null
   * @param target a new or empty directory; exists afterwards only if it is complete
   * @param progress is told the bytes copied
   * @return bytes copied
   * @throws QueueException {@code DISK_FULL}, {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}
   *     or {@code NEWER_FORMAT}
   */
  public static long restore(Path backup, Path target, Progress progress) {
    return StoreBackup.restore(
        Checks.notNull("backup", backup), Checks.notNull("target", target), progress);
  }

  /**
   * Gives the space of deleted messages back to the file system, as far as possible.
   *
   * @param progress is told the bytes of the log files that were cleaned; those in all are an
   *     estimate
   */
  public Compaction compact(Progress progress) {
    return files.call(
        () -> {
          try {
            long before = LogFiles.bytes(path);
            files.compact(progress);
            return new Compaction(before, LogFiles.bytes(path));
          } catch (IOException e) {
            throw StoreDirectory.unreadable(path, e);
          }
        });
  }

  @Override
  public void close() {
    try {
      files.close();
    } finally {
      lock.close();
    }
  }
}
