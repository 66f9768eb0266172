package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a module shows in the report, as its file {@code report.template} says. A line that begins
 * with {@code #} is a comment. A line that begins with {@code %} says what follows:
 *
 * <ul>
 *   <li>{@code %section NUMBER NAME}: the section of the module; sections are in order of numbers
 *   <li>{@code %question NUMBER TEXT}: a question of page one; then its lines with {@link
 *       Placeholders}; without a text they follow those of the module that has it
 *   <li>{@code %again MODULE SCENARIOS}: how to measure the answers again
 *   <li>{@code %row NAME SELECTOR}: a row that placeholders name, by a {@link RowSelector}
 *   <li>{@code %other NAME HEADLINE SELECTOR}: the same, but there is no such row if it is the row
 *       that HEADLINE names: for a worst case beside the headline
 *   <li>{@code %worse PATH SELECTOR : TEXT}: a comparison of throughputs; page one names its worst
 *       row if that is below 1. {@code 1/PATH} is one of times
 *   <li>{@code %table TITLE}: a table of the section; then {@code %rows SELECTOR}, again for
 *       further rows, {@code %sort PATH} (the highest first) and a {@code %column HEADER = PATH}
 *       for each column
 *   <li>{@code %peers TITLE}: a table of other systems, which is there only if it has rows
 *   <li>{@code %text TEXT}: a paragraph of the section, which is left out if it names figures and
 *       none of them is there; {@code %line LINE}: a line as it stands
 * </ul>
 */
final class ReportTemplate {
  private static final String COMMENT = "#";
  private static final String DIRECTIVE = "%";

  /** A question of page one. */
  static final class Question {
    final int number;
    final String text;
    final List<String> lines = new ArrayList<>();
    String again = "";

    private Question(int number, String text) {
      this.number = number;
      this.text = text;
    }
  }

  /** What a part of a section is. */
  enum Kind {
    TABLE,
    PEERS,
    TEXT,
    LINE
  }

  /** A table of the section, or text, which has no rows. */
  static final class Table {
    final Kind kind;
    final String title;
    final List<RowSelector> rows = new ArrayList<>();
    final Map<String, String> columns = new LinkedHashMap<>();
    String sort;

    private Table(Kind kind, String title) {
      this.kind = kind;
      this.title = title;
    }

    /** Its rows among these, in its order. */
    List<PublishedRow> of(List<PublishedRow> all) {
      List<PublishedRow> found = new ArrayList<>();
      rows.forEach(selector -> found.addAll(selector.all(all)));
      if (sort != null) {
        found.sort(RowSelector.falling(sort));
      }
      return found;
    }
  }

  /** A comparison that page one names where it is below 1. */
  record Worse(String path, boolean times, RowSelector rows, String text) {
    private static final String OVER = "1/";

    /** How many times as fast the row is as what it is compared with. */
    double ratio(PublishedRow row) {
      return times ? 1 / row.number(path) : row.number(path);
    }

    private static Worse parse(String[] parts) {
      int colon = parts[1].indexOf(" : ");
      boolean times = parts[0].startsWith(OVER);
      return new Worse(
          times ? parts[0].substring(OVER.length()) : parts[0],
          times,
          RowSelector.parse(parts[1].substring(0, colon)),
          parts[1].substring(colon + 3).strip());
    }
  }

  final List<Question> questions = new ArrayList<>();
  final List<Table> tables = new ArrayList<>();
  final List<Worse> worse = new ArrayList<>();
  final Map<String, RowSelector> rows = new LinkedHashMap<>();

  /** Names of rows of which each is there only if it is another one than the named headline. */
  final Map<String, String> others = new LinkedHashMap<>();

  int section;
  String name = "";

  private ReportTemplate() {}

  /** Reads the lines; a line that cannot be read is refused. */
  static ReportTemplate parse(List<String> lines) {
    ReportTemplate template = new ReportTemplate();
    for (String line : lines) {
      try {
        template.add(line);
      } catch (RuntimeException e) {
        throw new IllegalArgumentException("report.template: " + line + ": " + e.getMessage(), e);
      }
    }
    return template;
  }

  private void add(String line) {
    if (line.isBlank() || line.startsWith(COMMENT)) {
      return;
    }
    if (!line.startsWith(DIRECTIVE)) {
      last(questions).lines.add(line);
      return;
    }
    String[] words = line.substring(DIRECTIVE.length()).split(" +", 2);
    String rest = words.length > 1 ? words[1].strip() : "";
    String[] parts = rest.split(" +", 2);
    switch (words[0]) {
      case "section" -> {
        section = Integer.parseInt(parts[0]);
        name = parts[1];
      }
      case "question" ->
          questions.add(new Question(Integer.parseInt(parts[0]), parts.length > 1 ? parts[1] : ""));
      case "again" -> last(questions).again = rest;
      case "row" -> rows.put(parts[0], RowSelector.parse(parts[1]));
      case "other" -> {
        String[] headline = parts[1].split(" +", 2);
        others.put(parts[0], headline[0]);
        rows.put(parts[0], RowSelector.parse(headline[1]));
      }
      case "worse" -> worse.add(Worse.parse(parts));
      case "table", "peers", "text" ->
          tables.add(new Table(Kind.valueOf(words[0].toUpperCase(Locale.ROOT)), rest));
      case "line" -> tables.add(new Table(Kind.LINE, line.substring(DIRECTIVE.length() + 5)));
      case "rows" -> last(tables).rows.add(RowSelector.parse(rest));
      case "sort" -> last(tables).sort = rest;
      case "column" -> column(rest);
      default -> throw new IllegalArgumentException("unknown %" + words[0]);
    }
  }

  private void column(String text) {
    int equals = text.lastIndexOf(" = ");
    last(tables).columns.put(text.substring(0, equals).strip(), text.substring(equals + 3).strip());
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }
}
