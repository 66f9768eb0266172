package dev.weir.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a module shows in the report, as its file {@code report.template} says. A line that begins
 * with {@code #} is a comment. A line that begins with {@code %} says what follows:
 *
 * <ul>
 *   <li>{@code %section NUMBER NAME}: the section of the module; sections are in order of numbers
 *   <li>{@code %question NUMBER TEXT}: a question of page one; then its lines with {@link
 *       Placeholders}
 *   <li>{@code %again ARGUMENTS}: how to measure the answers again
 *   <li>{@code %row NAME SELECTOR}: a row that placeholders name, by a {@link RowSelector}
 *   <li>{@code %worse PATH SELECTOR : TEXT}: rows whose figure below 1 page one names as worse
 *   <li>{@code %table TITLE}: a table of the section; then {@code %rows SELECTOR}, {@code %sort
 *       PATH} (the highest first) and a {@code %column HEADER = PATH} for each column
 *   <li>{@code %text LINE}: a line of the section
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

  /** A table of the section, or lines of text where it has no rows. */
  static final class Table {
    final String title;
    final Map<String, String> columns = new LinkedHashMap<>();
    RowSelector rows;
    String sort;

    private Table(String title) {
      this.title = title;
    }
  }

  /** A comparison that page one names where it is below 1. */
  record Worse(String path, RowSelector rows, String text) {}

  final List<Question> questions = new ArrayList<>();
  final List<Table> tables = new ArrayList<>();
  final List<Worse> worse = new ArrayList<>();
  final Map<String, RowSelector> rows = new LinkedHashMap<>();
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
      case "question" -> questions.add(new Question(Integer.parseInt(parts[0]), parts[1]));
      case "again" -> last(questions).again = rest;
      case "row" -> rows.put(parts[0], RowSelector.parse(parts[1]));
      case "worse" -> worse.add(worse(parts));
      case "table", "text" -> tables.add(new Table(rest));
      case "rows" -> last(tables).rows = RowSelector.parse(rest);
      case "sort" -> last(tables).sort = rest;
      case "column" -> column(rest);
      default -> throw new IllegalArgumentException("unknown %" + words[0]);
    }
  }

  private static Worse worse(String[] parts) {
    int colon = parts[1].indexOf(" : ");
    return new Worse(
        parts[0],
        RowSelector.parse(parts[1].substring(0, colon)),
        parts[1].substring(colon + 3).strip());
  }

  private void column(String text) {
    int equals = text.lastIndexOf(" = ");
    last(tables).columns.put(text.substring(0, equals).strip(), text.substring(equals + 3).strip());
  }

  private static <T> T last(List<T> list) {
    return list.get(list.size() - 1);
  }
}
