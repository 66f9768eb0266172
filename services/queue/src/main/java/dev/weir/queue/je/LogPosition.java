package dev.weir.queue.je;

import com.sleepycat.je.utilint.DbLsn;

/**
 * A place in JE's log.
 *
 * @param file name of the log file
 * @param offset of the entry in it
 */
public record LogPosition(String file, long offset) {

  /** Null if the log sequence number is JE's "none". */
  static LogPosition of(long lsn) {
    return lsn == DbLsn.NULL_LSN
        ? null
        : new LogPosition(LogFiles.name(DbLsn.getFileNumber(lsn)), DbLsn.getFileOffset(lsn));
  }
}
