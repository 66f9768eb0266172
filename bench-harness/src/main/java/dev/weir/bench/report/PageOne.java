package dev.weir.bench.report;

import dev.weir.bench.verify.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The first page of the report: the machine, the verdicts, and the questions of all modules. */
final class PageOne {
  /** Lines of the page at most. */
  static final int MAX_LINES = 40;

  /** Columns of every line of the report at most. */
  static final int MAX_WIDTH = 100;

  private static final int LABEL_WIDTH = 10;
  private static final int HASH_LENGTH = 9;

  private static final String WHERE_REASONS_ARE = " (why: end of the section)";

  /** Comparisons at most that page one names because another system is faster. */
  private static final int MOST_WORSE = 10;

  private final List<PublishedRun> runs;
  private final String machineClass;
  private final List<String> lines = new ArrayList<>();

  private PageOne(String machineClass, List<PublishedRun> runs) {
    this.machineClass = machineClass;
    this.runs = runs;
  }

  /** The lines of the page for the runs of one machine class, at least one run. */
  static List<String> lines(String machineClass, List<PublishedRun> runs) {
    PageOne page = new PageOne(machineClass, runs);
    page.header();
    page.questions();
    page.worse();
    page.lines.addAll(page.footer());
    return page.lines;
  }

  private void header() {
    PublishedRun run = runs.get(runs.size() - 1);
    lines.add(
        "WEIR BENCHMARK   commit "
            + distinct("environment.gitCommit", HASH_LENGTH)
            + ", "
            + distinct("startedAt", "2026-01-01".length())
            + ", profile "
            + distinct("profile", 0));
    labelled(
        "Machine",
        "%s, %s CPUs, %.0f GiB; %s; %s; JDK %s",
        run.text("environment.cpuModel"),
        run.text("environment.cpus"),
        new PublishedRow(run.json()).number("environment.memoryBytes") / (1L << 30),
        run.text("environment.disk"),
        run.text("environment.os").replaceAll(" \\S+$", "").replaceAll("-\\S+$", ""),
        run.text("environment.jdk").replaceAll(" .*$", ""));
    List<PublishedRow> rows = runs.stream().flatMap(one -> one.rows().stream()).toList();
    String verdicts =
        Verdict.names().stream()
            .map(name -> count(rows, name) + " " + name + legend(PublishedRow.mark(name)))
            .collect(Collectors.joining(", "));
    labelled("Rows", "%d: %s%s", rows.size(), verdicts, forks(rows));
    failed(FailedRows.of(rows));
    labelled(
        "Figures",
        "median (range) of rounds; ratio over the bare work: of speeds more is good, of times less");
  }

  /** Which rows have failed, in one line; their reasons are in the sections. */
  private void failed(List<PublishedRow> rows) {
    if (!rows.isEmpty()) {
      String label = String.format("%-" + LABEL_WIDTH + "s", "Failed");
      String names = FailedRows.names(rows, MAX_WIDTH - LABEL_WIDTH);
      boolean fits = label.length() + names.length() + WHERE_REASONS_ARE.length() <= MAX_WIDTH;
      lines.add(label + names + (rows.size() > 1 && fits ? WHERE_REASONS_ARE : ""));
    }
  }

  /** The text, or as much of it as there is room for. */
  static String shortened(String text, int width) {
    return text.length() <= width ? text : text.substring(0, Math.max(0, width - 2)) + "..";
  }

  private static long count(List<PublishedRow> rows, String verdict) {
    return rows.stream().filter(row -> row.verdict().equals(verdict)).count();
  }

  private static String legend(String mark) {
    return mark.isEmpty() ? mark : " (" + mark + ")";
  }

