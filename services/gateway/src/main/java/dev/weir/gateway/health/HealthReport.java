package dev.weir.gateway.health;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The results of all checks of a node.
 *
 * @param results by name of the check, in their order
 */
public record HealthReport(Map<String, HealthResult> results) {
  public HealthReport {
    results = Collections.unmodifiableMap(new LinkedHashMap<>(results));
  }

  /** True if every check passed. */
  public boolean ready() {
    return results.values().stream().allMatch(HealthResult::passed);
  }

  /** {@code {"status":"UP","checks":[{"name":"disk","status":"UP","detail":"..."}]}}. */
  public JsonObject toJson() {
    JsonArray checks = new JsonArray();
    results.forEach((name, result) -> checks.add(toJson(name, result)));
    return new JsonObject().put("status", status(ready())).put("checks", checks);
  }

  private static JsonObject toJson(String name, HealthResult result) {
    JsonObject json = new JsonObject().put("name", name).put("status", status(result.passed()));
    return result.detail().isEmpty() ? json : json.put("detail", result.detail());
  }

  private static String status(boolean up) {
    return up ? "UP" : "DOWN";
  }
}
