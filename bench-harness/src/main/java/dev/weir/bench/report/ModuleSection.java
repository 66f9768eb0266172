package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The section of a module in the report, and that of other systems. */
final class ModuleSection {
  /** Lines of a section at most. */
  static final int MAX_LINES = 60;

  /** Extra: the flags of the processes that a row's scenario starts. */
  private static final String CHILD_FLAGS = "childFlags";

  /** A flag of all processes that changes no speed. */
  private static final String NO_SPEED = "-XX:+ExitOnOutOfMemoryError";

  /** Rows of a table at most. */
  private static final int MAX_ROWS = 16;

  private static final String INDENT = "  ";

  /** Columns for the shortest reason of a row that is not OK, the mark alone. */
  private static final int MARK_WIDTH = 3;

  private final List<String> lines = new ArrayList<>();

  /** Rows of tables whose reason had room beside them. */
  private final Set<PublishedRow> explained = Collections.newSetFromMap(new IdentityHashMap<>());

  private ModuleSection() {}

  /**
   * The lines of the section.
   *
   * @param change since the last result of the history; empty without one
   */
  static List<String> lines(PublishedRun run, String change) {
    ModuleSection section = new ModuleSection();
    section.lines.add("=== " + run.suite() + ": " + run.template().name);
    section.add(
        "FLAGS: "
            + flags(new PublishedRow(run.json()).get("environment.jvmFlags"))
            + childFlags(run));
    if (!change.isEmpty()) {
      section.add(change);
    }
    run.template().tables.stream()
        .filter(table -> table.kind != ReportTemplate.Kind.PEERS)
        .forEach(table -> section.part(table, run));
    section.end(failed(run, false));
    return section.lines;
  }

  /** The lines of the section of other systems; empty if none was measured. */
  static List<String> peers(List<PublishedRun> runs) {
    ModuleSection section = new ModuleSection();
    List<PublishedRow> failed = new ArrayList<>();
    for (PublishedRun run : runs) {
      failed.addAll(failed(run, true));
      run.template().tables.stream()
          .filter(table -> table.kind == ReportTemplate.Kind.PEERS)
          .filter(table -> !table.of(run.rows()).isEmpty())
          .forEach(table -> section.part(table, run));
    }
    if (!section.lines.isEmpty()) {
      section.lines.add(0, "=== peers: other systems, measured in the same run (-Ppeers)");
    }
    section.end(failed);
    return section.lines;
  }

  /** Rows that have failed, those of tables of other systems or those of no such table. */
  private static List<PublishedRow> failed(PublishedRun run, boolean ofPeers) {
    List<PublishedRow> failed = FailedRows.of(run.rows());
    Set<PublishedRow> peers = Collections.newSetFromMap(new IdentityHashMap<>());
    run.template().tables.stream()
        .filter(table -> table.kind == ReportTemplate.Kind.PEERS)
        .forEach(table -> peers.addAll(table.of(failed)));
    return failed.stream().filter(row -> peers.contains(row) == ofPeers).toList();
  }

  /** Ends with the failed rows that no table shows together with the reason. */
  private void end(List<PublishedRow> failed) {
    List<String> last =
        FailedRows.lines(failed.stream().filter(row -> !explained.contains(row)).toList());
    cut(MAX_LINES - last.size());
    lines.addAll(last);
  }

  /** A section that is too long says so: a table that is not there would be missed by nobody. */
  private void cut(int most) {
    if (lines.size() > most) {
      List<String> rest = lines.subList(most - 1, lines.size());
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
            .filter(flag -> flag.startsWith("-X") && !flag.equals(NO_SPEED))
            .collect(Collectors.joining(" "));
  }

  /** Those of the processes that scenarios start. */
  private static String childFlags(PublishedRun run) {
    Map<String, Set<String>> ofScenario = new LinkedHashMap<>();
    for (PublishedRow row : run.rows()) {
      if (row.get("extra." + CHILD_FLAGS) instanceof List<?> flags) {
        String those =
            flags(flags)
                .replaceAll("-XX:\\+Use(\\w+)GC", "$1")
                .replaceAll("-XX:\\+?", "")
                .replaceAll("-Xms(\\S+) -Xmx\\1(?!\\S)", "$1");
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
        .map(same -> String.join(", ", same.getValue()) + ": " + same.getKey())
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("; "), all -> all.isEmpty() ? "" : ". Processes: " + all));
  }

  private void part(ReportTemplate.Table table, PublishedRun run) {
    Placeholders figures = new Placeholders(run.named());
    boolean isText = table.kind == ReportTemplate.Kind.TEXT;
    String text = isText ? figures.answer(table.title) : figures.fill(table.title);
    if (table.kind == ReportTemplate.Kind.LINE) {
      lines.addAll(PageOne.fitted(text));
      return;
    }
    if (!text.isBlank()) {
      add(text);
    }
    if (!isText) {
      rows(table, table.of(run.rows()));
    }
  }

  private void rows(ReportTemplate.Table table, List<PublishedRow> rows) {
    if (rows.isEmpty()) {
      lines.add(INDENT + "not measured in this profile");
      return;
    }
    List<PublishedRow> shown = rows.subList(0, Math.min(rows.size(), MAX_ROWS));
    TextTable<PublishedRow> text = new TextTable<>(shown);
    table.columns.forEach((header, path) -> text.column(header, row -> cell(row, path)));
    List<String> headers = new ArrayList<>(table.columns.keySet());
    while (room(text) < MARK_WIDTH && headers.size() > 1) {
      text.remove(headers.remove(headers.size() - 1));
    }
    int room = room(text);
    text.column("", row -> row.isOk() ? null : PageOne.shortened(row.why(), room));
    shown.stream().filter(row -> row.why().length() <= room).forEach(explained::add);
    // Without the rule below the header, which would cost a line of each table.
    List<String> drawn = text.indented();
    lines.add(drawn.get(0));
    lines.addAll(drawn.subList(2, drawn.size()));
    if (shown.size() < rows.size()) {
      lines.add(
          INDENT + "and " + (rows.size() - shown.size()) + " more rows: see the result files");
    }
  }

  /** Columns that are left beside the table. */
  private static int room(TextTable<PublishedRow> text) {
    return PageOne.MAX_WIDTH - 2 * INDENT.length() - text.width();
  }

  private static Object cell(PublishedRow row, String path) {
    if (path.equals("spread")) {
      double percent = row.spreadPercent();
      return Double.isNaN(percent) ? null : (Object) Math.round(percent);
    }
    return row.get(path);
  }

  private void add(String text) {
    lines.addAll(ResultsText.wrapped(text, PageOne.MAX_WIDTH));
  }
}
