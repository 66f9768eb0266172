package dev.weir.queue;

import dev.weir.options.Checks;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DeadLetterTable.Found;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.ScheduleTable;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.je.Table;
import dev.weir.queue.offline.KeyCount;
import dev.weir.queue.offline.MessageWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Changes a data directory that no store has open; a store cannot open it meanwhile. Methods block,
 * are called by one thread at a time, and must not be interrupted. A failure of JE is thrown as
 * {@link QueueException} {@code STORE_FAILED} or {@code DISK_FULL}.
 */
public final class QueueMaintenance implements AutoCloseable {
  private final Path path;
  private final StoreDirectory lock;
  private final JeFiles files;

  private QueueMaintenance(Path path, StoreDirectory lock, JeFiles files) {
    this.path = path;
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
    return open(path, StoreDirectory.openExisting(Checks.notNull("path", path), true));
  }

  /**
   * Opens a store, created if there is none: the directory must be absent, empty or a store.
   *
   * @param path not null
   * @throws QueueException as {@link #open(Path)}
   */
  public static QueueMaintenance create(Path path) {
    boolean isNew = Files.notExists(Checks.notNull("path", path)) || isEmpty(path);
    return open(path, isNew ? StoreDirectory.open(path) : StoreDirectory.openExisting(path, true));
  }

  private static boolean isEmpty(Path path) {
    try (Stream<Path> files = Files.isDirectory(path) ? Files.list(path) : Stream.of(path)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw StoreDirectory.unreadable(path, e);
    }
  }

  private static QueueMaintenance open(Path path, StoreDirectory lock) {
    JeFiles files = new JeFiles(new QueueStoreOptions(path));
    try {
      files.open();
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
    return new QueueMaintenance(path, lock, files);
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
    return files.call(
        () -> {
          files.truncate(queue, tables);
          return before;
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
    return files.call(() -> requeue(new DeadLetterTable(files, check(queue)), sequence));
  }

  private static long requeue(DeadLetterTable dead, Long sequence) {
    long dueMs = System.currentTimeMillis();
    long requeued = 0;
    long from = 0;
    List<Found> part;
    do {
      part = dead.find(from, Long.MAX_VALUE, Integer.MAX_VALUE);
      List<Found> chosen = new ArrayList<>(part);
      chosen.removeIf(letter -> sequence != null && letter.key().sequence() != sequence);
      requeued += dead.requeue(chosen, dueMs).size();
      from = part.isEmpty() ? 0 : part.get(part.size() - 1).key().number() + 1;
    } while (!part.isEmpty());
    return requeued;
  }

  /**
   * Makes all messages of a queue due that wait for a time: delayed messages and retries.
   *
   * @return how many waited for a later time than now
   * @throws IllegalArgumentException if there is no such queue
   */
  public long releaseScheduled(String queue) {
    return files.call(
        () -> new ScheduleTable(files, check(queue)).release(System.currentTimeMillis()));
  }

  /**
   * Adds messages to a queue, which is created if it is absent.
   *
   * @param queue not blank
   */
  public QueueAppender appender(String queue) {
    if (Checks.notNull("queue", queue).isBlank()) {
      throw new IllegalArgumentException("queue is blank, allowed is any other text");
    }
    return files.call(() -> new MessageWriter(files, queue));
  }

  /** Gives the space of deleted messages back to the file system, as far as possible. */
  public Compaction compact() {
    return files.call(
        () -> {
          try {
            long before = LogFiles.bytes(path);
            files.compact();
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
