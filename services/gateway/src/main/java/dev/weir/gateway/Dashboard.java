package dev.weir.gateway;

import dev.weir.flow.Weir;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * The page for people: its files are open to all, its figures to whom {@code /metrics} is, its
 * actions to administrators.
 */
final class Dashboard implements Routes {
  private final DashboardFiles files = new DashboardFiles();
  private final DashboardEvents events;
  private final AdminRoutes admin;

  /**
   * @param metrics with the figures of the Weir
   * @param mayLook lets a request for figures go on, or answers it
   * @param mayAct lets an administrator's request go on, or answers it
   */
  Dashboard(
      Vertx vertx,
      Weir weir,
      Metrics metrics,
      Handler<RoutingContext> mayLook,
      Handler<RoutingContext> mayAct) {
    DashboardSnapshot snapshot = new DashboardSnapshot(metrics);
    events = new DashboardEvents(vertx, mayLook, snapshot::read, DashboardEvents.DEFAULT_PERIOD_MS);
    admin = new AdminRoutes(weir, mayAct);
  }

  @Override
  public void mount(Router router) {
    files.mount(router);
    events.mount(router);
    admin.mount(router);
  }

  /** Ends the streams of all viewers, which would never end by themselves. */
  void close() {
    events.close();
  }
}
