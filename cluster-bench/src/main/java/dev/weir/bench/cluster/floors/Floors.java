package dev.weir.bench.cluster.floors;

import com.hazelcast.instance.BuildInfoProvider;
import com.sleepycat.je.JEVersion;
import dev.weir.bench.record.Recording;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** The median latencies of the floors of a run, for comparison. Not thread-safe. */
public final class Floors {
  public static final String TCP_SPINNING = "tcp spinning-paced";
  public static final String TCP_BLOCKING = "tcp blocking-paced";
  public static final String HAZELCAST = "hazelcast entry-processor-paced";

  private final Map<String, Double> p50Us = new HashMap<>();

  void put(String name, Recording recording) {
    p50Us.put(name, recording.summary().p50Us());
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
