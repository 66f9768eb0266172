package dev.weir.bench.report;

import dev.weir.bench.record.LatencySummary;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Fills a {@link Row}. What is not set is left out of the results. Not thread-safe. */
public final class RowBuilder {
  static final String SCENARIO = "scenario";
  static final String ROUNDS = "rounds";

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

  private final Map<String, Object> fields = new HashMap<>();
  private final Map<String, Object> extra = new LinkedHashMap<>();
  private final Set<String> columns = new LinkedHashSet<>();
  private final Map<String, Histogram> histograms = new LinkedHashMap<>();
  private OpsPerSec opsPerSec;
  private LatencySummary latency;
  private Verdict verdict = Verdict.fail("no verdict");

  RowBuilder(String scenario) {
    fields.put(SCENARIO, scenario);
  }

  /** Which of the scenario's cases: the field {@code case}. */
  public RowBuilder caseName(String name) {
    return field("case", name);
  }

  /** Which way through the system. */
  public RowBuilder path(String path) {
    return field("path", path);
  }

  /** Which kind of body. */
  public RowBuilder body(String body) {
    return field("body", body);
  }

  /** What a write waits for. */
  public RowBuilder flush(String flush) {
    return field("flush", flush);
  }

  /** Messages that wait while the row is measured. */
  public RowBuilder backlog(long messages) {
    return field("backlog", messages);
  }

  /** Size of each body in bytes. */
  public RowBuilder payloadBytes(long bytes) {
    return field("payloadBytes", bytes);
  }

  /** Operations outstanding at any time, in a closed loop. */
  public RowBuilder inFlight(long operations) {
    return field("inFlight", operations);
  }

  /** Workers of the system under test. */
  public RowBuilder workers(long count) {
    return field("workers", count);
  }

  /** Measured rounds. */
  public RowBuilder rounds(long count) {
    return field(ROUNDS, count);
  }

  /** Operations sent in one round. */
  public RowBuilder operations(long perRound) {
    return field("operations", perRound);
  }

  private RowBuilder field(String name, Object value) {
    fields.put(name, value);
    return this;
  }

  /** Throughput over the rounds. */
  public RowBuilder opsPerSec(OpsPerSec value) {
    opsPerSec = value;
    return this;
  }

  /** The latency of the row, and its percentile file. */
  public RowBuilder latency(Recording recording) {
    Histogram histogram = recording.histogram();
    histograms.put("", histogram);
    latency = LatencySummary.of(histogram);
    return this;
  }

  /** A further latency: an extra {@code <name>Us} and a percentile file of its own. */
  public RowBuilder latency(String name, Recording recording) {
    Histogram histogram = recording.histogram();
    histograms.put(name, histogram);
    return extra(name + "Us", LatencySummary.of(histogram).toMap());
  }

  /** What has no field: a number, string, boolean, list or map. */
  public RowBuilder extra(String name, Object value) {
    extra.put(name, value);
    return this;
  }

  /** An extra that the text table shows as a column too. */
  public RowBuilder column(String name, Object value) {
    columns.add(name);
    return extra(name, value);
  }

  /** Whether the figures count; a row that is never judged fails. */
  public RowBuilder verdict(Verdict value) {
    verdict = value;
    return this;
  }

  /** Adds a condition to the verdict set before. */
  public RowBuilder and(Verdict further) {
    verdict = verdict.and(further);
    return this;
  }

  /** The row as filled so far. */
  public Row build() {
    Map<String, Object> ordered = new LinkedHashMap<>();
    FIELDS.stream().filter(fields::containsKey).forEach(f -> ordered.put(f, fields.get(f)));
    return new Row(
        Collections.unmodifiableMap(ordered),
        opsPerSec,
        latency,
        Collections.unmodifiableMap(new LinkedHashMap<>(extra)),
        Collections.unmodifiableSet(new LinkedHashSet<>(columns)),
        Collections.unmodifiableMap(new LinkedHashMap<>(histograms)),
        verdict);
  }
}
