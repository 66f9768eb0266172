package dev.weir.bench.report;

import dev.weir.bench.env.Environment;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results as people read them: the environment, then a table for each scenario. */
public final class ResultsText {
  /** No line is longer, so that a wide terminal wraps none. */
  public static final int MAX_WIDTH = 150;

  private ResultsText() {}

  /**
   * The whole text.
   *
   * @param texts by name of scenario; may lack some
   */
  public static String write(Results results, Map<String, ScenarioText> texts) {
    List<String> lines = new ArrayList<>(header(results));
    byScenario(results.rows())
        .forEach(
            (scenario, rows) ->
                lines.addAll(
                    group(scenario, texts.getOrDefault(scenario, ScenarioText.NONE), rows)));
    return String.join("\n", lines) + "\n";
  }

  /** The lines that say where and how the run takes place. */
  public static List<String> header(Results results) {
    Environment environment = results.environment();
    List<String> lines = new ArrayList<>();
    add(
        lines,
        "Run: %s profile, started %s, commit %s",
        results.profile(),
        results.startedAt().truncatedTo(ChronoUnit.SECONDS),
        environment.gitCommit());
    add(
        lines,
        "Machine: %d CPUs (%s), %s MiB memory, %s",
        environment.cpus(),
        environment.cpuModel(),
        mebibytes(environment.memoryBytes()),
        environment.os());
    add(
        lines,
        "JVM: %s, collector %s, heap up to %s MiB, flags: %s",
        environment.jdk(),
        environment.gc(),
        mebibytes(environment.maxHeapBytes()),
        environment.jvmFlags().isEmpty() ? "none" : String.join(" ", environment.jvmFlags()));
    if (!environment.versions().isEmpty()) {
      add(lines, "Versions: %s", pairs(environment.versions(), ", "));
    }
    return lines;
  }

  /** The lines of one scenario's rows: description, table, reasons of failed rows, notes. */
  public static List<String> group(String scenario, ScenarioText text, List<Row> rows) {
    List<String> lines = new ArrayList<>();
    lines.add("");
    add(lines, text.description().isEmpty() ? "%s" : "%s: %s", scenario, text.description());
    lines.add("");
    lines.addAll(ScenarioTable.of(rows, MAX_WIDTH).lines());
    for (Row row : rows) {
      if (!row.verdict().isOk()) {
        add(lines, "%s -> %s", pairs(row.fields(), " "), row.verdict());
      }
    }
    if (!text.notes().isEmpty()) {
      lines.add("");
      text.notes().forEach(note -> addNote(lines, note));
    }
    return lines;
  }

  /** What begins with a blank is a line of a table, and stays as it is. */
  private static void addNote(List<String> lines, String note) {
    if (note.startsWith(" ")) {
      lines.add(note.stripTrailing());
    } else {
      add(lines, "%s", note);
    }
  }

  private static Map<String, List<Row>> byScenario(List<Row> rows) {
    Map<String, List<Row>> groups = new LinkedHashMap<>();
    rows.forEach(row -> groups.computeIfAbsent(row.scenario(), name -> new ArrayList<>()).add(row));
    return groups;
  }

  private static String pairs(Map<String, ?> map, String separator) {
    return String.join(
        separator, map.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }

  private static String mebibytes(long bytes) {
    return Figures.text(bytes >> 20);
  }

  private static void add(List<String> lines, String format, Object... values) {
    lines.addAll(WordWrap.lines(String.format(format, values), MAX_WIDTH));
  }
}
