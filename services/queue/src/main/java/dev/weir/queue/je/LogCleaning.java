package dev.weir.queue.je;

import com.sleepycat.je.CheckpointConfig;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.EnvironmentMutableConfig;
import com.sleepycat.je.util.DbBackup;
import dev.weir.queue.Progress;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies what is in use out of JE's log files, so that the files can be deleted. */
final class LogCleaning {
  private static final Logger LOG = LoggerFactory.getLogger(LogCleaning.class);

  /** A log of which less is in use is cleaned; a store by itself uses JE's default of 50. */
  private static final String LOG_PERCENT = "80";

  /** A file of which less is in use is cleaned: the most that JE allows; its default is 5. */
  private static final String FILE_PERCENT = "50";

  /** On a full disk so many files are cleaned before the store looks after its queues again. */
  private static final int MAX_RECLAIMED_FILES = 100;

  private LogCleaning() {}

  /**
   * Cleans the files of which less than half is in use. JE by itself leaves a file alone while a
   * twentieth of it is in use and most of the log is.
   */
  static void reclaim(Environment open) {
    EnvironmentMutableConfig usual = open.getMutableConfig();
    EnvironmentMutableConfig config = open.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_UTILIZATION, LOG_PERCENT);
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_FILE_UTILIZATION, FILE_PERCENT);
    open.setMutableConfig(config);
    try {
      // A cleaned file is deleted by the next checkpoint: the reserve has no room for many copies.
      for (int i = 0; i < MAX_RECLAIMED_FILES && open.cleanLogFile(); i++) {
        LOG.debug("cleaned a file in {}", open.getHome());
        open.checkpoint(new CheckpointConfig().setForce(true));
      }
    } finally {
      if (open.isValid()) {
        open.setMutableConfig(usual);
      }
    }
    open.checkpoint(new CheckpointConfig().setForce(true));
  }

  /** Cleans every log file that is not in full use, and deletes the cleaned files. */
  static void compact(Environment open, Path directory, Progress progress) throws IOException {
    EnvironmentMutableConfig config = open.getMutableConfig();
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_UTILIZATION, LOG_PERCENT);
    config.setConfigParam(EnvironmentConfig.CLEANER_MIN_AGE, "1");
    config.setConfigParam(EnvironmentConfig.ENV_RUN_CLEANER, "false");
    open.setMutableConfig(config);
    // JE does not clean the files that its last checkpoint needs: begin a new file and checkpoint.
    DbBackup newFile = new DbBackup(open);
    newFile.startBackup();
    newFile.endBackup();
    open.checkpoint(new CheckpointConfig().setForce(true));
    long fileBytes = Long.parseLong(config.getConfigParam(EnvironmentConfig.LOG_FILE_MAX));
    long atMost = 2L * LogFiles.of(directory).size();
    for (long i = 0; i < atMost && open.cleanLogFile(); i++) {
      LOG.debug("cleaned a file in {}", directory);
      progress.bytes((i + 1) * fileBytes, -1);
    }
    // Cleaned files are deleted by the next checkpoint.
    open.checkpoint(new CheckpointConfig().setForce(true));
  }
}
