package dev.weir.bench;

import dev.weir.bench.program.DataDirectory;
import dev.weir.bench.report.Progress;
import dev.weir.bench.report.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What a running scenario may use. For the thread that runs the scenario only.
 *
 * <p>A user may multiply the operation counts of all scenarios with {@code --set scale=FACTOR}, or
 * with the system property {@value RigOptions#SCALE_PROPERTY}. A run with a factor other than 1
 * proves that everything works; its figures mean nothing, and each of its rows states the factor.
 */
public final class RunContext {
  /** The least time that a row is measured, in milliseconds. */
  static final long ROW_MS = 2_000;

  /**
   * Rounds of a row that is compared with another one. If rounds differ by chance alone, the median
   * of a second run is within the range of the first in 97 of 100 runs; with 3 rounds in 60.
   */
  public static final int ROUNDS = 9;

  /** Of these, what each JVM runs at least where several share them. */
  private static final int LEAST_ROUNDS = 3;

  /** The least time that a round of a row of page one takes, in the quick and the full profile. */
  private static final long QUICK_HEADLINE_ROUND_MS = 300;

  private static final long FULL_HEADLINE_ROUND_MS = 1_000;

  /** The name of the factor among the settings. */
  static final String SCALE = "scale";

  private static final double MAX_SCALE = 1000;

  private final String scenario;
  private final int sharedBy;
  private final RigOptions options;
  private final Progress progress;
  private final Set<String> askedSettings;

  /** What this scenario asked for, in that order. */
  private final Set<String> asked = new LinkedHashSet<>();

  private final List<Row> rows = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  RunContext(
      Scenario.About about, RigOptions options, Progress progress, Set<String> askedSettings) {
    this.scenario = about.name();
    this.sharedBy = about.isHeadline() ? options.forks() : 1;
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
    asked.add(name);
    return Optional.ofNullable(options.settings().get(name));
  }

  /**
   * The same for a name that takes one of some values, as text.
   *
   * @throws IllegalArgumentException if another value was given
   */
  public Optional<String> option(String name, Collection<?> allowed) {
    return option(name).map(value -> checked(name, value, allowed));
  }

  /**
   * The values given for the name as a list with commas, or the default list.
   *
   * @throws IllegalArgumentException if one of them is not allowed
   */
  public List<String> options(String name, String byDefault, Collection<?> allowed) {
    List<String> values = List.of(option(name).orElse(byDefault).split(","));
    values.forEach(value -> checked(name, value, allowed));
    return values;
  }

  /**
   * The number given for the name, or the default.
   *
   * @throws IllegalArgumentException if it is no whole number or out of range
   */
  public long number(String name, long byDefault, long least, long most) {
    String value = option(name).orElse(Long.toString(byDefault));
    boolean fits = value.matches("[0-9]{1,18}");
    if (!fits || Long.parseLong(value) < least || Long.parseLong(value) > most) {
      throw notAllowed(name, value, least + " to " + most);
    }
    return Long.parseLong(value);
  }

  private static String checked(String name, String value, Collection<?> allowed) {
    List<String> texts = allowed.stream().map(Object::toString).distinct().toList();
    if (!texts.contains(value)) {
      throw notAllowed(name, value, "one of " + texts);
    }
    return value;
  }

  private static IllegalArgumentException notAllowed(String name, String value, String allowed) {
    return new IllegalArgumentException(name + " is " + value + ", allowed is " + allowed);
  }

  /** The listener for the progress of the scenario. */
  public Progress progress() {
    return progress;
  }

  /**
   * So many measured rounds after a warm-up, in all at least {@link #ROW_MS}, showing progress
   * here.
   */
  public Rounds rounds(int rounds) {
    return rounds(rounds, ROW_MS / rounds);
  }

  /**
   * {@link #ROUNDS} rounds for rows that are compared, in all at least {@link #ROW_MS} a row. Where
   * several JVMs measure the scenario, they share the rounds.
   */
  public Rounds rounds() {
    return rounds(ofThisJvm(), ROW_MS / ROUNDS);
  }

  /**
   * {@link #ROUNDS} rounds of this JVM for rows that {@linkplain #isFirstJvm} it alone measures.
   */
  public Rounds ownRounds() {
    return rounds(ROUNDS);
  }

  /**
   * Whether this is the first of the JVMs that share the rounds of the scenario. The others may
   * leave out rows that are not on page one.
   */
  public boolean isFirstJvm() {
    return options.jvm() == 1;
  }

  /** Shared rounds for rows of page one, which are measured longer. */
  public Rounds headlineRounds() {
    return rounds(ofThisJvm(), profile().pick(QUICK_HEADLINE_ROUND_MS, FULL_HEADLINE_ROUND_MS));
  }

  private int ofThisJvm() {
    return Math.max(LEAST_ROUNDS, (ROUNDS + sharedBy - 1) / sharedBy);
  }

  private Rounds rounds(int rounds, long leastMs) {
    long scaledMs = Math.round(leastMs * Math.min(1, scale()));
    return new Rounds(rounds, progress).lasting(Duration.ofMillis(scaledMs));
  }

  private double scale() {
    double scale = option(SCALE).map(Double::parseDouble).orElse(1.0);
    if (!(scale > 0 && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(
          SCALE + " is " + scale + ", allowed is above 0 and up to " + MAX_SCALE);
    }
    return scale;
  }

  /** The count of operations, multiplied by the scale; at least 1. */
  public long scaled(long count) {
    return Math.max(1, Math.round(count * scale()));
  }

  /** The count of the profile, multiplied by the scale; at least 1. */
  public long scaled(long quick, long full) {
    return scaled(profile().pick(quick, full));
  }

  /** The operations of so many seconds at a rate, scaled; at least those of half a second. */
  public long paced(int ratePerSec, double seconds) {
    return Math.max(ratePerSec / 2, scaled(Math.round(ratePerSec * seconds)));
  }

  /**
   * Repeats the work until the JIT compilers are idle, in so many passes at most; in one pass with
   * a scale below 1.
   */
  public Preheat.Outcome preheat(int mostPasses, Preheat.Pass pass) throws Exception {
    return new Preheat(passes(mostPasses)).run(scenario + " preheat", progress, pass);
  }

  /** The same for work in several JVMs, whose compilers have worked so long in sum. */
  public Preheat.Outcome preheat(int mostPasses, LongSupplier compiledMs, Preheat.Pass pass)
      throws Exception {
    return new Preheat(passes(mostPasses), compiledMs).run(scenario + " preheat", progress, pass);
  }

  /** A run that is scaled down has no figures to preheat for. */
  private int passes(int mostPasses) {
    return scale() < 1 ? 1 : mostPasses;
  }

  /** A new directory in that of the results, so on the same disk; the caller closes it. */
  public DataDirectory dataDirectory() throws IOException {
    return DataDirectory.in(outputDir());
  }

  /** A row of this scenario, to be filled, built and {@link #report reported}. */
  public Row row() {
    double scale = scale();
    return scale == 1 ? Row.of(scenario) : Row.of(scenario).column(SCALE, scale);
  }

  /** A row of this scenario that already has the figures and the verdict of the measurement. */
  public Row row(Measurement measurement) {
    return measurement.addTo(row());
  }

  /**
   * Adds a complete row to the results, with the doubts about its figures.
   *
   * @throws IllegalArgumentException if a row with the same plain fields was reported before
   */
  public void report(Row row) {
    if (!ids.add(row.id())) {
      throw new IllegalArgumentException("two rows have the same plain fields: " + row.fields());
    }
    rows.add(row.doubted());
  }

  /**
   * Adds a line of text under the scenario's table, in the output and in the report; long ones are
   * broken, but not those that begin with a blank.
   */
  public void note(String line) {
    notes.add(line);
  }

  /** The settings that this scenario asked for and that were given, as {@code NAME=VALUE}. */
  List<String> given() {
    return asked.stream()
        .filter(options.settings()::containsKey)
        .map(name -> name + "=" + options.settings().get(name))
        .toList();
  }

  List<String> notes() {
    return notes;
  }

  List<Row> rows() {
    return rows;
  }
}
