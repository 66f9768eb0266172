package dev.weir.gateway.cluster;

import dev.weir.flow.Service;
import dev.weir.flow.Weir;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.gateway.metrics.GroupWords;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.ShardMetrics;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The cluster as this node sees it, as JSON: its nodes, the groups that have a replica here, how
 * shards move, and which addresses this node serves on the bus of all. Bounded: at most {@value
 * #MAX} of each, and {@value #MAX_GROUPS} groups. Any thread.
 */
public final class ClusterJson {
  static final int MAX = 200;
  static final int MAX_GROUPS = 50;

  private final Vertx vertx;
  private final Weir weir;
  private final Metrics metrics;

  /**
   * @param metrics with the cluster and the groups that were bound
   */
  public ClusterJson(Vertx vertx, Weir weir, Metrics metrics) {
    this.vertx = vertx;
    this.weir = weir;
    this.metrics = metrics;
  }

  /** Everything at this moment; may wait for the log of a group. */
  public JsonObject read() {
    ClusterView view = metrics.cluster();
    List<ClusterView.Node> nodes = view == null ? List.of() : view.nodes();
    List<String> addresses =
        vertx.isClustered()
            ? weir.services().stream().map(Service::address).sorted().toList()
            : List.of();
    List<JsonObject> groups =
        metrics.groups().stream().map(GroupWords::replica).filter(Objects::nonNull).toList();
    return new JsonObject()
        .put("clustered", view != null || vertx.isClustered())
        .put("nodes", some(nodes, MAX, ClusterJson::node))
        .put("nodeCount", nodes.stream().filter(node -> node.leftMs() == 0).count())
        .put("addresses", some(addresses, MAX, address -> address))
        .put("addressCount", addresses.size())
        .put("groups", some(groups, MAX_GROUPS, group -> group))
        .put("groupCount", groups.size())
        .put("shards", some(List.copyOf(metrics.shards()), MAX_GROUPS, ShardMetrics::json));
  }

  private static <T> JsonArray some(List<T> all, int max, Function<T, Object> json) {
    JsonArray some = new JsonArray();
    all.stream().limit(max).map(json).forEach(some::add);
    return some;
  }

  private static JsonObject node(ClusterView.Node node) {
    return new JsonObject()
        .put("id", node.id())
        .put("name", node.name())
        .put("address", node.address())
        .put("thisNode", node.self())
        .put("since", time(node.sinceMs()))
        .put("leftAt", node.leftMs() == 0 ? null : time(node.leftMs()));
  }

  private static String time(long ms) {
    return Instant.ofEpochMilli(ms).toString();
  }
}
