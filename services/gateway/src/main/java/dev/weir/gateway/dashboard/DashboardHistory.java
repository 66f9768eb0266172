package dev.weir.gateway.dashboard;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What the charts show of the last two minutes, and of the last hour in points of {@value #SPAN_MS}
 * ms, so that a page that is loaded begins with it. Bounded. One thread at a time.
 */
final class DashboardHistory {
  static final int POINTS = 120;
  static final long KEPT_MS = 120_000;
  static final long SPAN_MS = 30_000;
  static final long HOUR_MS = 3_600_000;

  /** Series of a chart by name: how to find the figure in the snapshot of a service. */
  private static final Map<String, Function<JsonObject, Number>> SERIES = new LinkedHashMap<>();

  /** So many of the first series are rates. */
  private static final int RATES = 3;

  static {
    SERIES.put("accepted", service -> perSecond(service, "accepted"));
    SERIES.put("completed", service -> perSecond(service, "completed"));
    SERIES.put("failed", service -> perSecond(service, "failed"));
    SERIES.put("memory", service -> service.getNumber("waitingInMemory"));
    SERIES.put("disk", service -> service.getNumber("waitingOnDisk"));
    SERIES.put("waited", service -> recent(service, "waitedMs"));
    SERIES.put("handled", service -> recent(service, "handledMs"));
  }

  private static final List<String> NAMES = List.copyOf(SERIES.keySet());

  private final PointRing minutes = new PointRing(NAMES, POINTS, KEPT_MS);
  private final PointRing hour = new PointRing(NAMES, (int) (HOUR_MS / SPAN_MS), HOUR_MS);
  private final PointSummary span = new PointSummary(RATES, SPAN_MS);

  private static Number perSecond(JsonObject service, String name) {
    JsonObject rates = service.getJsonObject("perSecond");
    return rates == null ? null : rates.getNumber(name);
  }

  private static Number recent(JsonObject service, String name) {
    JsonObject latency = service.getJsonObject(name);
    JsonObject recent = latency == null ? null : latency.getJsonObject("recent");
    return recent == null ? null : recent.getNumber("p99");
  }

  /**
   * Adds the figures of a snapshot; forgets services that are not in it.
   *
   * @return whether the hour has another point now
   */
  boolean add(JsonObject snapshot) {
    long atMs = snapshot.getLong("atMs", 0L);
    Map<String, float[]> values = new HashMap<>();
    for (Object each : snapshot.getJsonArray("services", new JsonArray())) {
      JsonObject service = (JsonObject) each;
      values.put(service.getString("address"), values(service));
    }
    boolean over = span.isOver(atMs);
    if (over) {
      hour.add(span.endMs(), span.take());
    }
    span.add(atMs, values);
    minutes.add(atMs, values);
    return over;
  }

  private static float[] values(JsonObject service) {
    float[] values = new float[SERIES.size()];
    int place = 0;
    for (Function<JsonObject, Number> series : SERIES.values()) {
      Number value = series.apply(service);
      values[place++] = value == null ? Float.NaN : value.floatValue();
    }
    return values;
  }

  /** The points of the last {@value #KEPT_MS} ms, as of {@link PointRing#toJson}. */
  JsonObject toJson(long nowMs) {
    return minutes.toJson(nowMs);
  }

  /** The last point of the hour. */
  JsonObject lastOfHour() {
    return hour.last();
  }

  /** The points of the last hour. */
  JsonObject hourToJson(long nowMs) {
    return hour.toJson(nowMs);
  }
}
