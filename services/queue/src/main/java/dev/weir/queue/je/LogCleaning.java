package dev.weir.queue.je;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.DbInternal;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentMutableConfig;
import com.sleepycat.je.util.DbBackup;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueStoreOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LongSummaryStatistics;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies what is in use out of JE's log files, so that the files can be deleted. */
final class LogCleaning {
  private static final Logger LOG = LoggerFactory.getLogger(LogCleaning.class);

  /** A log of which less is in use is cleaned; a store by itself uses JE's default of 50. */
  private static final String LOG_PERCENT = "80";

  /** A file of which less is in use is cleaned: the most that JE allows; its default is 5. */
  private static final String FILE_PERCENT = "50";

  /** While little of minFreeBytes is left only a file of which so little is in use is cleaned. */
  private static final String SPARSE_FILE_PERCENT = "5";

  /** JE leaves free minFreeBytes divided by this. */
  private static final int USUAL_DIVISOR = 2;

  /** The same on a full disk, when only what makes room is written. */
  private static final int SHORT_DIVISOR = 8;

  /** The newest files, which are never cleaned. */
  private static final int UNCLEANED_FILES = 2;

  /** What makes room, as a compaction does, leaves free no more than this. */
  private static final long LEAST_FREE_BYTES = 512 << 10;

  /** On a full disk so many files are cleaned before the store looks after its queues again. */
  private static final int MAX_RECLAIMED_FILES = 100;

  private LogCleaning() {}

  /** So much of the file system JE leaves free while the store appends. */
  static long keptFreeBytes(QueueStoreOptions options) {
    return options.getMinFreeBytes() / USUAL_DIVISOR;
  }

  /**
   * Sets what JE leaves free. On a full disk JE's own cleaner rests: it may copy a file in full
   * use, and what it copies is missing for the deletes.
   *
   * @param room whether the store may append
   */
  static void configure(EnvironmentMutableConfig config, QueueStoreOptions options, boolean room) {
    long kept = room ? keptFreeBytes(options) : options.getMinFreeBytes() / SHORT_DIVISOR;
    config.setConfigParam(EnvironmentConfig.FREE_DISK, Long.toString(kept));
    config.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, Boolean.toString(room));
  }

  /** Configures an open environment, and makes JE measure the space, which it does seldom. */
  static void adapt(Environment open, QueueStoreOptions options, boolean room) {
    EnvironmentMutableConfig config = open.getMutableConfig();
    String before = config.getConfigParam(EnvironmentConfig.FREE_DISK);
    configure(config, options, room);
    if (!before.equals(config.getConfigParam(EnvironmentConfig.FREE_DISK))) {
      open.setMutableConfig(config);
    }
    DbInternal.getNonNullEnvImpl(open).getCleaner().freshenLogSizeStats();
  }

  /**
   * Cleans the files of which less than half is in use. JE by itself leaves a file alone while a
   * twentieth of it is in use and most of the log is.
   *
   * @param copies whether there is space for copies of what is in use
   * @return true if files are left to be cleaned
   */
  static boolean reclaim(Environment open, boolean copies) {
    EnvironmentMutableConfig usual = open.getMutableConfig();
    EnvironmentMutableConfig config = open.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_UTILIZATION, copies ? LOG_PERCENT : "0");
    config.setConfigParam(
        EnvironmentConfig.CLEANER_MIN_FILE_UTILIZATION,
        copies ? FILE_PERCENT : SPARSE_FILE_PERCENT);
    open.setMutableConfig(config);
    int cleaned = 0;
    try {
      // A cleaned file is deleted by the next checkpoint: the reserve has no room for many copies.
      while (cleaned < MAX_RECLAIMED_FILES && open.cleanLogFile()) {
        cleaned++;
        LOG.debug("cleaned a file in {}", open.getHome());
        open.checkpoint(new CheckpointConfig().setForce(true));
      }
    } finally {
      if (open.isValid()) {
        open.setMutableConfig(usual);
      }
    }
    open.checkpoint(new CheckpointConfig().setForce(true));
    return cleaned == MAX_RECLAIMED_FILES;
  }

  /** Lets JE use nearly all of the disk for what makes room. */
  static void allowDeletes(Environment open) {
    EnvironmentMutableConfig config = open.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.FREE_DISK, Long.toString(LEAST_FREE_BYTES));
    open.setMutableConfig(config);
    DbInternal.getNonNullEnvImpl(open).getCleaner().freshenLogSizeStats();
  }

  /**
   * The sizes of the files that are so little in use that JE is likely to clean them. It stops when
   * enough of the whole log is in use, and may clean some that it writes meanwhile.
   */
  private static LongSummaryStatistics sparseFiles(Environment open) {
    int least = Integer.parseInt(LOG_PERCENT);
    return DbInternal.getNonNullEnvImpl(open)
        .getUtilizationProfile()
        .getFileSummaryMap(true)
        .values()
        .stream()
        .filter(file -> file.utilization() < least)
        .mapToLong(file -> file.totalSize)
        .summaryStatistics();
  }

  /** Cleans every log file that is not in full use, and deletes the cleaned files. */
  static void compact(Environment open, Path directory, Progress progress) throws IOException {
    EnvironmentMutableConfig config = open.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_UTILIZATION, LOG_PERCENT);
    config.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    open.setMutableConfig(config);
    allowDeletes(open);
    // JE does not clean the last file and the one before, and no file that its last checkpoint
    // needs.
    // It could be told to clean all but the last: then it stops, and does not open again, once no
    // file between the last and a gap in the numbers is in use.
    for (int i = 0; i < UNCLEANED_FILES; i++) {
      DbBackup newFile = new DbBackup(open);
      newFile.startBackup();
      newFile.endBackup();
      open.checkpoint(new CheckpointConfig().setForce(true));
    }
    long fileBytes = Long.parseLong(config.getConfigParam(EnvironmentConfig.LOG_FILE_MAX));
    long atMost = 2L * LogFiles.of(directory).size();
    LongSummaryStatistics sparse = sparseFiles(open);
    progress.bytes(0, sparse.getSum());
    for (long i = 0; i < atMost && open.cleanLogFile(); i++) {
      LOG.debug("cleaned a file in {}", directory);
      long done = (long) ((i + 1) * sparse.getAverage());
      progress.bytes(done, Math.max(done, sparse.getSum()));
      if (directory.toFile().getUsableSpace() < 2 * fileBytes) {
        open.checkpoint(new CheckpointConfig().setForce(true));
      }
    }
    // Cleaned files are deleted by the next checkpoint.
    open.checkpoint(new CheckpointConfig().setForce(true));
  }
}
