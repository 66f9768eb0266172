package dev.weir.gateway.dashboard;

import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/** Turns counters of services into rates, from one snapshot to the next. */
final class DashboardRates {
  private static final double NS_PER_S = 1e9;

  /** A rate over less is mostly chance. */
  private static final long MIN_NS = 200_000_000;

  private Map<String, Map<String, Double>> before = Map.of();
  private Map<String, Map<String, Double>> now = new HashMap<>();
  private long beforeNs;
  private long nowNs;

  /** A snapshot begins. */
  void begin(long timeNs) {
    before = now;
    beforeNs = nowNs;
    now = new HashMap<>();
    nowNs = timeNs;
  }

  /**
   * @param counters of one service in this snapshot, by name
   * @return per second, by name; null if there was no snapshot before that had the service
   */
  JsonObject of(String service, Map<String, Double> counters) {
    now.put(service, counters);
    Map<String, Double> old = before.get(service);
    long tookNs = nowNs - beforeNs;
    if (old == null || tookNs < MIN_NS) {
      return null;
    }
    JsonObject rates = new JsonObject();
    counters.forEach(
        (name, value) -> {
          // Less than before: the service was closed and opened again.
          double more = Math.max(0, value - old.getOrDefault(name, 0.0));
          rates.put(name, more * NS_PER_S / tookNs);
        });
    return rates;
  }
}
