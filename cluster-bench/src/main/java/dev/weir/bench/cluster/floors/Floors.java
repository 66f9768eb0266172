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
import java.util.OptionalDouble;

/** The median latencies of the floors of a run, for comparison. Not thread-safe. */
public final class Floors {
  public static final String TCP_SPINNING = "tcp spinning-paced";
  public static final String TCP_BLOCKING = "tcp blocking-paced";
  public static final String HAZELCAST = "hazelcast entry-processor-paced";

  private static final int ROUNDS = 3;

  private final Map<String, Double> p50Us = new HashMap<>();

  /** Measures a floor, keeps its median, and returns its row for the caller to complete. */
  Row measure(
      RunContext context, String caseName, String path, Recording recording, Rounds.Round round)
      throws Exception {
    String name = caseName + " " + path;
    Measurement measurement = context.rounds(ROUNDS).recording(recording).measure(name, round);
    p50Us.put(name, recording.summary().p50Us());
    return context.row(measurement).caseName(caseName).path(path);
  }

  /** Versions of what the floors measure, by name. */
  public static Map<String, String> versions() {
    return Map.of(
        "hazelcast",
        BuildInfoProvider.getBuildInfo().getVersion(),
        "je",
        JEVersion.CURRENT_VERSION.getNumericVersionString());
  }

  /** The median latency in microseconds; empty if the run has no such floor. */
  public OptionalDouble p50Us(String name) {
    Double value = p50Us.get(name);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
