package dev.weir.gateway.routes;

import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.http.Answer;
import dev.weir.gateway.http.Routes;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/**
 * {@code /health/live}: the process and its event loop are alive, which the answer proves. {@code
 * /health/ready}: 200 while every check passes, else 503; in both cases with the state of each, but
 * for HEAD.
 */
public final class HealthRoutes implements Routes {
  static final String LIVE = "/health/live";
  static final String READY = "/health/ready";

  private final WorkerExecutor threads;
  private final Health health;

  /** Uses the threads for what may block. */
  public HealthRoutes(WorkerExecutor threads, Health health) {
    this.threads = threads;
    this.health = health;
  }

  @Override
  public void mount(Router router) {
    route(router, LIVE)
        .handler(context -> answer(context, 200, new JsonObject().put("status", "UP")));
    route(router, READY).handler(this::ready);
  }

  /** Some probes ask with HEAD. */
  private static Route route(Router router, String path) {
    return router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD);
  }

  /** One at a time: checks that hang take no more than one thread. */
  private void ready(RoutingContext context) {
    Contexts.executeBlocking(threads, health::report, true)
        .onSuccess(report -> answer(context, report.ready() ? 200 : 503, report.toJson()))
        .onFailure(context::fail);
  }

  private static void answer(RoutingContext context, int status, JsonObject body) {
    Buffer content = body.toBuffer();
    HttpServerResponse response =
        context
            .response()
            .setStatusCode(status)
            .putHeader(HttpHeaders.CONTENT_TYPE, Answer.JSON)
            .putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length()))
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    // Over HTTP/2 a body would be sent.
    if (context.request().method() == HttpMethod.HEAD) {
      response.end();
    } else {
      response.end(content);
    }
  }
}
