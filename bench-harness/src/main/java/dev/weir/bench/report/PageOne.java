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
    page.footer();
    return page.lines;
  }

  private void header() {
    PublishedRun run = runs.get(runs.size() - 1);
    String profiles = distinct("profile", 0);
    lines.add(
        "WEIR BENCHMARK   commit "
            + distinct("environment.gitCommit", HASH_LENGTH)
            + ", "
            + distinct("startedAt", "2026-01-01".length())
            + ", profile "
            + profiles);
    labelled(
        "Machine",
        "%s, %s CPUs, %.0f GiB; %s; %s; JDK %s",
        run.text("environment.cpuModel"),
        run.text("environment.cpus"),
        new PublishedRow(run.json()).number("environment.memoryBytes") / (1L << 30),
        run.text("environment.disk"),
        run.text("environment.os").replaceAll(" \\S+$", ""),
        run.text("environment.jdk"));
    List<PublishedRow> rows = runs.stream().flatMap(one -> one.rows().stream()).toList();
    String verdicts =
        Verdict.names().stream()
            .map(name -> count(rows, name) + " " + name + legend(Placeholders.mark(name)))
            .collect(Collectors.joining(", "));
    labelled("Rows", "%d: %s%s", rows.size(), verdicts, forks(rows));
    labelled(
        "Figures",
        "medians of rounds; (n %%): range over median. Ratios: median (range) of pairs of rounds");
    labelled(
        "Floor", "the same work without Weir, in the same run. docs/benchmarks.md explains ~ ? !");
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
        .sorted(Comparator.comparingInt(asked -> asked.question.number))
        .forEach(
            asked -> {
              Placeholders figures = new Placeholders(asked.run.named());
              String again = asked.question.again;
              String title = asked.question.text;
              lines.add(
                  again.isEmpty()
                      ? title
                      : title + " ".repeat(gap(title, again)) + "[" + again + "]");
              asked.question.lines.forEach(line -> addLine(figures.fill(line)));
            });
  }

  /** Blanks that let what follows a title end at the right edge. */
  private static int gap(String title, String again) {
    return Math.max(1, MAX_WIDTH - title.length() - again.length() - 2);
  }

  private void worse() {
    List<String> found = new ArrayList<>();
    for (PublishedRun run : runs) {
      for (ReportTemplate.Worse worse : run.template().worse) {
        for (PublishedRow row : worse.rows().all(run.rows())) {
          double ratio = row.number(worse.path());
          if (ratio < 1) {
            String text = worse.text();
            for (String field : Row.FIELDS) {
              text = text.replace("{" + field + "}", Figures.text(row.get(field)));
            }
            found.add(String.format(Locale.ROOT, "%s %.2f", text, ratio));
          }
        }
      }
    }
    if (!found.isEmpty()) {
      add("Worse than what you could use instead (times as fast): %s", String.join("; ", found));
    }
  }

  private void footer() {
    add("[module scenario]: again by java -jar MODULE/target/MODULE.jar --scenario SCENARIO");
    add(
        "All: ./mvnw -Pbenchmark verify. Every row: docs/results/%s/."
            + " How to read it: docs/benchmarks.md",
        machineClass);
  }

  /** As the template has it, unless figures have made it too wide. */
  private void addLine(String line) {
    if (line.length() <= MAX_WIDTH) {
      lines.add(line);
    } else {
      lines.addAll(ResultsText.wrapped(line, MAX_WIDTH));
    }
  }

  private void add(String format, Object... values) {
    lines.addAll(ResultsText.wrapped(String.format(Locale.ROOT, format, values), MAX_WIDTH));
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
