package dev.weir.queue;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseException;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentMutableConfig;
import com.sleepycat.je.util.DbBackup;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.offline.DeadRequeue;
import dev.weir.queue.offline.QueueAppender;
import dev.weir.queue.offline.QueueSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Changes a data directory that no store has open; a store cannot open it meanwhile. Methods block,
 * are called by one thread at a time, and must not be interrupted. What JE cannot do is thrown as
 * {@link QueueException} {@code STORE_FAILED} or {@code DISK_FULL}.
 */
public final class QueueMaintenance implements AutoCloseable {
  /** Log files of which less is in use are cleaned; JE's own default is 50. */
  private static final String UTILIZATION_PERCENT = "80";

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
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT}, {@code DISK_FULL} or {@code STORE_FAILED}
   */
  public static QueueMaintenance open(Path path) {
    return open(path, StoreDirectory.openExisting(Checks.notNull("path", path), true));
  }

  /**
   * Opens a store, made if there is none: the directory must be absent, empty or a store.
   *
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
      throw QueueDirectory.unreadable(path, e);
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
   * Counts by keys; no message is read.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary summary(String queue) {
    QueueDirectory.check(queue, path, queues());
    return guard(
        () ->
            QueueSummary.of(
                queue,
                files.tables(queue),
                extraOrNull(Extra.SIDE, queue),
                extraOrNull(Extra.DEAD, queue)));
  }

  private Database extraOrNull(Extra extra, String queue) {
    return files.hasExtra(extra, queue) ? files.extra(extra, queue) : null;
  }

  private List<String> queues() {
    return files.current().getDatabaseNames().stream()
        .filter(name -> name.startsWith(JeFiles.PACKETS))
        .map(name -> name.substring(JeFiles.PACKETS.length()))
        .sorted()
        .toList();
  }

  /**
   * Deletes all that a queue has to deliver, forced to the device; its dead letters stay. Sequences
   * go on.
   *
   * @return what was there
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary purge(String queue) {
    QueueSummary before = summary(queue);
    String side = Extra.SIDE.tableOf(queue);
    truncate(queue, JeFiles.PACKETS + queue, JeFiles.PROGRESS + queue, side);
    return before;
  }

  /**
   * Deletes all dead letters of a queue, forced to the device.
   *
   * @return what was there
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary purgeDead(String queue) {
    QueueSummary before = summary(queue);
    truncate(queue, Extra.DEAD.tableOf(queue));
    return before;
  }

  private void truncate(String queue, String... databases) {
    guard(
        () -> {
          files.closeTables(queue);
          List<String> there = files.current().getDatabaseNames();
          QueueTables.transact(
              files,
              Durability.COMMIT_SYNC,
              transaction -> {
                for (String database : databases) {
                  if (there.contains(database)) {
                    files.current().truncateDatabase(transaction, database, false);
                  }
                }
              });
          return null;
        });
  }

  /**
   * Puts dead letters back into their queue, to be delivered at once and as often as if they had
   * never been. Each is either dead or back, whatever happens. One that cannot be read stays.
   *
   * @param sequence of the message, or null for all
   * @return how many
   * @throws IllegalArgumentException if there is no such queue
   */
  public long requeue(String queue, Long sequence) {
    QueueDirectory.check(queue, path, queues());
    return guard(() -> DeadRequeue.run(files, queue, sequence));
  }

  /**
   * Adds messages behind what waits in a queue, which is made if there is none.
   *
   * @param queue not blank
   */
  public QueueAppender appender(String queue) {
    if (Checks.notNull("queue", queue).isBlank()) {
      throw new IllegalArgumentException("queue is blank, allowed is any other text");
    }
    return guard(() -> new QueueAppender(this, files, queue));
  }

  /** Gives the space of deleted messages back to the file system, as far as possible. */
  public Compaction compact() {
    return guard(
        () -> {
          try {
            long before = LogFiles.bytes(path);
            cleanAll();
            return new Compaction(before, LogFiles.bytes(path));
          } catch (IOException e) {
            throw QueueDirectory.unreadable(path, e);
          }
        });
  }

  /** JE leaves the files alone that its last checkpoint needs, so a new one is begun first. */
  private void cleanAll() throws IOException {
    Environment environment = files.current();
    EnvironmentMutableConfig config = environment.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_UTILIZATION, UTILIZATION_PERCENT);
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_AGE, "1");
    config.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    environment.setMutableConfig(config);
    DbBackup newFile = new DbBackup(environment);
    newFile.startBackup();
    newFile.endBackup();
    environment.checkpoint(new CheckpointConfig().setForce(true));
    long atMost = 2L * LogFiles.of(path).size();
    for (long i = 0; i < atMost && environment.cleanLogFile(); i++) {
      // Cleaned files are deleted by the checkpoint.
    }
    environment.checkpoint(new CheckpointConfig().setForce(true));
  }

  /** What JE throws becomes one line. */
  public <V> V guard(Supplier<V> duty) {
    try {
      return duty.get();
    } catch (DatabaseException | IllegalStateException e) {
      throw new QueueException(
          files.reason(e), "the store in " + path + " failed: " + JeFiles.firstLine(e), e);
    }
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
