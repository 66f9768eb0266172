package dev.weir.gateway.dashboard;

import dev.weir.gateway.cluster.ClusterJson;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * The dashboard: everybody may load its files, and whoever may read {@code /metrics} sees its
 * figures. What it lets administrators do are requests like those of others.
 */
public final class Dashboard {
  private final DashboardFiles files = new DashboardFiles();
  private final DashboardEvents events;

  /**
   * @param threads read the figures
   * @param metrics with the figures of the Weir
   * @param cluster shown with them
   * @param mayLook lets a request for figures go on, or answers it
   * @param full answers a request for figures when {@link DashboardEvents#MAX_VIEWERS} look, or it
   *     is closed; {@code Retry-After} is set
   */
  public Dashboard(
      Vertx vertx,
      WorkerExecutor threads,
      Metrics metrics,
      ClusterJson cluster,
      Handler<RoutingContext> mayLook,
      Handler<RoutingContext> full) {
    this(vertx, threads, metrics, cluster, mayLook, full, DashboardEvents.DEFAULT_PERIOD_MS);
  }

  /**
   * The same with another time between two snapshots.
   *
   * @param periodMs greater than 0
   */
  public Dashboard(
      Vertx vertx,
      WorkerExecutor threads,
      Metrics metrics,
      ClusterJson cluster,
      Handler<RoutingContext> mayLook,
      Handler<RoutingContext> full,
      long periodMs) {
    DashboardSnapshot snapshot = new DashboardSnapshot(metrics, cluster);
    events = new DashboardEvents(vertx, threads, mayLook, full, snapshot::read, periodMs);
  }

  /** Adds its routes; called once, before the server listens. */
  public void mount(Router router) {
    files.mount(router);
    events.mount(router);
  }

  /** Ends the streams of all viewers, which would never end by themselves. */
  public void close() {
    events.close();
  }
}
