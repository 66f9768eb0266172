package dev.weir.bench.report;

import dev.weir.bench.env.Environment;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The results as people read them: the environment, then a table for each scenario. */
public final class ResultsText {
  /** No line of text is longer, so that a wide terminal wraps none. */
  static final int MAX_WIDTH = 150;

  private static final String INDENT = "    ";

  private final List<String> lines = new ArrayList<>();

  private ResultsText() {}

  /** The lines that say where and how the run takes place. */
  public static List<String> header(Results results) {
    Environment environment = results.environment();
    ResultsText text = new ResultsText();
    text.add(
        "Run: %s profile, started %s, commit %s",
        results.profile(),
        results.startedAt().truncatedTo(ChronoUnit.SECONDS),
        environment.gitCommit());
    text.add(
        "Machine: %d CPUs (%s), %s MiB memory, %s",
        environment.cpus(),
        environment.cpuModel(),
        mebibytes(environment.memoryBytes()),
        environment.os());
    text.add(
        "JVM: %s, collector %s, heap up to %s MiB, flags: %s",
        environment.jdk(),
        environment.gc(),
        mebibytes(environment.maxHeapBytes()),
        environment.jvmFlags().isEmpty() ? "none" : String.join(" ", environment.jvmFlags()));
    if (!environment.versions().isEmpty()) {
      text.add("Versions: %s", pairs(environment.versions(), ", "));
    }
    return text.lines;
  }

  /** The lines of one scenario's rows: description, table, reasons of failed rows, notes. */
  public static List<String> group(String scenario, ScenarioText about, List<Row> rows) {
    ResultsText text = new ResultsText();
    text.lines.add("");
    text.add(about.description().isEmpty() ? "%s" : "%s: %s", scenario, about.description());
    text.lines.add("");
    text.lines.addAll(ScenarioTable.lines(rows, MAX_WIDTH));
    rows.stream()
        .filter(row -> !row.verdict().isOk())
        .forEach(row -> text.add("%s -> %s", pairs(row.fields(), " "), row.verdict()));
    if (!about.notes().isEmpty()) {
      text.lines.add("");
      about.notes().forEach(text::addNote);
    }
    return text.lines;
  }

  /** A note that begins with a blank is a line of a table and stays as it is. */
  private void addNote(String note) {
    if (note.startsWith(" ")) {
      lines.add(note.stripTrailing());
    } else {
      add("%s", note);
    }
  }

  private static String pairs(Map<String, ?> map, String separator) {
    return String.join(
        separator, map.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }

  private static String mebibytes(long bytes) {
    return Figures.text(bytes >> 20);
  }

  private void add(String format, Object... values) {
    lines.addAll(wrapped(String.format(format, values), MAX_WIDTH));
  }

  /** Breaks the text at blanks and indents the further lines; a longer word keeps its own line. */
  static List<String> wrapped(String text, int maxWidth) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.strip().split("\\s+")) {
      if (!line.toString().isBlank() && line.length() + 1 + word.length() > maxWidth) {
        lines.add(line.toString());
        line.setLength(0);
        line.append(INDENT);
      } else if (line.length() > 0) {
        line.append(' ');
      }
      line.append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
