package dev.weir.bench;

import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import dev.weir.bench.report.RowBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a running scenario may use. For the thread that runs the scenario only. */
public final class RunContext {
  private final String scenario;
  private final RigOptions options;
  private final Progress progress;
  private final Set<String> askedSettings;
  private final List<Row> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  RunContext(String scenario, RigOptions options, Progress progress, Set<String> askedSettings) {
    this.scenario = scenario;
    this.options = options;
    this.progress = progress;
    this.askedSettings = askedSettings;
  }

  /** How long the run may take. */
  public Profile profile() {
    return options.profile();
  }

  /** The directory of the results; it exists. */
  public Path outputDir() {
    return options.outputDir();
  }

  /** The value given for the name with {@code --set NAME=VALUE}, if any. */
  public Optional<String> option(String name) {
    askedSettings.add(name);
    return Optional.ofNullable(options.settings().get(name));
  }

  /** Where to tell how far the work is. */
  public Progress progress() {
    return progress;
  }

  /** Measured rounds after a warm-up, showing progress here. */
  public Rounds rounds(int rounds) {
    return new Rounds(rounds, progress);
  }

  /** A row of this scenario, to be filled, built and {@link #report reported}. */
  public RowBuilder row() {
    return Row.of(scenario);
  }

  /** A row of this scenario that already has the figures and the verdict of the measurement. */
  public RowBuilder row(Measurement measurement) {
    return measurement.addTo(row());
  }

  /**
   * Adds a row to the results.
   *
   * @throws IllegalArgumentException if a row with the same plain fields was reported before
   */
  public void report(Row row) {
    if (!ids.add(row.id())) {
      throw new IllegalArgumentException("two rows have the same plain fields: " + row.fields());
    }
    rows.add(row);
  }

  /**
   * Adds a line of text under the scenario's table, in the output and in the report; long ones are
   * broken, but not those that begin with a blank.
   */
  public void note(String line) {
    notes.add(line);
  }

  List<String> notes() {
    return notes;
  }

  List<Row> rows() {
    return rows;
  }
}
