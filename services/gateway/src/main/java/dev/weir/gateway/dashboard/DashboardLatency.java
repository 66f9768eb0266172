package dev.weir.gateway.dashboard;

import dev.weir.gateway.metrics.LatencySnapshot;
import io.vertx.core.json.JsonObject;
import java.util.ArrayDeque;
import java.util.Deque;

/** Percentiles of one histogram: since its service was opened, and of the last few seconds. */
final class DashboardLatency {
  /** Snapshots, one a second. */
  private static final int RECENT = 10;

  private static final double NS_PER_MS = 1e6;

  private final Deque<LatencySnapshot> earlier = new ArrayDeque<>();

  /**
   * @param now taken a second after the one before
   * @return in ms; null where nothing was recorded
   */
  JsonObject percentiles(LatencySnapshot now) {
    if (!earlier.isEmpty() && now.messages() < earlier.getLast().messages()) {
      // Another service of that address.
      earlier.clear();
    }
    JsonObject recent = earlier.isEmpty() ? null : of(now.since(earlier.getFirst()));
    earlier.addLast(now);
    if (earlier.size() > RECENT) {
      earlier.removeFirst();
    }
    return new JsonObject().put("recent", recent).put("all", of(now));
  }

  private static JsonObject of(LatencySnapshot latency) {
    if (latency.messages() == 0) {
      return null;
    }
    return new JsonObject()
        .put("p50", latency.percentileNs(50) / NS_PER_MS)
        .put("p90", latency.percentileNs(90) / NS_PER_MS)
        .put("p99", latency.percentileNs(99) / NS_PER_MS)
        .put("p999", latency.percentileNs(99.9) / NS_PER_MS);
  }
}
