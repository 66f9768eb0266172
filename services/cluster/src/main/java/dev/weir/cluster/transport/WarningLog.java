package dev.weir.cluster.transport;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Logs warnings in which another process chooses a part of the text. That process may be a
 * stranger, and may try again without end, so the number, the length and the characters of the
 * lines are bounded: the same text is logged once in {@value #REPEAT_MIN} minutes, and at most
 * {@value #MAX_LINES} lines in a minute. Any thread.
 */
public final class WarningLog {
  /** A line that has no characters beside these. */
  static final int MAX_CHARS = 1_000;

  static final int MAX_LINES = 10;
  private static final int REPEAT_MIN = 10;
  private static final int MAX_PASSING = 100;

  /** {@value}: what may be over in a moment is a warning if it is there for so many seconds. */
  private static final int LASTING_S = 10;

  private static final long LASTING_NS = TimeUnit.SECONDS.toNanos(LASTING_S);

  /** What was not there for so long is over. */
  private static final long OVER_NS = LASTING_NS / 2;

  private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final long REPEAT_NS = REPEAT_MIN * MINUTE_NS;

  private final Logger log;
  private final String prefix;

  /** When each text was logged, the oldest first. Older ones than {@link #REPEAT_NS} are gone. */
  private final Map<String, Long> logged = new LinkedHashMap<>();

  /** What may be over in a moment, the first that came first; at most {@link #MAX_PASSING}. */
  private final Map<String, Passing> passing = new LinkedHashMap<>();

  /** Since when something is there, and when it came last. */
  private record Passing(long firstNs, long lastNs) {}

  private long minuteNs;

  /** Lines since {@link #minuteNs}. */
  private int lines;

  /** Warnings since the last line that were not logged because there were too many lines. */
  private long leftOut;

  /**
   * @param prefix what each line begins with
   */
  public WarningLog(Logger log, String prefix) {
    this.log = log;
    this.prefix = prefix;
  }

  /** Logs a warning, unless the same was logged of late or there are too many. */
  public void add(String text) {
    add(text, System.nanoTime());
  }

  /**
   * The same for what is no fault if it is over in a moment: logs it once it has come again and
   * again for {@value #LASTING_S} s.
   */
  public void addIfItLasts(String text) {
    addIfItLasts(text, System.nanoTime());
  }

  synchronized void addIfItLasts(String text, long nowNs) {
    String line = printable(text);
    passing.values().removeIf(each -> nowNs - each.lastNs() > OVER_NS);
    Passing before = passing.get(line);
    if (before == null && passing.size() == MAX_PASSING) {
      passing.remove(passing.keySet().iterator().next());
    }
    Passing now = new Passing(before == null ? nowNs : before.firstNs(), nowNs);
    passing.put(line, now);
    if (nowNs - now.firstNs() >= LASTING_NS) {
      add(text, nowNs);
    }
  }

  synchronized void add(String text, long nowNs) {
    String line = printable(text);
    logged.values().removeIf(atNs -> nowNs - atNs >= REPEAT_NS);
    if (logged.containsKey(line)) {
      return;
    }
    if (lines == 0 || nowNs - minuteNs >= MINUTE_NS) {
      minuteNs = nowNs;
      lines = 0;
    }
    if (lines == MAX_LINES) {
      leftOut++;
      return;
    }
    lines++;
    logged.put(line, nowNs);
    if (leftOut == 0) {
      log.warn("{} {}", prefix, line);
    } else {
      log.warn("{} {}; {} warnings before it are not logged", prefix, line, leftOut);
      leftOut = 0;
    }
  }

  /** The text in one line, with a question mark for each character that is not to be printed. */
  static String printable(String text) {
    StringBuilder line = new StringBuilder();
    String.valueOf(text)
        .codePoints()
        .limit(MAX_CHARS)
        .forEach(c -> line.appendCodePoint(isPrintable(c) ? c : '?'));
    return line.toString();
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
