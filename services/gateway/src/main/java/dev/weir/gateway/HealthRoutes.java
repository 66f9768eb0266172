package dev.weir.gateway;

import dev.weir.gateway.health.Health;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code /health/live}: the process and its event loop are alive, which the answer proves. {@code
 * /health/ready}: 200 while every check passes, else 503; in both cases with the state of each.
 */
final class HealthRoutes implements Routes {
  static final String LIVE = "/health/live";
  static final String READY = "/health/ready";

  private final Vertx vertx;
  private final Health health;

  HealthRoutes(Vertx vertx, Health health) {
    this.vertx = vertx;
    this.health = health;
  }

  @Override
  public void mount(Router router) {
    router.get(LIVE).handler(context -> answer(context, 200, new JsonObject().put("status", "UP")));
    router.get(READY).handler(this::ready);
  }

  /** One at a time: checks that hang take no more than one thread. */
  private void ready(RoutingContext context) {
    vertx
        .executeBlocking(health::report)
        .onSuccess(report -> answer(context, report.ready() ? 200 : 503, report.toJson()))
        .onFailure(context::fail);
  }

  private static void answer(RoutingContext context, int status, JsonObject body) {
    context
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(body.toBuffer());
  }
}
