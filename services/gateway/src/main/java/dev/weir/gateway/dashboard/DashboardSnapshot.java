package dev.weir.gateway.dashboard;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.gateway.cluster.ClusterJson;
import dev.weir.gateway.metrics.GroupWords;
import dev.weir.gateway.metrics.LatencySnapshot;
import dev.weir.gateway.metrics.Metric;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the dashboard shows at one moment: the figures of {@code /metrics}, from the same registry.
 * One thread at a time.
 */
final class DashboardSnapshot {
  private static final Logger LOG = LoggerFactory.getLogger(DashboardSnapshot.class);
  private static final Map<String, Metric> SERVICE_FIGURES = new LinkedHashMap<>();
  private static final Map<String, Metric> RATES =
      Map.of(
          "accepted", SERVICE_ACCEPTED, "completed", SERVICE_COMPLETED, "failed", SERVICE_FAILED);
  private static final Map<String, Metric> GROUP_FIGURES =
      Map.of(
          "epoch", GROUP_EPOCH,
          "inSync", GROUP_IN_SYNC,
          "minInSync", GROUP_MIN_IN_SYNC,
          "members", GROUP_MEMBERS,
          "lag", GROUP_LAG);

  static {
    SERVICE_FIGURES.put("workers", SERVICE_WORKERS);
    SERVICE_FIGURES.put("busyWorkers", SERVICE_WORKERS_BUSY);
    SERVICE_FIGURES.put("waitingInMemory", SERVICE_MEMORY_MESSAGES);
    SERVICE_FIGURES.put("waitingInMemoryBytes", SERVICE_MEMORY_BYTES);
    SERVICE_FIGURES.put("memoryLimitMessages", SERVICE_MEMORY_LIMIT_MESSAGES);
    SERVICE_FIGURES.put("waitingOnDisk", SERVICE_DISK_MESSAGES);
    SERVICE_FIGURES.put("waitingOnDiskBytes", SERVICE_DISK_BYTES);
    SERVICE_FIGURES.put("diskLimitBytes", SERVICE_DISK_LIMIT_BYTES);
    SERVICE_FIGURES.put("scheduled", SERVICE_SCHEDULED);
    SERVICE_FIGURES.put("accepted", SERVICE_ACCEPTED);
    SERVICE_FIGURES.put("completed", SERVICE_COMPLETED);
    SERVICE_FIGURES.put("failed", SERVICE_FAILED);
    SERVICE_FIGURES.put("retried", SERVICE_RETRIED);
    SERVICE_FIGURES.put("rejected", SERVICE_REJECTED);
    SERVICE_FIGURES.put("dropped", SERVICE_DROPPED);
    SERVICE_FIGURES.put("deadLetters", SERVICE_DEAD_LETTERS);
  }

  /** Between these bounds percentiles are known. */
  private static final JsonObject LATENCY_MS =
      new JsonObject()
          .put("least", LatencySnapshot.LEAST_NS / 1e6)
          .put("most", LatencySnapshot.MOST_NS / 1e6);

  /** Stands for the gateway among the services; no service has an empty address. */
  private static final String GATEWAY = "";

  private final Metrics metrics;
  private final ClusterJson cluster;

  /** Logged once, not every second. */
  private boolean clusterFailed;

  private final DashboardRates rates = new DashboardRates();
  private final Map<String, DashboardLatency> waited = new HashMap<>();
  private final Map<String, DashboardLatency> handled = new HashMap<>();

  DashboardSnapshot(Metrics metrics, ClusterJson cluster) {
    this.metrics = metrics;
    this.cluster = cluster;
  }

  /** Blocks, for the file system. */
  JsonObject read() {
    DashboardFigures figures = DashboardFigures.read(metrics.registry());
    rates.begin(System.nanoTime());
    return new JsonObject()
        .put("atMs", System.currentTimeMillis())
        .put("node", node(figures))
        .put("gateway", gateway(figures))
        .put("process", DashboardProcess.json(figures, rates))
        .put("latencyMs", LATENCY_MS)
        .put("services", services(figures))
        .put("groups", groups(figures))
        .put("cluster", cluster())
        .put("documents", DashboardDocuments.json(figures, rates))
        .put("store", store(figures));
  }

  /** Null if the program's view of the cluster fails: the other figures are shown without it. */
  private JsonObject cluster() {
    try {
      JsonObject all = cluster.read();
      clusterFailed = false;
      return all;
    } catch (RuntimeException e) {
      if (!clusterFailed) {
        LOG.warn("the cluster cannot be shown", e);
      }
      clusterFailed = true;
      return null;
    }
  }

  private static JsonObject node(DashboardFigures figures) {
    Number ready = figures.value(GATEWAY_READY);
    JsonArray failing = new JsonArray();
    for (String check : figures.keys(GATEWAY_CHECK)) {
      if (!isTrue(figures.value(GATEWAY_CHECK, check))) {
        failing.add(check);
      }
    }
    return new JsonObject()
        .put("ready", ready == null ? null : isTrue(ready))
        .put("reasons", failing)
        .put("uptimeSeconds", figures.uptimeSeconds());
  }

