package dev.weir.bench.cluster;

import com.hazelcast.instance.BuildInfoProvider;
import com.sleepycat.je.JEVersion;
import dev.weir.bench.BenchCommand;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.failover.FailoverScenario;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.floors.FloorsScenario;
import dev.weir.bench.cluster.groups.ProcessorScenario;
import dev.weir.bench.cluster.injection.Kind;
import dev.weir.bench.cluster.processor.ClusteredFactory;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.wiretowire.WireToWireScenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Measures clustered processors; see {@code --help}. */
public final class ClusterBench extends BenchCommand {
  private static final String COMMON_PARALLELISM =
      "java.util.concurrent.ForkJoinPool.common.parallelism";

  // Held, because a logger that nobody holds forgets its level.
  private static final Logger HAZELCAST = Logger.getLogger("com.hazelcast");

  private final ProcessorFactory factory = new ClusteredFactory();

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    prepareJvm();
    System.exit(new ClusterBench().execute(args));
  }

  /**
   * Must be called before anything touches the common pool. With one thread in it, as on two CPUs,
   * Hazelcast's futures start a thread per callback.
   */
  static void prepareJvm() {
    if (System.getProperty(COMMON_PARALLELISM) == null) {
      int cpus = Runtime.getRuntime().availableProcessors();
      System.setProperty(COMMON_PARALLELISM, Integer.toString(Math.max(2, cpus - 1)));
    }
    // A hundred lines for each member that starts.
    HAZELCAST.setLevel(Level.WARNING);
  }

  @Override
  protected String suite() {
    return "cluster-bench";
  }

  @Override
  protected List<Scenario> scenarios() {
    Floors floors = new Floors();
    return List.of(
        new FloorsScenario(floors),
        new WireToWireScenario(factory, floors),
        new ProcessorScenario(),
        new FailoverScenario());
  }

  @Override
  protected Map<String, Callable<Integer>> programs() {
    Map<String, Callable<Integer>> programs = new LinkedHashMap<>();
    programs.put(ProcessorProgram.ES, new ProcessorProgram(Kind.ES, factory));
    programs.put(ProcessorProgram.SR, new ProcessorProgram(Kind.SR, factory));
    return programs;
  }

  @Override
  protected Map<String, String> versions() {
    return Map.of(
        "hazelcast",
        BuildInfoProvider.getBuildInfo().getVersion(),
        "je",
        JEVersion.CURRENT_VERSION.getNumericVersionString());
  }
}
