package dev.weir.bench.cluster;

import dev.weir.bench.BenchCommand;
import dev.weir.bench.Scenario;
import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.documents.ReplicatedDocumentsScenario;
import dev.weir.bench.cluster.failover.FailoverScenario;
import dev.weir.bench.cluster.floors.Floors;
import dev.weir.bench.cluster.floors.FloorsScenario;
import dev.weir.bench.cluster.groups.ProcessorScenario;
import dev.weir.bench.cluster.processor.ProcessorFactory;
import dev.weir.bench.cluster.processor.ProcessorStarter;
import dev.weir.bench.cluster.program.ProcessorProgram;
import dev.weir.bench.cluster.shards.BusScenario;
import dev.weir.bench.cluster.shards.RebalanceScenario;
import dev.weir.bench.cluster.shards.UpgradeScenario;
import dev.weir.bench.cluster.wiretowire.WireToWireScenario;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** The command {@code cluster-bench}, which measures clustered processors; see {@code --help}. */
public final class ClusterBench extends BenchCommand {
  private final ProcessorFactory factory = ProcessorStarter::open;

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    JvmDefaults.apply();
    System.exit(new ClusterBench().execute(args));
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
        new ReplicatedDocumentsScenario(),
        new BusScenario(),
        new FailoverScenario(),
        new RebalanceScenario(),
        new UpgradeScenario());
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
    return Floors.versions();
  }
}
