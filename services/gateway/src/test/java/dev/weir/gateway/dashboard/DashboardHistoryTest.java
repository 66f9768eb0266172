package dev.weir.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

class DashboardHistoryTest {
  private final DashboardHistory history = new DashboardHistory();

  private static JsonObject service(String address, int number) {
    return new JsonObject()
        .put("address", address)
        .put("waitingInMemory", number)
        .put("perSecond", number == 0 ? null : new JsonObject().put("accepted", number / 2.0))
        .put("waitedMs", new JsonObject().put("recent", new JsonObject().put("p99", number)));
  }

  private static JsonObject snapshot(long atMs, JsonObject... services) {
    return new JsonObject().put("atMs", atMs).put("services", JsonArray.of((Object[]) services));
  }

  private void add(long atMs, JsonObject... services) {
    history.add(snapshot(atMs, services));
  }

  private JsonArray series(long nowMs, String address, String name) {
    return history
        .toJson(nowMs)
        .getJsonObject("services")
        .getJsonObject(address)
        .getJsonArray(name);
  }

  @Test
  void hasThePointsOfEachServiceTheOldestFirst() {
    add(1_000_000, service("a", 0));
    add(1_001_000, service("a", 1), service("b", 2));
    assertThat(history.toJson(1_001_000).getJsonArray("atMs"))
        .isEqualTo(JsonArray.of(1_000_000L, 1_001_000L));
    assertThat(series(1_001_000, "a", "memory")).isEqualTo(JsonArray.of(0f, 1f));
    assertThat(series(1_001_000, "a", "accepted")).isEqualTo(JsonArray.of(null, 0.5f));
    assertThat(series(1_001_000, "a", "disk")).isEqualTo(JsonArray.of(null, null));
    assertThat(series(1_001_000, "b", "waited")).isEqualTo(JsonArray.of(null, 2f));
  }

  @Test
  void isBoundedInTimePointsAndServices() {
    for (int i = 0; i < 3 * DashboardHistory.POINTS; i++) {
      add(1_000_000 + i, service("a", i));
    }
    JsonArray memory = series(1_000_360, "a", "memory");
    assertThat(memory).hasSize(DashboardHistory.POINTS);
    assertThat(memory.getFloat(0)).isEqualTo(240f);
    assertThat(series(1_000_300 + DashboardHistory.KEPT_MS, "a", "memory")).hasSize(59);
    JsonObject[] many = new JsonObject[2 * PointRing.MAX_SERVICES];
    for (int i = 0; i < many.length; i++) {
      many[i] = service("service " + i, i);
    }
    add(1_001_000, many);
    assertThat(history.toJson(1_001_000).getJsonObject("services")).hasSize(PointRing.MAX_SERVICES);
    assertThat(history.toJson(1_001_000).getJsonObject("services").containsKey("a"))
        .as("a service that is gone")
        .isFalse();
  }

  @Test
  void pointsThatAreTooOldAreNotShown() {
    add(1_000_000, service("a", 1));
    add(1_001_000, service("a", 2));
    long nowMs = 1_000_000 + DashboardHistory.KEPT_MS;
    assertThat(history.toJson(nowMs).getJsonArray("atMs")).isEqualTo(JsonArray.of(1_001_000L));
    assertThat(series(nowMs, "a", "memory")).isEqualTo(JsonArray.of(2f));
    assertThat(history.toJson(nowMs + 1_000).getJsonArray("atMs")).isEmpty();
  }

  @Test
  void aServiceThatComesAgainBeginsWithNothing() {
    add(1_000_000, service("a", 1), service("b", 1));
    add(1_001_000, service("b", 2));
    add(1_002_000, service("a", 3), service("b", 3));
    assertThat(series(1_002_000, "a", "memory")).isEqualTo(JsonArray.of(null, null, 3f));
    assertThat(series(1_002_000, "b", "memory")).isEqualTo(JsonArray.of(1f, 2f, 3f));
  }

  @Test
  void thereIsNoneBeforeTheFirstService() {
    assertThat(history.toJson(0)).isNull();
    assertThat(history.hourToJson(0)).isNull();
  }

  @Test
  void hasTheLastHourInPointsOfHalfAMinute() {
    long startMs = 1_000 * DashboardHistory.SPAN_MS;
    assertThat(history.add(snapshot(startMs, service("a", 8)))).isFalse();
    assertThat(history.add(snapshot(startMs + 1_000, service("a", 2), service("b", 6)))).isFalse();
    assertThat(history.hourToJson(startMs + 1_000)).isNull();

    assertThat(history.add(snapshot(startMs + DashboardHistory.SPAN_MS, service("a", 4)))).isTrue();

    JsonObject hour = history.hourToJson(startMs + DashboardHistory.SPAN_MS);
    assertThat(hour).isEqualTo(history.lastOfHour());
    assertThat(hour.getJsonArray("atMs"))
        .isEqualTo(JsonArray.of(startMs + DashboardHistory.SPAN_MS));
    JsonObject a = hour.getJsonObject("services").getJsonObject("a");
    assertThat(a.getJsonArray("accepted")).as("the mean").isEqualTo(JsonArray.of(2.5f));
    assertThat(a.getJsonArray("memory")).as("the highest").isEqualTo(JsonArray.of(8f));
    assertThat(a.getJsonArray("disk")).isEqualTo(JsonArray.of((Object) null));
    assertThat(hour.getJsonObject("services").getJsonObject("b").getJsonArray("waited"))
        .isEqualTo(JsonArray.of(6f));
  }

  @Test
  void theHourIsBounded() {
    long points = 3 * DashboardHistory.HOUR_MS / DashboardHistory.SPAN_MS;
    for (long i = 1; i <= points; i++) {
      add(i * DashboardHistory.SPAN_MS, service("a", 1));
    }
    JsonObject hour = history.hourToJson(points * DashboardHistory.SPAN_MS);
    assertThat(hour.getJsonArray("atMs")).hasSize(120);
    assertThat(hour.getJsonArray("atMs").getLong(119)).isEqualTo(points * DashboardHistory.SPAN_MS);
    JsonArray last = history.lastOfHour().getJsonArray("atMs");
    assertThat(last).isEqualTo(JsonArray.of(points * DashboardHistory.SPAN_MS));
  }
}
