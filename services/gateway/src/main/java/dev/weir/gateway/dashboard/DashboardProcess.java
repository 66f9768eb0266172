package dev.weir.gateway.dashboard;

import io.vertx.core.json.JsonObject;
import java.util.Map;
import java.util.Set;

/** The figures of the process and its JVM, as Micrometer's binders have them. */
final class DashboardProcess {
  /** What is shown of these: of a timer the time in all, s. */
  static final Set<String> METERS =
      Set.of(
          "jvm.memory.used",
          "jvm.memory.max",
          "jvm.threads.live",
          "jvm.gc.pause",
          "process.cpu.usage");

  private static final String HEAP = "heap";
  private static final String OFF_HEAP = "nonheap";

  /** Stands for the process among the services; no service has such an address. */
  private static final String PROCESS = "\0process";

  private DashboardProcess() {}

  /**
   * @param rates from one snapshot to the next
   */
  static JsonObject json(DashboardFigures figures, DashboardRates rates) {
    double pausedS = figures.sum("jvm.gc.pause").doubleValue();
    JsonObject perSecond = rates.of(PROCESS, Map.of("paused", pausedS));
    return new JsonObject()
        .put("heapUsedBytes", figures.sum("jvm.memory.used", HEAP))
        .put("heapMaxBytes", figures.sum("jvm.memory.max", HEAP))
        .put("otherUsedBytes", figures.sum("jvm.memory.used", OFF_HEAP))
        .put("pausedForGc", perSecond == null ? null : perSecond.getDouble("paused"))
        .put("cpu", figures.sum("process.cpu.usage"))
        .put("threads", figures.sum("jvm.threads.live"));
  }
}
