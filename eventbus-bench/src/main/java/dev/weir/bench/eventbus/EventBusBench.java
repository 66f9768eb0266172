package dev.weir.bench.eventbus;

import com.sleepycat.je.JEVersion;
import dev.weir.bench.BenchCommand;
import dev.weir.bench.Scenario;
import dev.weir.bench.eventbus.durable.BacklogScenario;
import dev.weir.bench.eventbus.durable.DurableSendScenario;
import dev.weir.bench.eventbus.http.HttpLatencyScenario;
import dev.weir.bench.eventbus.http.HttpScenario;
import dev.weir.bench.eventbus.http.OutsideHttpScenario;
import dev.weir.bench.eventbus.latency.LatencyScenario;
import dev.weir.bench.eventbus.latency.ProbeScenario;
import dev.weir.bench.eventbus.metrics.MetricsScenario;
import dev.weir.bench.eventbus.rpc.RpcScenario;
import dev.weir.bench.eventbus.start.StartScenario;
import io.vertx.core.internal.VertxInternal;
import java.util.List;
import java.util.Map;

/** Measures Weir's services on the local event bus; see {@code --help}. */
public final class EventBusBench extends BenchCommand {

  /** Runs the command and ends the JVM with its exit code. */
  public static void main(String[] args) {
    System.exit(new EventBusBench().execute(args));
  }

  @Override
  protected String suite() {
    return "eventbus-bench";
  }

  @Override
  protected List<Scenario> scenarios() {
    return List.of(
        new RpcScenario(),
        new DurableSendScenario(),
        new ProbeScenario(),
        new LatencyScenario(),
        new BacklogScenario(),
        new MetricsScenario(),
        new OutsideHttpScenario(),
        new HttpScenario(),
        new HttpLatencyScenario(),
        new StartScenario());
  }

  @Override
  protected Map<String, String> versions() {
    return Map.of(
        "vertx",
        VertxInternal.version(),
        "je",
        JEVersion.CURRENT_VERSION.getNumericVersionString());
  }
}
