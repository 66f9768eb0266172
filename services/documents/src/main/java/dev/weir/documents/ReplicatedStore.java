package dev.weir.documents;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.Weir;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.group.GroupService;
import dev.weir.group.Groups;
import dev.weir.group.ReplicatedFactories;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;

/** The factories of a member, whose documents are on several members, and the groups with these. */
final class ReplicatedStore {
  private final Groups groups;
  private final Documents documents;

  private ReplicatedStore(Groups groups, Documents documents) {
    this.groups = groups;
    this.documents = documents;
  }

  /**
   * Starts the replicas of this member and serves the factories; completes when these take
   * requests, which may be before a shard has a primary.
   */
  static Future<ReplicatedStore> open(
      Vertx vertx, Weir weir, ClusterNode node, StoreSettings settings) {
    DocumentsOptions options = new DocumentsOptions(settings.options()).setDirectory(null);
    return Groups.start(vertx, weir, node)
        .compose(
            groups ->
                Documents.open(vertx, options, weir.heap())
                    .map(documents -> new ReplicatedStore(groups, documents)))
        .compose(store -> store.serve(settings).map(store));
  }

  private Future<?> serve(StoreSettings settings) {
    int factories = Math.max(1, settings.factories().size());
    long memoryBytes = documents.stats().memoryLimitBytes() / factories;
    Future<?> last = Future.succeededFuture();
    for (Map.Entry<String, FactoryOptions> each : settings.factories().entrySet()) {
      last =
          last.compose(
              done ->
                  ReplicatedFactories.serve(
                      groups,
                      documents,
                      each.getKey(),
                      each.getValue(),
                      new FactoryRules(),
                      settings.shards(),
                      settings.group(),
                      memoryBytes));
    }
    return last;
  }

  Documents documents() {
    return documents;
  }

  /** Of each replica of this member. */
  List<MeterBinder> meters() {
    return groups.services().stream()
        .flatMap(service -> service.replicas().stream())
        .map(replica -> (MeterBinder) new GroupMetrics(replica))
        .toList();
  }

  /** One for each factory: all its replicas on this member are of use. */
  List<HealthCheck> checks() {
    return groups.services().stream().map(ReplicatedStore::check).toList();
  }

  private static HealthCheck check(GroupService service) {
    List<GroupCheck> replicas = service.replicas().stream().map(GroupCheck::new).toList();
    return HealthCheck.of(
        service.service().address(),
        () -> {
          for (GroupCheck replica : replicas) {
            HealthResult result = replica.check();
            if (!result.passed()) {
              return HealthResult.fail(replica.name() + ": " + result.detail());
            }
          }
          return HealthResult.pass(
              replicas.size() + " of " + service.shards() + " shards are here");
        });
  }

  /** Takes no more requests from the event bus, then hands the roles of its replicas over. */
  Future<?> leave() {
    return documents.close().eventually(groups::close);
  }
}
