package dev.weir.bench.report;

import dev.weir.bench.load.RoundResult;
import dev.weir.bench.report.Chart.Axis;
import dev.weir.bench.report.Chart.Line;
import dev.weir.bench.report.Chart.Scale;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The charts that follow from the rows of a run: of each scenario those that its rows allow. */
final class Charts {
  /** Lines of a chart at most: more cannot be told apart. The table has all rows. */
  static final int MAX_LINES = 8;

  private static final String LOOP = "extra.loop";
  private static final String BYTES = "payloadBytes";
  private static final String PER_SEC = "opsPerSec.median";
  private static final String TARGET = "extra.targetPerSec";
  private static final String PERCENTILES = "percentilesUs";
  private static final String LATENCY = "latencyUs";
  private static final String TIMELINE = "extra." + Row.TIMELINE;
  private static final Axis MICROSECONDS = new Axis("microseconds", Scale.LOGARITHMIC);

  private final String scenario;
  private final List<PublishedRow> rows;
  private final String idPrefix;
  private final List<Chart> charts = new ArrayList<>();

  private Charts(String suite, String scenario, List<PublishedRow> rows) {
    this.scenario = scenario;
    this.rows = rows;
    this.idPrefix = suite + "-" + scenario + "-";
  }

  /** All charts of a run, in the order of its scenarios. */
  static List<Chart> of(PublishedRun run) {
    Map<String, List<PublishedRow>> byScenario =
        run.rows().stream()
            .collect(
                Collectors.groupingBy(
                    row -> String.valueOf(row.get("scenario")),
                    LinkedHashMap::new,
                    Collectors.toList()));
    List<Chart> all = new ArrayList<>();
    byScenario.forEach(
        (scenario, rows) -> {
          Charts charts = new Charts(run.suite(), scenario, rows);
          charts.throughputByPayload();
          charts.latencyAgainstRate();
          charts.percentiles();
          charts.timelines();
          all.addAll(charts.charts);
        });
    return all;
  }

  private void throughputByPayload() {
    List<PublishedRow> chosen =
        rows.stream().filter(row -> !isPaced(row) && has(row, PER_SEC) && has(row, BYTES)).toList();
    List<Line> lines = lines(chosen, BYTES, PER_SEC, BYTES, "");
    add(
        "payload",
        "Throughput by payload",
        "",
        new Axis("bytes of a body", Scale.LOGARITHMIC),
        new Axis("per second", Scale.LOGARITHMIC),
        lines,
        chosen);
  }

  private void latencyAgainstRate() {
    List<PublishedRow> chosen = rows.stream().filter(row -> has(row, TARGET)).toList();
    List<Line> lines =
        Stream.of("p50", "p99")
            .flatMap(
                name -> lines(chosen, TARGET, LATENCY + "." + name, "case", " " + name).stream())
            .toList();
    add(
        "rate",
        "Response times against rate",
        "From the intended send time.",
        new Axis("asked for per second", Scale.LINEAR),
        MICROSECONDS,
        lines,
        chosen);
  }

  private void percentiles() {
    List<PublishedRow> chosen =
        rows.stream()
            .filter(row -> has(row, LATENCY + ".p50") && !RoundResult.CLOSED.equals(row.get(LOOP)))
            .toList();
    Function<PublishedRow, String> names = names(chosen, Set.of());
    List<Line> lines =
        chosen.stream().map(row -> new Line(names.apply(row), percentilesOf(row))).toList();
    add(
        "percentiles",
        "Response times by percentile",
        "A percentile stands here only if ten values are beyond it.",
        new Axis("percentile", Scale.PERCENTILE),
        MICROSECONDS,
        lines,
        chosen);
  }

  /** The curve; of a result file without one, the percentiles of the table. */
  private static List<List<Double>> percentilesOf(PublishedRow row) {
    Object curve = row.get(PERCENTILES) == null ? row.get(LATENCY) : row.get(PERCENTILES);
    List<List<Double>> points = new ArrayList<>();
    ((Map<?, ?>) curve)
        .forEach(
            (name, value) -> {
              if (name.toString().startsWith("p") && value instanceof Number us) {
                double q = Double.parseDouble(name.toString().substring(1)) / 100;
                points.add(List.of(1 / (1 - q), us.doubleValue()));
              }
            });
    return points;
  }

