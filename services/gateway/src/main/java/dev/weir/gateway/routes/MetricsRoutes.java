package dev.weir.gateway.routes;

import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.http.Routes;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.metrics.MetricsFormat;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** {@code /metrics}: all figures for Prometheus, as text or, if asked for, as OpenMetrics. */
public final class MetricsRoutes implements Routes {
  public static final String PATH = "/metrics";

  private final WorkerExecutor threads;
  private final Metrics metrics;

  /** Uses the threads for what may block. */
  public MetricsRoutes(WorkerExecutor threads, Metrics metrics) {
    this.threads = threads;
    this.metrics = metrics;
  }

  @Override
  public void mount(Router router) {
    router.get(PATH).handler(this::scrape);
  }

  /** Off the event loop, because it asks the file system; one at a time. */
  private void scrape(RoutingContext context) {
    MetricsFormat format = MetricsFormat.of(context.request().getHeader(HttpHeaders.ACCEPT));
    Contexts.executeBlocking(threads, () -> metrics.scrape(format), true)
        .onSuccess(
            text ->
                context
                    .response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, format.contentType())
                    .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
                    .end(text))
        .onFailure(context::fail);
  }
}
