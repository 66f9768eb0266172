package dev.weir.bench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of the report: a header, then the sections by name between marker lines. */
final class ReportSections {
  private static final String HEADER =
      """
      Benchmark report. The benchmark modules write this file; do not edit it, run them.
      Each module replaces the section between its own marker lines and leaves the others alone.
      ops/s: good operations per second over the rounds. us: latency in microseconds; in an open
      loop from the intended send time. loop closed: capacity under saturation, no response time.
      noise us: how late a 1 ms sleep woke at p99.9 while the row was measured.
      Compare ratios within one section; absolute figures belong to the machine named there.
      """;

  private static final Pattern MARKER = Pattern.compile("=== (end of )?(\\S+) ===");

  private ReportSections() {}

  static String format(SortedMap<String, String> sections) {
    StringBuilder text = new StringBuilder(HEADER);
    sections.forEach(
        (name, body) ->
            text.append("\n=== ")
                .append(name)
                .append(" ===\n")
                .append(body)
                .append("=== end of ")
                .append(name)
                .append(" ===\n"));
    return text.toString();
  }

  static void checkName(String section) {
    if (section.isEmpty() || section.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("a section name must not have blanks: " + section);
    }
  }

  /** The text as it can stand in a section: ended by a line feed, without markers. */
  static String checked(String text) {
    if (text.lines().anyMatch(line -> MARKER.matcher(line).matches())) {
      throw new IllegalArgumentException("a section must not contain a marker line");
    }
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
  }

  static SortedMap<String, String> parse(Path file, String content) throws IOException {
    SortedMap<String, String> sections = new TreeMap<>();
    StringBuilder body = new StringBuilder();
    String open = null;
    int number = 0;
    for (String line : content.lines().toList()) {
      number++;
      Matcher marker = MARKER.matcher(line);
      if (!marker.matches()) {
        body.append(line).append('\n');
      } else if (marker.group(1) == null) {
        check(open == null, file, number, "section '" + open + "' has no end line before this");
        open = marker.group(2);
        check(!sections.containsKey(open), file, number, "a second section '" + open + "'");
        body.setLength(0);
      } else {
        check(marker.group(2).equals(open), file, number, "an end line without its begin line");
        sections.put(open, body.toString());
        open = null;
      }
    }
    check(open == null, file, number, "section '" + open + "' has no end line");
    return sections;
  }

  private static void check(boolean sound, Path file, int line, String what) throws IOException {
    if (!sound) {
      throw new IOException(
          file + " is damaged at line " + line + ": " + what + "; mend or delete it");
    }
  }
}
