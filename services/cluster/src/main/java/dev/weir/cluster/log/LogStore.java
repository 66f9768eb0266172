package dev.weir.cluster.log;

import com.sleepycat.je.DatabaseException;
import dev.weir.queue.store.UninterruptibleThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of all groups of one member. They are tables of one JE environment, in the directory
 * {@value #SHARED} of the member. A group that has a directory of its own there, from a version
 * before 0.2, keeps it. Any thread.
 */
public final class LogStore {
  /** {@value}: the directory of the common environment. It is no name of a group. */
  public static final String SHARED = "@log";

  private static final Logger LOG = LoggerFactory.getLogger(LogStore.class);

  private final Path directory;

  /** The common environment; null before the first use. */
  private SharedEnvironment shared;

  /**
   * @param directory of the member
   */
  public LogStore(Path directory) {
    this.directory = directory;
  }

  /**
   * Opens the log of a group, which is created if it is absent. The environment is open while one
   * of its logs is.
   *
   * @throws LogException if the log cannot be opened; the message says what to do
   */
  public JeTransactionLog open(String group) {
    LogPlace place = LogPlace.of(directory, group);
    if (!place.isShared()) {
      LOG.info("group {} keeps its log in its own directory {}", group, place.environment());
      return JeTransactionLog.open(place.environment());
    }
    return UninterruptibleThread.call(
        JeTransactionLog.CALL, () -> JeTransactionLog.open(environment(), place.prefix()));
  }

  /**
   * Opens a log that is there already.
   *
   * @param named the directory of the member with the name of the group, whether the log is there
   *     or in the common environment beside it
   * @throws LogException as {@link #open}
   * @throws IllegalStateException if there is no log
   */
  public static JeTransactionLog openExisting(Path named) {
    LogPlace place = LogPlace.of(named);
    if (!place.exists()) {
      throw noLog(named);
    }
    return UninterruptibleThread.call(
        JeTransactionLog.CALL,
        () -> {
          SharedEnvironment environment = new SharedEnvironment(place.environment());
          environment.use();
          if (environment.names(place.prefix() + MetaTable.NAME).isEmpty()) {
            environment.leave();
            throw noLog(named);
          }
          return JeTransactionLog.open(environment, place.prefix());
        });
  }

  /**
   * Deletes the log of a group, which must not be open. A crash meanwhile leaves a part of it, so
   * delete it again before the group is started again. Of a directory of its own, from a version
   * before 0.2, the files of the log are deleted, and the directory if nothing else is in it.
   *
   * @throws LogException if it cannot be deleted
   */
  public void delete(String group) {
    LogPlace place = LogPlace.of(directory, group);
    if (!place.isShared()) {
      deleteFiles(group, place.environment());
      return;
    }
    UninterruptibleThread.run(
        JeTransactionLog.CALL,
        () -> {
          LogEnvironment tables = new LogEnvironment(environment(), place.prefix());
          try {
            tables.removeAll(name -> true);
            tables.flush(true);
          } catch (DatabaseException e) {
            throw tables.failed(e);
          } finally {
            tables.close();
          }
        });
  }

  private static void deleteFiles(String group, Path own) {
    LOG.info("group {}: its log in its own directory {} is deleted", group, own);
    try {
      List<Path> files;
      try (Stream<Path> all = Files.list(own)) {
        files = all.filter(LogStore::isOfLog).toList();
      }
      for (Path file : files) {
        Files.delete(file);
      }
      try (Stream<Path> others = Files.list(own)) {
        if (others.findAny().isEmpty()) {
          Files.delete(own);
        }
      }
    } catch (IOException e) {
      throw new LogException("the log of group " + group + " in " + own + " stays: " + e, e);
    }
  }

  private static boolean isOfLog(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".jdb") || name.startsWith("je.") || name.startsWith("weir.");
  }

  private static IllegalStateException noLog(Path named) {
    return new IllegalStateException("there is no log in " + named);
  }

  private synchronized SharedEnvironment environment() {
    if (shared == null || !shared.use()) {
      shared = new SharedEnvironment(directory.resolve(SHARED));
      shared.use();
    }
    return shared;
  }
}
