package dev.weir.gateway.dashboard;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * What the charts of the last minutes show, so that a page that is loaded begins with it. Bounded:
 * {@value #POINTS} points of at most {@value #MAX_SERVICES} services. One thread at a time.
 */
final class DashboardHistory {
  static final int POINTS = 120;
  static final int MAX_SERVICES = 200;
  static final long KEPT_MS = 120_000;

  /** Series of a chart by name: how to find the figure in the snapshot of a service. */
  private static final Map<String, Function<JsonObject, Number>> SERIES = new LinkedHashMap<>();

  static {
    SERIES.put("accepted", service -> perSecond(service, "accepted"));
    SERIES.put("completed", service -> perSecond(service, "completed"));
    SERIES.put("failed", service -> perSecond(service, "failed"));
    SERIES.put("memory", service -> service.getNumber("waitingInMemory"));
    SERIES.put("disk", service -> service.getNumber("waitingOnDisk"));
    SERIES.put("waited", service -> recent(service, "waitedMs"));
    SERIES.put("handled", service -> recent(service, "handledMs"));
  }

  private final long[] timesMs = new long[POINTS];

  /** By address: the series, one behind the other, a point in each place; NaN for no figure. */
  private final Map<String, float[]> services = new HashMap<>();

  /** The place of the next point. */
  private int next;

  private static Number perSecond(JsonObject service, String name) {
    JsonObject rates = service.getJsonObject("perSecond");
    return rates == null ? null : rates.getNumber(name);
  }

  private static Number recent(JsonObject service, String name) {
    JsonObject latency = service.getJsonObject(name);
    JsonObject recent = latency == null ? null : latency.getJsonObject("recent");
    return recent == null ? null : recent.getNumber("p99");
  }

  /** Adds the figures of a snapshot; forgets services that are not in it. */
  void add(JsonObject snapshot) {
    JsonArray now = snapshot.getJsonArray("services", new JsonArray());
    Map<String, JsonObject> present = new HashMap<>();
    now.forEach(each -> present.put(((JsonObject) each).getString("address"), (JsonObject) each));
    services.keySet().retainAll(present.keySet());
    timesMs[next] = snapshot.getLong("atMs", 0L);
    present.forEach(this::add);
    next = (next + 1) % POINTS;
  }

  private void add(String address, JsonObject service) {
    float[] points = services.get(address);
    if (points == null) {
      if (services.size() >= MAX_SERVICES) {
        return;
      }
      points = new float[SERIES.size() * POINTS];
      Arrays.fill(points, Float.NaN);
      services.put(address, points);
    }
    int place = next;
    for (Function<JsonObject, Number> series : SERIES.values()) {
      Number value = series.apply(service);
      points[place] = value == null ? Float.NaN : value.floatValue();
      place += POINTS;
    }
  }

  /**
   * The points of the last {@value #KEPT_MS} ms, the oldest first: {@code atMs}, and by address and
   * series as many figures, null for none. Null without a service.
   */
  JsonObject toJson(long nowMs) {
    if (services.isEmpty()) {
      return null;
    }
    JsonArray atMs = new JsonArray();
    int[] places = new int[POINTS];
    for (int i = 0; i < POINTS; i++) {
      int place = (next + i) % POINTS;
      if (timesMs[place] > nowMs - KEPT_MS) {
        places[atMs.size()] = place;
        atMs.add(timesMs[place]);
      }
    }
    JsonObject all = new JsonObject();
    services.forEach((address, points) -> all.put(address, series(points, places, atMs.size())));
    return new JsonObject().put("atMs", atMs).put("services", all);
  }

  private static JsonObject series(float[] points, int[] places, int count) {
    JsonObject json = new JsonObject();
    int start = 0;
    for (String name : SERIES.keySet()) {
      JsonArray values = new JsonArray();
      for (int i = 0; i < count; i++) {
        float value = points[start + places[i]];
        values.add(Float.isNaN(value) ? null : value);
      }
      json.put(name, values);
      start += POINTS;
    }
    return json;
  }
}
