package dev.weir.queue.je;

import static dev.weir.queue.QueueException.Reason.DIRECTORY_UNUSABLE;
import static dev.weir.queue.QueueException.Reason.DISK_FULL;
import static dev.weir.queue.QueueException.Reason.STORE_FAILED;

import com.sleepycat.je.DiskLimitException;
import dev.weir.queue.LogFault;
import dev.weir.queue.LostPackets;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStoreOptions;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the damaged log of a closed JE environment by a copy of what can be read. It remembers
 * what made a repair impossible, so that the log is not read again in vain. Used by the thread that
 * opens the environment.
 */
final class LogRepair {
  private static final Logger LOG = LoggerFactory.getLogger(LogRepair.class);

  private final QueueStoreOptions options;
  private final SalvageFiles files;

  /** What is wrong with the log, or null if no damage is known. */
  private Throwable damage;

  /** What is going to be cut off, or null. */
  private LogGaps cut;

  /** Free bytes of the disk when a copy did not fit, or -1. */
  private long tooLittleRoom = -1;

  /** Why no copy can be made, or null. */
  private volatile QueueException refusal;

  LogRepair(QueueStoreOptions options) {
    this.options = options;
    this.files = new SalvageFiles(options.getDirectory());
  }

  /** Completes a replacement that a crash has interrupted. */
  void finish() throws IOException {
    files.finish();
  }

  /** Remembers a failure if it means that the log is damaged. */
  void note(Throwable failure) {
    if (LogDamage.isIn(failure)) {
      damage = failure;
    }
  }

  /** Remembers a failure to open the log if the log is damaged; false if it is not. */
  boolean noteUnopened(Throwable failure) {
    boolean damaged = LogDamage.isReasonFor(failure, options.getDirectory());
    if (damaged) {
      damage = failure;
    }
    return damaged;
  }

  /**
   * Looks for damage in the last file that JE would take for the end of the log. If the log does
   * end there, what JE is going to cut off is kept.
   */
  boolean noteEnd() throws IOException {
    Path directory = options.getDirectory();
    if (LogMark.isLogGone(directory)) {
      throw logIsGone(directory, DIRECTORY_UNUSABLE);
    }
    LogFiles.requireEnd(directory);
    LogFault fault = LogScan.endFault(directory);
    if (fault != null && !fault.endOfLog()) {
      damage = new IOException(fault.file() + " at 0x" + Long.toHexString(fault.offset()));
      return true;
    }
    if (fault != null) {
      keepEnd(fault);
    }
    LogMark.Content mark = LogMark.read(directory);
    boolean isShorter = LogFiles.exist(directory) && LogMark.isShorter(directory, mark);
    if (isShorter) {
      LOG.error(
          "the log in {} had reached {} offset {} and ends before it: what was written there is"
              + " lost",
          directory,
          LogFiles.name(mark.file()),
          mark.offset());
    }
    cut = null;
    if (isShorter || fault != null && fault.isFollowed()) {
      cut = LogGaps.of(directory);
    }
    return false;
  }

  private void keepEnd(LogFault fault) {
    String kept;
    try {
      kept = "kept in " + files.keepEnd(fault);
    } catch (IOException e) {
      kept = "not kept: " + e;
    }
    LOG.error(
        "the log in {} ends in {} at offset {}: {} bytes behind it were not known to be on the"
            + " device and are left out ({})",
        options.getDirectory(),
        fault.file(),
        fault.offset(),
        fault.lostBytes(),
        kept);
  }

  /**
   * Says which sequences may have been in what was cut off; false if nothing was.
   *
   * @param tables what is left
   */
  boolean nameCut(OpenTables tables) {
    if (cut == null) {
      return false;
    }
    cut.remove(tables, false);
    log(cut.lost());
    cut = null;
    return true;
  }

  private static void log(List<LostPackets> lost) {
    lost.forEach(each -> LOG.error("may be lost: {}", each.text()));
  }

  boolean isNeeded() {
    return damage != null && refusal == null;
  }

  /**
   * @throws QueueException if it is known that the log cannot be repaired
   */
  void check() {
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Replaces the log.
   *
   * @throws QueueException {@code DISK_FULL} if the copy does not fit; {@code DIRECTORY_UNUSABLE}
   *     if a right is missing; otherwise {@code STORE_FAILED}, which every later {@link #check}
   *     throws again if what the log holds is the reason
   */
  void run() {
    Path directory = options.getDirectory();
    String what = "the log in " + directory + " is damaged (" + LogDamage.describe(damage) + ")";
    // The mark takes room, which must not look like room that somebody has made.
    files.dropRefusal();
    long room = directory.toFile().getUsableSpace();
    if (room <= tooLittleRoom) {
      throw noRoom(what, damage);
    }
    LOG.error("{}", what);
    try {
      if (files.isUnfinished()) {
        // The copy is complete, and a part of the old files may be moved: it is not made again.
        files.finish();
        damage = null;
        return;
      }
      LogRebuild.Result result =
          LogRebuild.make(directory, files.begin(), JeConfig.environment(options, true));
      // Before the old log is moved. If that fails, a later try only moves, and has no result to
      // log.
      LOG.error("{}; the damaged log is kept in {}", result, SalvageFiles.DAMAGED);
      log(result.lost());
      files.replace();
      damage = null;
    } catch (IOException | RuntimeException e) {
      if (!LogFiles.exist(directory) && !files.isUnfinished()) {
        throw logIsGone(directory, STORE_FAILED);
      }
      boolean full = isFull(e);
      files.abandon();
      if (full) {
        tooLittleRoom = room;
        throw noRoom(what, e);
      }
      FileObstacle obstacle = FileObstacle.of(e);
      if (obstacle != null) {
        throw new QueueException(
            obstacle.isPermission() ? DIRECTORY_UNUSABLE : STORE_FAILED,
            what + " and cannot be repaired: " + obstacle.text(),
            e);
      }
      QueueException uncopied =
          new QueueException(
              STORE_FAILED,
              what
                  + " and cannot be copied ("
                  + LogDamage.describe(e)
                  + "): restore the directory from a backup, and keep its files: export may read"
                  + " more of them",
              e);
      // A device that fails may recover; of what the log holds no later copy can be better.
      boolean isOfDevice = e instanceof IOException || e instanceof UncheckedIOException;
      refusal = isOfDevice ? null : uncopied;
      throw uncopied;
    }
  }

  private boolean isFull(Throwable failure) {
    File directory = options.getDirectory().toFile();
    return failure instanceof DiskLimitException
        || directory.exists() && directory.getUsableSpace() < options.getMinFreeBytes();
  }

  static QueueException logIsGone(Path directory, Reason reason) {
    try {
      LogFiles.requireEnd(directory);
    } catch (IOException e) {
      if (FileObstacle.of(e) != null) {
        return FileObstacle.cannotOpen(directory, e, reason);
      }
    }
    return new QueueException(
        reason,
        "the log files (*.jdb) in "
            + directory
            + " are gone: put them back, or restore a backup; for an empty store delete "
            + LogMark.FILE
            + " and open it anew");
  }

  private static QueueException noRoom(String what, Throwable cause) {
    return new QueueException(
        DISK_FULL,
        what + " and there is no room to copy it: free as much disk space as possible",
        cause);
  }
}
