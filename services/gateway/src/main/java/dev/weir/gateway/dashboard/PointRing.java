package dev.weir.gateway.dashboard;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last points of charts, for at most {@value #MAX_SERVICES} services. A point has a time and a
 * value for each series of each service, NaN for none. One thread at a time.
 */
final class PointRing {
  static final int MAX_SERVICES = 200;

  private final List<String> series;
  private final long keptMs;
  private final long[] timesMs;

  /** By address: the series, one behind the other, a point in each place. */
  private final Map<String, float[]> services = new HashMap<>();

  /** The place of the next point. */
  private int next;

  /**
   * @param points kept, at most
   * @param keptMs for how long they are shown
   */
  PointRing(List<String> series, int points, long keptMs) {
    this.series = series;
    this.keptMs = keptMs;
    this.timesMs = new long[points];
  }

  /**
   * Adds a point; forgets services that it does not have.
   *
   * @param values by address, then in the order of the series
   */
  void add(long atMs, Map<String, float[]> values) {
    services.keySet().retainAll(values.keySet());
    timesMs[next] = atMs;
    values.forEach(this::add);
    next = (next + 1) % timesMs.length;
  }

  private void add(String address, float[] values) {
    float[] points = services.get(address);
    if (points == null) {
      if (services.size() >= MAX_SERVICES) {
        return;
      }
      points = new float[values.length * timesMs.length];
      Arrays.fill(points, Float.NaN);
      services.put(address, points);
    }
    for (int i = 0; i < values.length; i++) {
      points[i * timesMs.length + next] = values[i];
    }
  }

  /**
   * The points that are kept, the oldest first: {@code atMs}, and by address and series as many
   * figures, null for none. Null without a service.
   */
  JsonObject toJson(long nowMs) {
    return toJson(timesMs.length, nowMs - keptMs);
  }

  /** The same of the last point. */
  JsonObject last() {
    return toJson(1, 0);
  }

  private JsonObject toJson(int last, long afterMs) {
    if (services.isEmpty()) {
      return null;
    }
    JsonArray atMs = new JsonArray();
    int[] places = new int[last];
    for (int i = timesMs.length - last; i < timesMs.length; i++) {
      int place = (next + i) % timesMs.length;
      if (timesMs[place] > afterMs) {
        places[atMs.size()] = place;
        atMs.add(timesMs[place]);
      }
    }
    JsonObject all = new JsonObject();
    services.forEach((address, points) -> all.put(address, json(points, places, atMs.size())));
    return new JsonObject().put("atMs", atMs).put("services", all);
  }

  private JsonObject json(float[] points, int[] places, int count) {
    JsonObject json = new JsonObject();
    int start = 0;
    for (String name : series) {
      JsonArray values = new JsonArray();
      for (int i = 0; i < count; i++) {
        float value = points[start + places[i]];
        values.add(Float.isNaN(value) ? null : value);
      }
      json.put(name, values);
      start += timesMs.length;
    }
    return json;
  }
}
