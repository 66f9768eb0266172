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
 * @param template what the module shows in the report, by line; may be empty
 */
public record Results(
    String suite,
    String profile,
    Instant startedAt,
    Environment environment,
    List<Row> rows,
    List<String> template) {

  /** Copies the lists. */
  public Results {
    rows = List.copyOf(rows);
    template = List.copyOf(template);
  }

  /** Whether there are rows and none has failed. */
  public boolean ok() {
    return !rows.isEmpty() && failures().isEmpty();
  }

  /** The rows whose verdict is a failure. */
  public List<Row> failures() {
    return rows.stream().filter(row -> row.verdict().failed()).toList();
  }
}
