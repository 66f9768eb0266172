package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.ShardMetrics;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an administrator reads of the cluster. */
class AdminClusterTest extends OpenApiTestBase {
  private static final long SINCE_MS = Instant.parse("2026-01-31T12:00:00Z").toEpochMilli();

  private final Metrics metrics = Metrics.create();

  @BeforeEach
  void restartWithMetrics() {
    Futures.result("the gateway closes", gateway.close());
    metrics.bind(weir);
    gateway =
        Futures.result(
            "the gateway starts",
            Gateway.start(vertx, weir, options(), metrics, Health.of(weir, new HealthOptions())));
  }

  @AfterEach
  void closeMetrics() {
    metrics.close();
  }

  private static ClusterView.Node node(int number, long leftMs) {
    String name = "node-" + number;
    return new ClusterView.Node(
        "id-" + number, name, "10.0.0.1:" + (5_700 + number), number == 0, SINCE_MS, leftMs);
  }

  private JsonObject cluster() {
    HttpResponse<String> answer = get("/admin/cluster", "Authorization", ADMIN);
    check("getCluster", answer);
    return new JsonObject(answer.body());
  }

  @Test
  void aNodeForItselfIsNotClustered() {
    serve("orders", memoryOnly(), message -> null);
    assertThat(cluster())
        .isEqualTo(
            new JsonObject()
                .put("clustered", false)
                .put("nodes", new JsonArray())
                .put("nodeCount", 0)
                .put("addresses", new JsonArray())
                .put("addressCount", 0)
                .put("groups", new JsonArray())
                .put("groupCount", 0)
                .put("shards", new JsonArray()));
  }

  @Test
  void showsTheNodesAndThoseThatLeft() {
    metrics.bindCluster(() -> List.of(node(0, 0), node(1, 0), node(2, SINCE_MS + 1_500)));
    JsonObject cluster = cluster();
    assertThat(cluster.getBoolean("clustered")).isTrue();
    assertThat(cluster.getInteger("nodeCount")).isEqualTo(2);
    assertThat(cluster.getJsonArray("nodes").getJsonObject(0))
        .isEqualTo(
            new JsonObject()
                .put("id", "id-0")
                .put("name", "node-0")
                .put("address", "10.0.0.1:5700")
                .put("thisNode", true)
                .put("since", "2026-01-31T12:00:00Z")
                .put("leftAt", null));
    assertThat(cluster.getJsonArray("nodes").getJsonObject(2).getString("leftAt"))
        .isEqualTo("2026-01-31T12:00:01.500Z");
  }

  @Test
  void showsHowShardsMoveOnceTheirFiguresAreBound() {
    ShardMetrics shards = new ShardMetrics("cars", () -> new ShardMetrics.Figures(3, -1, 5, 1));
    metrics.bind(shards);
    assertThat(cluster().getJsonArray("shards").getJsonObject(0))
        .isEqualTo(
            new JsonObject()
                .put("address", "cars")
                .put("replicas", 3)
                .put("movesLeft", null)
                .put("stepsDone", 5)
                .put("stepsFailed", 1));
    metrics.unbind(shards);
    assertThat(cluster().getJsonArray("shards")).isEmpty();
  }

  @Test
  void countsWhatItDoesNotList() {
    metrics.bindCluster(() -> IntStream.range(0, 500).mapToObj(i -> node(i, 0)).toList());
    JsonObject cluster = cluster();
    assertThat(cluster.getJsonArray("nodes")).hasSize(200);
    assertThat(cluster.getInteger("nodeCount")).isEqualTo(500);
  }

  @Test
  void showsTheGroupsThatHaveAReplicaHere() {
    GroupOptions options =
        new GroupOptions()
            .setName("cars")
            .setMembers(List.of("node-0"))
            .setPersistence(false)
            .setAckLevel(AckLevel.RECEIVED);
    try (ProcessorGroup group =
        GroupBuilder.alone(options, null)
            .processor(new CountingProcessor())
            .replies((client, sequence, buffer, offset, length) -> {})
            .start()) {
      metrics.bind(new GroupMetrics(group));
      Await.until("it accepts", () -> group.stats().accepting());
      JsonObject cars = cluster().getJsonArray("groups").getJsonObject(0);
      assertThat(cars.getString("name")).isEqualTo("cars");
      assertThat(cars.getString("role")).isEqualTo("primary");
      assertThat(cars.getString("primary")).isEqualTo("node-0");
      assertThat(cars.getLong("behind")).isZero();
      assertThat(cars.getJsonArray("peers")).isEmpty();
      JsonObject change = cars.getJsonArray("roleChanges").getJsonObject(0);
      assertThat(change.getString("role")).isEqualTo("primary");
      assertThat(change.getLong("epoch")).isEqualTo(cars.getLong("epoch"));
      assertThat(Instant.parse(change.getString("at"))).isBefore(Instant.now().plusSeconds(600));
    }
  }

  @Test
  void aViewThatFailsHidesNoOtherFigures() throws Exception {
    metrics.bindCluster(
        () -> {
          throw new IllegalStateException("no view");
        });
    assertThat(get("/admin/cluster", "Authorization", ADMIN).statusCode()).isEqualTo(500);
    HttpResponse<InputStream> events =
        client.send(to("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(events.body(), StandardCharsets.UTF_8))) {
      JsonObject snapshot = null;
      // The first one may be of before.
      while (snapshot == null || snapshot.getJsonObject("cluster") != null) {
        String line = lines.readLine();
        assertThat(line).as("the stream goes on").isNotNull();
        snapshot = line.startsWith("data: ") ? new JsonObject(line.substring(6)) : snapshot;
      }
      assertThat(snapshot.getJsonObject("node").getBoolean("ready")).isTrue();
    }
  }
}
