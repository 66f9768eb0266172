package dev.weir.gateway.dashboard;

import static dev.weir.gateway.metrics.DocumentMetricNames.*;

import dev.weir.gateway.metrics.Metric;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the dashboard shows of the factories of documents. */
final class DashboardDocuments {
  private static final Map<String, Metric> FIGURES = new LinkedHashMap<>();

  /** Stands before the names of factories among the names that rates are of. */
  private static final String PREFIX = "documents\0";

  static {
    FIGURES.put("documents", FACTORY_DOCUMENTS);
    FIGURES.put("resident", FACTORY_RESIDENT_DOCUMENTS);
    FIGURES.put("paused", FACTORY_PAUSED_DOCUMENTS);
    FIGURES.put("heapBytes", FACTORY_HEAP_BYTES);
    FIGURES.put("operations", FACTORY_OPERATIONS);
    FIGURES.put("failed", FACTORY_FAILED);
  }

  private DashboardDocuments() {}

  /** Null if the node has no factory. */
  static JsonObject json(DashboardFigures figures, DashboardRates rates) {
    Set<String> names = figures.keys(FACTORY_DOCUMENTS);
    if (names.isEmpty()) {
      return null;
    }
    JsonArray factories = new JsonArray();
    names.forEach(name -> factories.add(factory(figures, rates, name)));
    return new JsonObject()
        .put("residentBytes", figures.sum(DOCUMENTS_RESIDENT_BYTES.name()))
        .put("residentLimitBytes", figures.sum(DOCUMENTS_RESIDENT_LIMIT_BYTES.name()))
        .put("memoryBytes", figures.sum(DOCUMENTS_MEMORY_BYTES.name()))
        .put("streams", figures.sum(DOCUMENTS_STREAMS.name()))
        .put("writable", figures.sum(DOCUMENTS_UNWRITABLE.name()).doubleValue() == 0)
        .put("factories", factories);
  }

  private static JsonObject factory(DashboardFigures figures, DashboardRates rates, String name) {
    JsonObject json = new JsonObject().put("name", name);
    FIGURES.forEach((key, metric) -> json.put(key, figures.value(metric, name)));
    double operations = figures.sum(FACTORY_OPERATIONS.name(), name).doubleValue();
    Number loads = figures.value(FACTORY_LOADS, name);
    Number queries = figures.sum(FACTORY_QUERIES.name(), name);
    JsonObject rate =
        rates.of(PREFIX + name, Map.of("operations", operations, "queries", queries.doubleValue()));
    return json.put("hitRate", hitRate(loads, operations))
        .put("queries", queries)
        .put("indexes", new JsonArray(List.copyOf(figures.keys(FACTORY_INDEX, name))))
        .put("perSecond", rate);
  }

  /**
   * The part of the operations that found their key in memory; null if it is not known.
   *
   * @param loads null if they are not known
   */
  private static Double hitRate(Number loads, double operations) {
    return loads == null || operations == 0
        ? null
        : Math.max(0, 1 - loads.doubleValue() / operations);
  }
}