  /** Null while there is none, as before it listens. */
  private JsonObject gateway(DashboardFigures figures) {
    Number requests = figures.value(GATEWAY_REQUESTS);
    if (requests == null) {
      return null;
    }
    JsonObject rate = rates.of(GATEWAY, Map.of("requests", requests.doubleValue()));
    long timeouts = 0;
    for (String waitedFor : figures.keys(GATEWAY_TIMEOUTS)) {
      timeouts += figures.value(GATEWAY_TIMEOUTS, waitedFor).longValue();
    }
    return new JsonObject()
        .put("requestsPerSecond", rate == null ? null : rate.getDouble("requests"))
        .put("requests", requests)
        .put("inFlight", figures.value(GATEWAY_IN_FLIGHT))
        .put("bodyBytesInFlight", figures.value(GATEWAY_BODY_BYTES))
        .put("connections", figures.value(GATEWAY_CONNECTIONS))
        .put("refusedConnections", figures.value(GATEWAY_REFUSED_CONNECTIONS))
        .put("rejectedRequests", figures.value(GATEWAY_REJECTED_REQUESTS))
        .put("deniedRequests", figures.value(GATEWAY_DENIED_REQUESTS))
        .put("timeouts", timeouts);
  }

  private JsonArray services(DashboardFigures figures) {
    Set<String> addresses = figures.keys(SERVICE_WORKERS);
    waited.keySet().retainAll(addresses);
    handled.keySet().retainAll(addresses);
    JsonArray services = new JsonArray();
    addresses.forEach(address -> services.add(service(figures, address)));
    return services;
  }

  private JsonObject service(DashboardFigures figures, String address) {
    JsonObject json = new JsonObject().put("address", address);
    SERVICE_FIGURES.forEach((name, metric) -> json.put(name, figures.value(metric, address)));
    return json.put("paused", isTrue(figures.value(SERVICE_PAUSED, address)))
        .put("perSecond", perSecond(figures, address))
        .put("waitedMs", latency(waited, address, metrics.waiting(address)))
        .put("handledMs", latency(handled, address, metrics.handling(address)));
  }

  private JsonObject perSecond(DashboardFigures figures, String address) {
    Map<String, Double> counters = new HashMap<>();
    RATES.forEach(
        (name, metric) -> {
          Number value = figures.value(metric, address);
          if (value != null) {
            counters.put(name, value.doubleValue());
          }
        });
    return rates.of(address, counters);
  }

  private static JsonObject latency(
      Map<String, DashboardLatency> latencies, String address, LatencySnapshot now) {
    return now == null
        ? null
        : latencies.computeIfAbsent(address, absent -> new DashboardLatency()).percentiles(now);
  }

  private JsonArray groups(DashboardFigures figures) {
    JsonArray groups = new JsonArray();
    for (String name : figures.keys(GROUP_EPOCH)) {
      JsonObject json = new JsonObject().put("name", name);
      GROUP_FIGURES.forEach((key, metric) -> json.put(key, figures.value(metric, name)));
      GroupWords its = metrics.group(name);
      groups.add(
          json.put("role", role(figures, name))
              .put("accepting", isTrue(figures.value(GROUP_ACCEPTING, name)))
              .put("primary", its == null ? null : its.primary())
              .put("reason", its == null ? null : its.reason()));
    }
    return groups;
  }

  /** Null in the moment of a change, in which no role or two may be seen. */
  private static String role(DashboardFigures figures, String group) {
    for (String role : new String[] {"primary", "backup", "witness", "candidate", "waiting"}) {
      if (isTrue(figures.value(GROUP_ROLE, group, role))) {
        return role;
      }
    }
    return null;
  }

  /** Null without a data directory; one node has one. */
  private static JsonObject store(DashboardFigures figures) {
    for (String directory : figures.keys(STORE_LOG_BYTES)) {
      long budgetBytes = 0;
      for (String address : figures.keys(SERVICE_DISK_LIMIT_BYTES)) {
        budgetBytes += figures.value(SERVICE_DISK_LIMIT_BYTES, address).longValue();
      }
      boolean full = isTrue(figures.value(STORE_FULL, directory));
      boolean failed = isTrue(figures.value(STORE_FAILED, directory));
      return new JsonObject()
          .put("directory", directory)
          .put("usedBytes", figures.value(STORE_LOG_BYTES, directory))
          .put("logFiles", figures.value(STORE_LOG_FILES, directory))
          .put("budgetBytes", budgetBytes)
          .put("freeBytes", figures.value(STORE_FREE_BYTES, directory))
          .put("minFreeBytes", figures.value(STORE_MIN_FREE_BYTES, directory))
          .put("fault", full ? "full" : failed ? "failed" : null);
    }
    return null;
  }

  private static boolean isTrue(Number value) {
    return value != null && value.doubleValue() == 1;
  }
}
