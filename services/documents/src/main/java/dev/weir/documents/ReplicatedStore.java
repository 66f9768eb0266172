package dev.weir.documents;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.gateway.health.GroupCheck;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.ShardMetrics;
import dev.weir.group.GroupService;
import dev.weir.group.Groups;
import dev.weir.group.MoveStats;
import dev.weir.group.ReplicatedFactories;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The factories of a member, whose documents are on several members, and the groups with these. */
final class ReplicatedStore {
  /** A factory takes commands of operators at this address with that of its shards behind it. */
  private static final String OPERATED_AT = "members.";

  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedStore.class);

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
        .compose(
            store ->
                store
                    .serve(settings)
                    .onSuccess(served -> store.warnOfNone())
                    .compose(
                        served ->
                            settings.memberCommands()
                                ? store.operate(weir)
                                : Future.succeededFuture())
                    .map(store));
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

  private void warnOfNone() {
    for (GroupService service : groups.services()) {
      if (service.replicas().isEmpty()) {
        LOG.warn("{} holds no shard here, until this member is added", service.service().address());
      }
    }
  }

  /**
   * Takes the commands of operators for each factory. None waits on disk: it would be done at a
   * time when nobody expects it.
   */
  private Future<?> operate(Weir weir) {
    Future<?> last = Future.succeededFuture();
    for (GroupService service : groups.services()) {
      last =
          last.compose(
              done ->
                  weir.<JsonObject>serve(
                      OPERATED_AT + service.service().address(),
                      new ServiceOptions().setWorkers(1).setDiskBytes(0),
                      message -> service.operate(message.body())));
    }
    return last;
  }

  Documents documents() {
    return documents;
  }

  /** Binds the figures of the shards, and those of each replica while it runs on this member. */
  Future<?> bind(Metrics metrics) {
    return Future.all(
        groups.services().stream()
            .map(
                service -> {
                  metrics.bind(
                      new ShardMetrics(service.service().address(), () -> figures(service)));
                  return service.watch(
                      replica -> {
                        GroupMetrics figures = new GroupMetrics(replica);
                        metrics.bind(figures);
                        return () -> metrics.unbind(figures);
                      });
                })
            .toList());
  }

  private static ShardMetrics.Figures figures(GroupService service) {
    MoveStats moves = service.moveStats();
    return new ShardMetrics.Figures(
        service.replicas().size(), moves.left(), moves.done(), moves.failed());
  }

  /** One for each factory: all replicas that it has on this member at the moment are of use. */
  List<HealthCheck> checks() {
    return groups.services().stream().map(ReplicatedStore::check).toList();
  }

  private static HealthCheck check(GroupService service) {
    return HealthCheck.of(
        service.service().address(),
        () -> {
          List<GroupCheck> replicas = service.replicas().stream().map(GroupCheck::new).toList();
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
