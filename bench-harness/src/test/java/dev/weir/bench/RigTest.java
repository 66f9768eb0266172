package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.env.Environment;
import dev.weir.bench.load.ClosedLoop;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.NoOpTarget;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Results;
import dev.weir.bench.report.Row;
import dev.weir.bench.verify.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RigTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private Path report;
  private RigOptions options;

  @BeforeEach
  void setUp() {
    report = directory.resolve("BENCHMARK.txt");
    options =
        RigOptions.of("some-bench", Profile.QUICK, directory.resolve("out"))
            .settings(Map.of("scale", "0.001"));
  }

  private Results run(Scenario... scenarios) throws IOException, InterruptedException {
    Environment environment = Environment.capture(directory, Map.of());
    PrintStream out = new PrintStream(printed, true);
    return new Rig(options, environment, out, Progress.NONE).run(List.of(scenarios));
  }

  @Test
  void runsAMeasurementFromEndToEndWithoutAnySystem() throws Exception {
    Load load = Load.of(1_000);
    Scenario scenario =
        new FakeScenario(
            "loop",
            context -> {
              Measurement measurement =
                  context
                      .rounds(2)
                      .measure(
                          "loop",
                          () -> new ClosedLoop(new NoOpTarget(), load, 8).run(Runnable::run));
              context.report(context.row(measurement).inFlight(8));
            });
    Results results = run(scenario);
    assertThat(results.ok()).isTrue();
    Row row = results.rows().get(0);
    assertThat(row.fields())
        .containsExactly(
            Map.entry("scenario", "loop"),
            Map.entry("inFlight", 8L),
            Map.entry("rounds", 2L),
            Map.entry("operations", 1_000L));
    assertThat(row.opsPerSec().min()).isPositive();
    assertThat(directory.resolve("out/results.json")).content().contains("\"loop\"");
    assertThat(printed.toString())
        .contains("loop: says loop")
        .containsPattern("loop took \\d+ s")
        .contains("OK: 1 rows");
  }

  @Test
  void aScenarioThatThrowsBecomesAFailedRowAndTheRunGoesOn() throws Exception {
    Scenario broken =
        new FakeScenario(
            "broken",
            context -> {
              throw new IllegalStateException("no disk");
            });
    Results results = run(broken, FakeScenario.withVerdict("good", Verdict.ok()));
    assertThat(results.rows())
        .extracting(row -> row.scenario() + " " + row.verdict())
        .containsExactly("broken FAIL: java.lang.IllegalStateException: no disk", "good OK");
    assertThat(results.ok()).isFalse();
    assertThat(printed.toString()).contains("FAIL: 1 of 2 rows");
  }

  @Test
  void aScenarioWithoutRowsHasFailed() throws Exception {
    Results results = run(new FakeScenario("silent", context -> {}));
    assertThat(results.rows().get(0).verdict()).hasToString("FAIL: no row was reported");
  }

  @Test
  void aScenarioThatHasNothingForASettingNamesIt() throws Exception {
    options = options.settings(Map.of("bytes", "71", "other", "1"));
    Results results = run(new FakeScenario("silent", context -> context.option("bytes")));
    assertThat(results.rows().get(0).verdict())
        .hasToString("FAIL: no row was reported: none goes with bytes=71");
  }

  @Test
  void twoRowsOfTheSameIdentityFail() throws Exception {
    Scenario twice =
        new FakeScenario(
            "twice",
            context -> {
              context.report(context.row().verdict(Verdict.ok()));
              context.report(context.row().verdict(Verdict.ok()));
            });
    assertThat(run(twice).rows()).hasSize(2);
    assertThat(run(twice).rows().get(1).verdict().toString())
        .contains("two rows have the same plain fields");
  }

  @Test
  void publishesItsResultsOnlyWhenAsked() throws Exception {
    run(FakeScenario.withVerdict("a", Verdict.ok()));
    assertThat(report).doesNotExist();
    options = options.publishTo(report);
    run(FakeScenario.withVerdict("a", Verdict.ok()));
    assertThat(report).content().contains("WEIR BENCHMARK", "1: 1 OK, 0 FAIL", "=== some-bench");
    assertThat(directory.resolve("docs/results"))
        .isDirectoryRecursivelyContaining("glob:**/some-bench.json")
        .isDirectoryRecursivelyContaining("glob:**/some-bench.csv");
  }

  @Test
  void warnsOfSettingsThatNobodyAskedFor() throws Exception {
    options = options.settings(Map.of("rate", "5", "raet", "6"));
    run(
        new FakeScenario(
            "a",
            context -> {
              String rate = context.option("rate").orElseThrow();
              context.report(context.row().extra("rate", rate).verdict(Verdict.ok()));
            }));
    assertThat(printed.toString()).contains("Warning: no scenario asked for the settings [raet]");
  }
}
