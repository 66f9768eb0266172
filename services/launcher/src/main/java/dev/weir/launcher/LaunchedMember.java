package dev.weir.launcher;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.Weir;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;

/**
 * A service that may be a member of replicated groups. Needs weir-cluster and vertx-hazelcast on
 * the class path. While {@link #members} names none, it is a service as any other.
 */
public interface LaunchedMember extends LaunchedService {
  /**
   * Names of the members with which its groups begin. Called after {@link #configure}. If there are
   * any, the launcher asks for {@code cluster.enabled} and for a {@code cluster.memberName}, and
   * calls {@link #start(Vertx, Weir, ClusterNode)} in place of {@link #start(Vertx, Weir)}. The
   * name may be that of a member that comes later: the service refuses it if its members stay.
   *
   * @return empty for a service without groups
   */
  List<String> members();

  /**
   * Starts to serve as a member, as {@link #start(Vertx, Weir)} does.
   *
   * @param vertx its event bus is that of the members
   * @param node of this member; its directory is {@code groups} in that of the store. The launcher
   *     closes it, after Vert.x
   */
  Future<?> start(Vertx vertx, Weir weir, ClusterNode node);

  /**
   * Binds figures that come and go, such as those of replicas. Called once, after the start.
   *
   * @return completes when the figures of now are bound
   */
  default Future<?> bind(Metrics metrics) {
    return Future.succeededFuture();
  }

  /**
   * Leaves the groups, so that other members take the roles over. Called when the gateways have
   * drained, before the services close; not called if the service was not started as a member.
   */
  Future<?> leave();
}
