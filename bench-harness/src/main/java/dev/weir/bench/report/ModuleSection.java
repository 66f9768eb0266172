package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The section of a module in the report: its tables, then the rows that are not OK. */
final class ModuleSection {
  /** Lines of a section at most. */
  static final int MAX_LINES = 60;

  /** Extra: the flags of the processes that a row's scenario starts. */
  private static final String CHILD_FLAGS = "childFlags";

  /** Rows of a table at most. */
  private static final int MAX_ROWS = 12;

  private final PublishedRun run;
  private final List<String> lines = new ArrayList<>();

  private ModuleSection(PublishedRun run) {
    this.run = run;
  }

  /**
   * The lines of the section.
   *
   * @param change since the last result of the history; empty without one
   */
  static List<String> lines(PublishedRun run, String change) {
    ModuleSection section = new ModuleSection(run);
    section.lines.add("=== " + run.suite() + ": " + run.template().name);
    section.add(
        "JVM flags: "
            + flags(new PublishedRow(run.json()).get("environment.jvmFlags"))
            + childFlags(run));
    if (!change.isEmpty()) {
      section.add(change);
    }
    run.template().tables.forEach(section::table);
    section.notOk();
    section.cut();
    return section.lines;
  }

  /** A section that is too long says so: a table that is not there would be missed by nobody. */
  private void cut() {
    if (lines.size() > MAX_LINES) {
      List<String> rest = lines.subList(MAX_LINES - 1, lines.size());
      int left = rest.size();
      rest.clear();
      lines.add("and " + left + " more lines, for which there is no room: see the result files");
    }
  }

  /** Those that change a speed; what opens the JDK for libraries does not. */
  private static String flags(Object flags) {
    return ((List<?>) flags)
        .stream()
            .map(String::valueOf)
            .filter(flag -> flag.startsWith("-X"))
            .collect(Collectors.joining(" "));
  }

  /** Those of the processes that scenarios start. */
  private static String childFlags(PublishedRun run) {
    Map<String, Set<String>> ofScenario = new LinkedHashMap<>();
    for (PublishedRow row : run.rows()) {
      if (row.get("extra." + CHILD_FLAGS) instanceof List<?> flags) {
        String those = flags(flags);
        ofScenario
            .computeIfAbsent(String.valueOf(row.get("scenario")), none -> new LinkedHashSet<>())
            .add(those.isEmpty() ? "none" : those);
      }
    }
    Map<String, List<String>> scenarios = new LinkedHashMap<>();
    ofScenario.forEach(
        (scenario, flags) ->
            scenarios
                .computeIfAbsent(String.join(", or ", flags), none -> new ArrayList<>())
                .add(scenario));
    return scenarios.entrySet().stream()
        .map(same -> "; processes of " + String.join(", ", same.getValue()) + ": " + same.getKey())
        .collect(Collectors.joining());
  }

  private void table(ReportTemplate.Table table) {
    Placeholders figures = new Placeholders(run.named());
    add(figures.fill(table.title));
    if (table.rows == null) {
      return;
    }
    List<PublishedRow> rows = new ArrayList<>(table.rows.all(run.rows()));
    if (table.sort != null) {
      rows.sort(RowSelector.falling(table.sort));
    }
    if (rows.isEmpty()) {
      lines.add("  not measured in this profile");
      return;
    }
    int shown = Math.min(rows.size(), MAX_ROWS);
    TextTable<PublishedRow> text = new TextTable<>(rows.subList(0, shown));
    table.columns.forEach((header, path) -> text.column(header, row -> cell(row, path)));
    lines.addAll(text.column("", row -> row.isOk() ? null : row.verdict()).indented());
    if (shown < rows.size()) {
      lines.add("  and " + (rows.size() - shown) + " more rows: see the result files");
    }
  }

  private static Object cell(PublishedRow row, String path) {
    if (path.equals("spread")) {
      double percent = row.spreadPercent();
      return Double.isNaN(percent) ? null : (Object) Math.round(percent);
    }
    return row.get(path);
  }

  /** As many as there is room for, the reasons of all are in the result files. */
  private void notOk() {
    List<PublishedRow> rows = run.rows().stream().filter(row -> !row.isOk()).toList();
    for (int i = 0; i < rows.size(); i++) {
      PublishedRow row = rows.get(i);
      List<String> text =
          ResultsText.wrapped(
              row.verdict() + " " + row.label() + ": " + row.reasons(), PageOne.MAX_WIDTH);
      if (lines.size() + 2 > MAX_LINES) {
        lines.add("and " + (rows.size() - i) + " more that are not OK: see the result files");
        return;
      }
      lines.add(text.get(0));
    }
  }

  private void add(String text) {
    lines.addAll(ResultsText.wrapped(text, PageOne.MAX_WIDTH));
  }
}