  /** How many rows are of several JVMs, by the number of these; nothing without such rows. */
  private static String forks(List<PublishedRow> rows) {
    return rows.stream()
        .map(row -> row.get("extra." + Forks.COUNT))
        .filter(Objects::nonNull)
        .collect(Collectors.groupingBy(String::valueOf, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(jvms -> String.format("; %d rows in %s JVMs", jvms.getValue(), jvms.getKey()))
        .collect(Collectors.joining());
  }

  private String distinct(String path, int length) {
    return runs.stream()
        .map(run -> run.text(path))
        .map(text -> length == 0 || text.length() < length ? text : text.substring(0, length))
        .distinct()
        .collect(Collectors.joining("+"));
  }

  private void questions() {
    record Asked(PublishedRun run, ReportTemplate.Question question) {}
    runs.stream()
        .flatMap(run -> run.template().questions.stream().map(asked -> new Asked(run, asked)))
        .sorted(
            Comparator.comparingInt((Asked asked) -> asked.question.number)
                .thenComparing(asked -> asked.question.text.isEmpty()))
        .forEach(
            asked -> {
              if (!asked.question.text.isEmpty()) {
                title(asked.question.text, asked.question.again);
              }
              answers(asked.run, asked.question);
            });
  }

  private void answers(PublishedRun run, ReportTemplate.Question question) {
    Placeholders figures = new Placeholders(run.named());
    List<String> answers =
        question.lines.stream().flatMap(line -> fitted(figures.answer(line)).stream()).toList();
    boolean unanswered = answers.isEmpty() && !question.text.isEmpty();
    lines.addAll(unanswered ? List.of("  not measured in this profile") : answers);
  }

  private void title(String title, String again) {
    lines.add(again.isEmpty() ? title : title + " ".repeat(gap(title, again)) + "[" + again + "]");
  }

  /** Blanks that let what follows a title end at the right edge. */
  private static int gap(String title, String again) {
    return Math.max(1, MAX_WIDTH - title.length() - again.length() - 2);
  }

  /** What one comparison has found: its worst row, and how many more are below 1. */
  private record Found(double ratio, String text) {
    private static final double BYTES_OF_KB = 1000;

    private static Found of(ReportTemplate.Worse worse, List<PublishedRow> rows) {
      List<PublishedRow> below =
          worse.rows().all(rows).stream()
              .filter(row -> worse.ratio(row) < 1)
              .sorted(Comparator.comparingDouble(worse::ratio))
              .toList();
      if (below.isEmpty()) {
        return new Found(1, "");
      }
      PublishedRow row = below.get(0);
      String text = worse.text();
      for (String field : Row.FIELDS) {
        text = text.replace("{" + field + "}", Figures.text(row.get(field)));
      }
      text = text.replace("{size}", size(row.number("payloadBytes")));
      String more = below.size() == 1 ? "" : " (+" + (below.size() - 1) + ")";
      return new Found(
          worse.ratio(row), text + " " + Figures.fraction(worse.ratio(row)) + row.mark() + more);
    }

    private static String size(double bytes) {
      return bytes < BYTES_OF_KB
          ? String.format(Locale.ROOT, "%.0f B", bytes)
          : String.format(Locale.ROOT, "%.0f KB", bytes / BYTES_OF_KB);
    }
  }

  /** The worst first, as many as there is room for. */
  private void worse() {
    List<Found> found =
        runs.stream()
            .flatMap(run -> run.template().worse.stream().map(one -> Found.of(one, run.rows())))
            .filter(one -> one.ratio < 1)
            .sorted(Comparator.comparingDouble(Found::ratio))
            .toList();
    int room = Math.max(1, MAX_LINES - lines.size() - footer().size());
    for (int shown = Math.min(MOST_WORSE, found.size()); shown > 0; shown--) {
      int left = found.size() - shown;
      List<String> text =
          ResultsText.wrapped(
              "Slower than an alternative; worst ratio (+ more rows below 1): "
                  + found.stream().limit(shown).map(Found::text).collect(Collectors.joining("; "))
                  + (left == 0 ? "" : "; and " + left + " more"),
              MAX_WIDTH);
      if (text.size() <= room || shown == 1) {
        lines.addAll(text);
        return;
      }
    }
  }

  private List<String> footer() {
    boolean full = distinct("profile", 0).contains("full");
    return ResultsText.wrapped(
        String.format(
            "[M S]: again by java -jar M/target/M.jar %s--scenario S. All: ./mvnw"
                + " -Pbenchmark%s verify. How to read: docs/benchmarks.md. Rows:"
                + " docs/results/%s/. Charts: %s",
            full ? "--full " : "", full ? ",full" : "", machineClass, BenchmarkReport.PAGE),
        MAX_WIDTH);
  }

  /** The line as the template has it, unless figures have made it too wide; nothing if blank. */
  static List<String> fitted(String line) {
    if (line.isBlank()) {
      return List.of();
    }
    if (line.length() <= MAX_WIDTH) {
      return List.of(line);
    }
    int indent = line.length() - line.stripLeading().length();
    return ResultsText.wrapped(line, MAX_WIDTH - indent).stream()
        .map(part -> " ".repeat(indent) + part)
        .toList();
  }

  private void labelled(String label, String format, Object... values) {
    String text = String.format(Locale.ROOT, format, values);
    String first = String.format("%-" + LABEL_WIDTH + "s", label);
    for (String line : ResultsText.wrapped(text, MAX_WIDTH - LABEL_WIDTH)) {
      lines.add(first + line);
      first = " ".repeat(LABEL_WIDTH);
    }
  }
}
