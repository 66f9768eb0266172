package dev.weir.bench.cluster.floors;

import com.hazelcast.instance.BuildInfoProvider;
import com.sleepycat.je.JEVersion;
import dev.weir.bench.Measurement;
import dev.weir.bench.Rounds;
import dev.weir.bench.RunContext;
import dev.weir.bench.record.Recording;
import dev.weir.bench.report.Row;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The rows of the floors of a run, for comparison. Not thread-safe. */
public final class Floors {
  public static final String TCP_SPINNING = "tcp spinning-paced";
  public static final String TCP_BLOCKING = "tcp blocking-paced";
  public static final String HAZELCAST = "hazelcast entry-processor-paced";
  public static final String JE_PACKED = "je append-packed";

  static final int ROUNDS = 3;

  /** As warm as the processors that are compared with the floors. */
  static final int PREHEAT_PASSES = 10;

  private final Map<String, Row> rows = new HashMap<>();

  /** Measures a floor, keeps its row, and returns it for the caller to complete. */
  Row measure(
      RunContext context, String caseName, String path, Recording recording, Rounds.Round round)
      throws Exception {
    String name = caseName + " " + path;
    context.preheat(PREHEAT_PASSES, round::run);
    Measurement measurement = context.rounds(ROUNDS).recording(recording).measure(name, round);
    Row row = context.row(measurement).caseName(caseName).path(path);
    rows.put(name, row);
    return row;
  }

  /** Versions of what the floors measure, by name. */
  public static Map<String, String> versions() {
    return Map.of(
        "hazelcast",
        BuildInfoProvider.getBuildInfo().getVersion(),
        "je",
        JEVersion.CURRENT_VERSION.getNumericVersionString());
  }

  /** The row of the floor; empty if the run has no such floor. */
  public Optional<Row> row(String name) {
    return Optional.ofNullable(rows.get(name));
  }
}