  private void timelines() {
    for (PublishedRow row : rows) {
      if (row.get(TIMELINE + ".replies") instanceof List<?> replies) {
        double slotMs = row.number(TIMELINE + ".slotMs");
        List<List<Double>> points = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
          double count = ((Number) replies.get(i)).doubleValue();
          points.add(List.of(i * slotMs / 1000, count * 1000 / slotMs));
        }
        String name = row.label().substring(scenario.length()).trim();
        add(
            "timeline-" + name.replaceAll("[^A-Za-z0-9]+", "-"),
            "Replies over time: " + name,
            "",
            new Axis("seconds", Scale.LINEAR),
            new Axis("replies per second", Scale.LINEAR),
            List.of(new Line("replies", points), events(row)),
            List.of(row));
      }
    }
  }

  private static Line events(PublishedRow row) {
    List<List<Double>> points = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    for (Object event : (List<?>) row.get(TIMELINE + ".events")) {
      String[] words = event.toString().split(" ", 2);
      points.add(List.of(Double.parseDouble(words[0]), 0.0));
      texts.add(words[1]);
    }
    return new Line("events", points, texts);
  }

  private void add(
      String id,
      String title,
      String about,
      Axis x,
      Axis y,
      List<Line> lines,
      List<PublishedRow> chosen) {
    if (lines.isEmpty()) {
      return;
    }
    String shown =
        lines.size() <= MAX_LINES
            ? about
            : (about + " The chart has the first " + MAX_LINES + " lines, the table all rows.");
    charts.add(
        new Chart(
            idPrefix + id,
            scenario + ": " + title,
            shown.strip(),
            x,
            y,
            lines.subList(0, Math.min(MAX_LINES, lines.size())),
            chosen));
  }

  /**
   * A line for the rows that differ in nothing but x, with its points in rising order. What has one
   * value of x only is no line.
   *
   * @param apart a field that says nothing beyond x
   */
  private static List<Line> lines(
      List<PublishedRow> rows, String x, String y, String apart, String suffix) {
    Function<PublishedRow, String> name =
        names(rows, new LinkedHashSet<>(List.of(BYTES, "inFlight", apart)));
    Map<String, List<List<Double>>> points = new LinkedHashMap<>();
    for (PublishedRow row : rows) {
      if (has(row, x) && has(row, y)) {
        points
            .computeIfAbsent(name.apply(row), key -> new ArrayList<>())
            .add(List.of(row.number(x), row.number(y)));
      }
    }
    return points.entrySet().stream()
        .filter(line -> line.getValue().stream().map(point -> point.get(0)).distinct().count() > 1)
        .map(
            line ->
                new Line(
                    line.getKey() + suffix,
                    line.getValue().stream()
                        .sorted(Comparator.comparingDouble(point -> point.get(0)))
                        .toList()))
        .toList();
  }

  /** Names a row by the fields in which the rows differ. */
  private static Function<PublishedRow, String> names(List<PublishedRow> rows, Set<String> not) {
    Set<String> fields = new LinkedHashSet<>(Row.FIELDS);
    fields.removeAll(Row.COUNTS);
    fields.removeAll(not);
    fields.removeIf(field -> rows.stream().map(row -> row.get(field)).distinct().count() < 2);
    return row ->
        fields.isEmpty()
            ? String.valueOf(row.get("path") == null ? row.get("scenario") : row.get("path"))
            : fields.stream()
                .map(row::get)
                .filter(value -> value != null)
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
  }

  private static boolean isPaced(PublishedRow row) {
    return RoundResult.OPEN.equals(row.get(LOOP));
  }

  private static boolean has(PublishedRow row, String path) {
    return !Double.isNaN(row.number(path));
  }
}
