package dev.weir.bench;

import dev.weir.bench.env.Environment;
import dev.weir.bench.report.BenchmarkReport;
import dev.weir.bench.report.Forks;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.ResultFiles;
import dev.weir.bench.report.Results;
import dev.weir.bench.report.ResultsText;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.ScenarioText;
import dev.weir.bench.verify.Verdict;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Runs scenarios one after another and writes their results: a table after each one, the result
 * files, and the report. A scenario that throws becomes a failed row. For one thread.
 */
public final class Rig {
  private final RigOptions options;
  private final Environment environment;
  private final PrintStream out;
  private final Progress progress;
  private final Set<String> askedSettings = new HashSet<>();

  /** A rig that prints to the stream. */
  public Rig(RigOptions options, Environment environment, PrintStream out, Progress progress) {
    this.options = options;
    this.environment = environment;
    this.out = out;
    this.progress = progress;
  }

  /** What measures the same again, after the scenarios and before results are written. */
  @FunctionalInterface
  interface Further {
    /** The result files of further JVMs. */
    List<Path> run() throws IOException, InterruptedException;
  }

  /** Runs all the scenarios, blocking the caller. */
  public Results run(List<Scenario> scenarios) throws IOException, InterruptedException {
    return run(scenarios, List::of);
  }

  /**
   * Runs all the scenarios and what measures them again, blocking the caller.
   *
   * @return the results as written; {@link Results#ok} is the verdict on the run
   * @throws IOException if results or report could not be written
   * @throws InterruptedException if the thread was interrupted: nothing is written then
   */
  Results run(List<Scenario> scenarios, Further further) throws IOException, InterruptedException {
    ResultFiles files = new ResultFiles(options.outputDir());
    files.prepare();
    Instant startedAt = Instant.now();
    printConfiguration(results(startedAt, List.of()));
    List<Row> rows = new ArrayList<>();
    for (Scenario scenario : scenarios) {
      Scenario.About about = scenario.about();
      RunContext context = new RunContext(about, options, progress, askedSettings);
      long startNs = System.nanoTime();
      List<Row> measured = measure(scenario, context);
      long tookS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
      ScenarioText text = new ScenarioText(about.description(), context.notes());
      print(ResultsText.group(about.name(), text, measured));
      out.println(about.name() + " took " + tookS + " s");
      rows.addAll(measured);
    }
    Forks.merge(rows, further.run());
    Results results = results(startedAt, rows);
    files.write(results);
    publish(results);
    printOutcome(results);
    return results;
  }

  private List<Row> measure(Scenario scenario, RunContext context) throws InterruptedException {
    List<Row> rows = new ArrayList<>();
    try {
      scenario.run(context);
      rows.addAll(context.rows());
      if (rows.isEmpty()) {
        List<String> given = context.given();
        String with = given.isEmpty() ? "" : ": none goes with " + String.join(", ", given);
        rows.add(failed(scenario, "no row was reported" + with));
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception | AssertionError | OutOfMemoryError e) {
      e.printStackTrace(out);
      rows.addAll(context.rows());
      rows.add(failed(scenario, e.toString()));
    }
    return rows;
  }

  private static Row failed(Scenario scenario, String reason) {
    return Row.of(scenario.about().name()).verdict(Verdict.fail(reason));
  }

  private Results results(Instant startedAt, List<Row> rows) {
    return new Results(
        options.suite(),
        options.profile().toString(),
        startedAt,
        environment,
        rows,
        options.template());
  }

  private void publish(Results results) throws IOException {
    if (options.reportFile().isPresent()) {
      Path file = options.reportFile().get();
      new BenchmarkReport(file).publish(results);
      out.println("Published in " + file);
    }
  }

  private void printConfiguration(Results empty) {
    out.println(options.suite() + ", results go to " + options.outputDir());
    options.settings().forEach((name, value) -> out.println("Set: " + name + "=" + value));
    print(ResultsText.header(empty));
  }

  private void printOutcome(Results results) {
    Set<String> unused = new TreeSet<>(options.settings().keySet());
    unused.removeAll(askedSettings);
    if (!unused.isEmpty()) {
      out.println("Warning: no scenario asked for the settings " + unused);
    }
    out.println();
    out.println(
        results.ok()
            ? "OK: " + results.rows().size() + " rows" + doubts(results)
            : "FAIL: " + results.failures().size() + " of " + results.rows().size() + " rows");
  }

  /** How many rows have a verdict that fails nothing, by its name. */
  private static String doubts(Results results) {
    Map<String, Long> byName =
        results.rows().stream()
            .filter(row -> !row.verdict().isOk())
            .collect(
                Collectors.groupingBy(
                    row -> row.verdict().name(), TreeMap::new, Collectors.counting()));
    return byName.isEmpty() ? "" : ", of these " + byName;
  }

  private void print(List<String> lines) {
    lines.forEach(out::println);
  }
}
