package dev.weir.bench.report;

import dev.weir.bench.env.Environment;
import java.time.Instant;
import java.util.List;

/**
 * The results of a run.
 *
 * @param suite name of the module
 * @param profile {@code quick} or {@code full}
 * @param startedAt when the run began
 */
public record Results(
    String suite, String profile, Instant startedAt, Environment environment, List<Row> rows) {

  /** Copies the rows. */
  public Results {
    rows = List.copyOf(rows);
  }

  /** Whether there are rows and each verdict is OK. */
  public boolean ok() {
    return !rows.isEmpty() && failures().isEmpty();
  }

  /** The rows whose verdict is not OK. */
  public List<Row> failures() {
    return rows.stream().filter(row -> !row.verdict().isOk()).toList();
  }
}
