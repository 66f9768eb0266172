package dev.weir.bench.report;

import dev.weir.bench.load.Pace;
import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * One row of the results. Its plain fields are its identity; the rest are figures. What is not set
 * is left out of the results. Not thread-safe.
 */
public final class Row {
  static final String SCENARIO = "scenario";
  private static final String ROUNDS = "rounds";

  /** Extra: minimum, median, maximum and rounds of each {@link #ratio}. */
  static final String RATIOS = "ratios";

  /** Extra: what happened over time. */
  static final String TIMELINE = "timeline";

  /** The plain fields in the order of the result format. */
  static final List<String> FIELDS =
      List.of(
          SCENARIO,
          "case",
          "path",
          "body",
          "flush",
          "backlog",
          "payloadBytes",
          "inFlight",
          "workers",
          ROUNDS,
          "operations");

  /** Of these, the counts of a run, which do not tell one row from another for a reader. */
  static final List<String> COUNTS = List.of(ROUNDS, "operations");

  private final Map<String, Object> fields = new TreeMap<>(Comparator.comparing(FIELDS::indexOf));
  private final Map<String, Object> extra = new LinkedHashMap<>();
  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<String, Object> ratios = new LinkedHashMap<>();
  private final Map<String, Spread> ratioSpreads = new LinkedHashMap<>();
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private Spread opsPerSec;
  private Spread cpuUs;
  private LatencySummary latency;
  private List<LatencySummary> latencies = List.of();
  private Object turns;
  private Verdict verdict = Verdict.fail("no verdict");

  private Row(String scenario) {
    fields.put(SCENARIO, scenario);
  }

  /** A row of the scenario, to be filled. */
  public static Row of(String scenario) {
    return new Row(scenario);
  }

  /** Which of the scenario's cases: the field {@code case}. */
  public Row caseName(String name) {
    return field("case", name);
  }

  /** Which way through the system. */
  public Row path(String path) {
    return field("path", path);
  }

  /** Which kind of body. */
  public Row body(String body) {
    return field("body", body);
  }

  /** What a write waits for. */
  public Row flush(String flush) {
    return field("flush", flush);
  }

  /** Messages that wait while the row is measured. */
  public Row backlog(long messages) {
    return field("backlog", messages);
  }

  /** Size of each body in bytes. */
  public Row payloadBytes(long bytes) {
    return field("payloadBytes", bytes);
  }

  /** Operations outstanding at any time, in a closed loop. */
  public Row inFlight(long operations) {
    return field("inFlight", operations);
  }

  /** Workers of the system under test. */
  public Row workers(long count) {
    return field("workers", count);
  }

  /** Measured rounds. */
  public Row rounds(long count) {
    return field(ROUNDS, count);
  }

  /** Operations sent in one round. */
  public Row operations(long perRound) {
    return field("operations", perRound);
  }

  private Row field(String name, Object value) {
    fields.put(name, value);
    return this;
  }

  /** Throughput over the rounds; null for none. */
  public Row opsPerSec(Spread value) {
    opsPerSec = value;
    return this;
  }

  /** CPU time for an operation, in microseconds, of the threads that do the measured work. */
  public Row cpuUs(Spread perOperation) {
    cpuUs = perOperation;
    return column("cpu us", perOperation.median()).extra("cpuUs", perOperation.toMap());
  }

  /** CPU time for an operation, or null. */
  Spread cpuUs() {
    return cpuUs;
  }

  /** The latency of the row, and its percentile file. */
  public Row latency(Recording recording) {
    Histogram histogram = recording.histogram();
    histograms.put("", histogram);
    latency = LatencySummary.of(histogram).reportable();
    return this;
  }

  /** The latency of the row over several JVMs; its percentile file stays as it is. */
  void latency(LatencySummary value) {
    latency = value;
  }

  /** A further latency: an extra {@code <name>Us} and a percentile file of its own. */
  public Row latency(String name, Recording recording) {
    Histogram histogram = recording.histogram();
    histograms.put(name, histogram);
    return extra(name + "Us", LatencySummary.of(histogram).reportable().toMap());
  }

  /**
   * How its rounds were measured.
   *
   * @param shared the same object for all rows whose rounds took turns
   * @param ofRounds the percentiles of each round; empty without response times
   */
  public Row turns(Object shared, List<LatencySummary> ofRounds) {
    turns = shared;
    latencies = ofRounds;
    return this;
  }

  /** Whether each of its rounds was measured beside one of the other row. */
  boolean tookTurnsWith(Row other) {
    return turns != null && turns == other.turns;
  }

  /** A percentile of each round; null without response times, or with too few of them. */
  Spread latencies(ToDoubleFunction<LatencySummary> percentile) {
    double[] perRound = latencies.stream().mapToDouble(percentile).toArray();
    boolean known = perRound.length > 0 && Arrays.stream(perRound).allMatch(Double::isFinite);
    return known ? Spread.of(perRound) : null;
  }

