package dev.weir.queue.je;

import com.sleepycat.je.EnvironmentFailureException;
import com.sleepycat.je.dbi.EnvironmentFailureReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells the failures of JE that come from a damaged log from all others. */
public final class LogDamage {
  private static final Pattern LOCATION =
      Pattern.compile("Location 0x(\\p{XDigit}{1,8})/(0x\\p{XDigit}+)");

  private static final Set<EnvironmentFailureReason> REASONS =
      EnumSet.of(
          EnvironmentFailureReason.LOG_FILE_NOT_FOUND,
          EnvironmentFailureReason.LOG_CHECKSUM,
          EnvironmentFailureReason.LOG_INTEGRITY,
          EnvironmentFailureReason.LOG_INCOMPLETE);

  private LogDamage() {}

  /** True if the files are no longer what was written, and reading them again will not help. */
  public static boolean isIn(Throwable failure) {
    if (FileObstacle.of(failure) != null) {
      return false;
    }
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof EnvironmentFailureException found
          && (found.isCorrupted() || REASONS.contains(found.getReason()))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a log cannot be opened because it is damaged. JE has many failures for that, so if its
   * failure does not tell, every byte of the log is checked. The end of the log is no reason.
   */
  static boolean isReasonFor(Throwable failure, Path directory) {
    if (isIn(failure) || FileObstacle.of(failure) != null) {
      return isIn(failure);
    }
    try {
      return LogScan.of(directory, LogScan.Visitor.NONE).faults().stream()
          .anyMatch(fault -> !fault.endOfLog());
    } catch (IOException e) {
      return false;
    }
  }

  /** The place in the log, if JE says so, or its first line. */
  static String describe(Throwable damage) {
    for (Throwable e = damage; e != null; e = e.getCause()) {
      Matcher location = LOCATION.matcher(String.valueOf(e.getMessage()));
      if (location.find()) {
        long file = Long.parseLong(location.group(1), 16);
        return String.format("%s at %s", LogFiles.name(file), location.group(2));
      }
      if (e instanceof FileNotFoundException) {
        return e.getMessage();
      }
    }
    return JeFiles.firstLine(damage);
  }
}
