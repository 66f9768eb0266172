package dev.weir.queue.je;

import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import dev.weir.queue.LostPackets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes a new log of the records that a damaged one shows. It reads the damaged log without JE,
 * entry by entry, so it needs no index and no checkpoint of it. JE itself cannot go on with such a
 * log: it refuses an environment in which it found a wrong checksum, and its cleaner never gets
 * past the damaged file.
 *
 * <p>Of a packet or message that cannot be read the key is kept if it is known, without a value. A
 * reader finds such a record corrupt; the counts and the order of its neighbours stay. Progress and
 * ids that cannot be read are left out, so messages are delivered or accepted again. A transaction
 * of which a part cannot be read keeps what it wrote and not what it settled or deleted ({@link
 * DoubtfulPackets}).
 */
final class LogRebuild {
  /**
   * What became of a damaged log.
   *
   * @param written records that were written into the new log
   * @param unreadable records of which only the key could be read
   * @param lost sequences that may have been where nothing can be read
   * @param forcedLsn place in the new log; what is before it is known to have been forced
   */
  record Result(long written, long unreadable, List<LostPackets> lost, long forcedLsn) {
    @Override
    public String toString() {
      return written + " records are in a new log, " + unreadable + " could not be read";
    }
  }

  private LogRebuild() {}

  /**
   * Reads the log twice and writes the new one.
   *
   * @param to an existing, empty directory
   * @param config of the new environment
   * @return how much is in the new log, and what may be lost
   * @throws RuntimeException if the new log cannot be written
   */
  static Result make(Path from, Path to, EnvironmentConfig config) throws IOException {
    LogGaps gaps = LogGaps.of(from);
    Environment target = JeConfig.open(to, config);
    try {
      Result result = replay(from, gaps, target);
      // Closing writes the last checkpoint, without which the new log is not complete.
      target.close();
      target = null;
      new LogMark(to).repaired(result.forcedLsn);
      return result;
    } finally {
      LogFiles.closeQuietly(target);
    }
  }

  private static Result replay(Path from, LogGaps gaps, Environment target) throws IOException {
    long written;
    long unreadable;
    long forcedLsn;
    try (LogReplay replay = new LogReplay(gaps.history(), gaps.certainLsn(), target)) {
      LogScan.of(from, replay);
      replay.end();
      written = replay.written();
      unreadable = replay.unreadable();
      forcedLsn = replay.forcedLsn();
    }
    OpenTables tables = new OpenTables(new JeRecords.Source(target, JeConfig.database()), null);
    try {
      gaps.remove(tables, true);
    } finally {
      tables.closeAll();
    }
    return new Result(written, unreadable, gaps.lost(), forcedLsn);
  }
}