  /** What has no field: a number, string, boolean, list or map. */
  public Row extra(String name, Object value) {
    extra.put(name, value);
    return this;
  }

  /**
   * What happened over time, for a chart.
   *
   * @param slotMs the time that each count covers
   * @param counts replies in each slot from the start on
   * @param events each with its seconds since the start, then a blank
   */
  public Row timeline(long slotMs, int[] counts, List<String> events) {
    Map<String, Object> timeline = new LinkedHashMap<>();
    timeline.put("slotMs", slotMs);
    timeline.put("replies", Arrays.stream(counts).boxed().toList());
    timeline.put("events", events);
    return extra(TIMELINE, timeline);
  }

  /** How an open loop kept its rate. */
  public Row pace(Pace pace) {
    return extra("targetPerSec", pace.targetPerSec())
        .extra("sentPerSec", pace.sentPerSec())
        .extra("maxSendLagUs", pace.maxLagNs() / 1000.0);
  }

  /** All entries of the map as extras. */
  public Row extras(Map<String, ?> values) {
    extra.putAll(values);
    return this;
  }

  /** An extra without which the row misleads: the text table always shows it as a column. */
  public Row column(String name, Object value) {
    columns.add(name);
    return extra(name, value);
  }

  /** A ratio taken round by round: a column with the median, and its range as an extra. */
  public Row ratio(String name, Spread perRound) {
    ratios.put(name, perRound.toMap());
    ratioSpreads.put(name, perRound);
    return column(name, perRound.median()).extra(RATIOS, ratios);
  }

  /** The ratio of this name; null if there is none that was taken round by round. */
  Spread ratio(String name) {
    return ratioSpreads.get(name);
  }

  /**
   * Compares with a row that does the same work without the system under test: round by round, and
   * the ratio is the median, if both are of the same {@code Rounds}; otherwise by the medians. A
   * ratio that is better than physics allows makes the row SUSPECT. Call it when both rows have
   * their figures.
   *
   * @param column the name of the ratio of throughputs; that of the CPU times has {@code Cpu}
   *     behind it; response times have {@code xp50} and others
   */
  public Row over(Row floor, String column) {
    new FloorRatio(this, floor).addTo(column);
    return this;
  }

  /** Adds the doubts about the figures to the verdict, once, when the row is complete. */
  public Row doubted() {
    return and(Doubts.about(this));
  }

  /** Case and path, for messages. */
  String label() {
    return Stream.of("case", "path")
        .map(fields::get)
        .filter(Objects::nonNull)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }

  /** Whether the figures count; a row that is never judged fails. */
  public Row verdict(Verdict value) {
    verdict = value;
    return this;
  }

  /** Adds a condition to the verdict set before. */
  public Row and(Verdict further) {
    verdict = verdict.and(further);
    return this;
  }

  /** The plain fields that are set, in the order of the result format. */
  public Map<String, Object> fields() {
    return Collections.unmodifiableMap(fields);
  }

  /** Name of the scenario. */
  public String scenario() {
    return fields.get(SCENARIO).toString();
  }

  /** A figure of the throughput; null if the row has none. */
  public Double opsPerSec(ToDoubleFunction<Spread> figure) {
    return opsPerSec == null ? null : Double.valueOf(figure.applyAsDouble(opsPerSec));
  }

  /** A figure of the latency; null if the row has none, or too few values for it. */
  public Double latency(ToDoubleFunction<LatencySummary> figure) {
    double value = latency == null ? Double.NaN : figure.applyAsDouble(latency);
    return Double.isNaN(value) ? null : Double.valueOf(value);
  }

  /** Throughput, or null. */
  public Spread opsPerSec() {
    return opsPerSec;
  }

  /** Latency, or null. */
  public LatencySummary latency() {
    return latency;
  }

  /** What has no field of its own. */
  public Map<String, Object> extra() {
    return Collections.unmodifiableMap(extra);
  }

  /** Names of the extras that are columns of the text table. */
  Set<String> columns() {
    return columns;
  }

  /** Raw latencies in nanoseconds by name; the one named {@code ""} is {@link #latency()}. */
  Map<String, Histogram> histograms() {
    return histograms;
  }

  /** Whether the figures count. */
  public Verdict verdict() {
    return verdict;
  }

  /** The plain fields, but for the rounds, as a file name; numbers carry their field's name. */
  public String id() {
    return fields.entrySet().stream()
        .filter(field -> !field.getKey().equals(ROUNDS))
        .map(field -> part(field.getKey(), field.getValue()))
        .collect(Collectors.joining("_"));
  }

  private static String part(String name, Object value) {
    String text = value instanceof Number ? name + value : value.toString();
    return text.replaceAll("[^A-Za-z0-9.-]+", "-");
  }
}
