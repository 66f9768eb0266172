package dev.weir.launcher;

import dev.weir.cluster.ClusterNode;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceStats;
import dev.weir.flow.Weir;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.gateway.metrics.Metrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxBuilder;
import io.vertx.core.VertxOptions;
import io.vertx.core.spi.VertxTracerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A service with its Weir and its gateways, from their start to their orderly stop. */
final class Running {
  /** For answers that the closing of the services has given. */
  private static final long LAST_ANSWERS_MS = 1_000;

  private final LaunchedService service;
  private final LaunchOptions options;
  private final Consumer<String> say;
  private final List<Gateway> gateways = new ArrayList<>();
  private final Metrics metrics;
  private Weir weir;
  private Health health;
  private Future<?> serving;
  private Future<Void> stopped;
  private boolean ready;

  /** Leaves the groups of the service, if it has any. */
  private volatile Supplier<Future<?>> leave = Future::succeededFuture;

  /**
   * @param say takes a line for the user
   */
  Running(LaunchedService service, LaunchOptions options, Consumer<String> say) {
    this.service = service;
    this.options = options;
    this.say = say;
    this.metrics = Metrics.create(service.registries().toArray(MeterRegistry[]::new));
  }

  /**
   * A builder for the Vert.x to run on, with the tracer of the service; its figures are shown with
   * the others.
   */
  VertxBuilder vertx(VertxOptions vertxOptions) {
    VertxBuilder builder = metrics.vertx(vertxOptions);
    VertxTracerFactory tracing = service.tracing();
    return tracing == null ? builder : builder.withTracer(tracing);
  }

  /** Has operators see these nodes of the cluster. */
  void show(ClusterView cluster) {
    metrics.bindCluster(cluster);
  }

  /**
   * Begins to start the service, not on an event loop: those are for HTTP. {@link #stop} does not
   * wait until the service has begun, which may take long.
   *
   * @param node null for a node without groups
   * @throws IllegalStateException after {@link #stop}
   */
  void serve(Vertx vertx, ClusterNode node) {
    open(vertx);
    Future<?> started;
    try {
      started = start(vertx, node).map(done -> watch());
    } catch (Throwable e) {
      started = Future.failedFuture(e);
    }
    synchronized (this) {
      serving = started;
    }
  }

  private Future<?> start(Vertx vertx, ClusterNode node) {
    if (node == null) {
      return service.start(vertx, weir);
    }
    LaunchedMember member = (LaunchedMember) service;
    leave = member::leave;
    return member.start(vertx, weir, node).compose(started -> member.bind(metrics));
  }

  private Void watch() {
    service.meters().forEach(metrics::bind);
    service.checks().forEach(health::add);
    return null;
  }

  private synchronized void open(Vertx vertx) {
    if (stopped != null) {
      throw new IllegalStateException("stopping");
    }
    weir = Weir.create(vertx, options.store());
    metrics.bind(weir);
    health =
        Health.of(weir, options.http().getHealth()).add(HealthCheck.of("running", this::check));
  }

  private HealthResult check() {
    return isStopping() ? HealthResult.fail("stopping") : HealthResult.pass();
  }

  /** One event loop that serves HTTP, as soon as the service is started. */
  VerticleBase newInstance() {
    return new VerticleBase() {
      @Override
      public Future<?> start() {
        return serving().compose(served -> listen(vertx));
      }
    };
  }

  private synchronized Future<?> serving() {
    return serving;
  }

  private Future<Gateway> listen(Vertx vertx) {
    return Gateway.start(
            vertx, weir, options.http(), service.authentication(vertx), metrics, health)
        .map(
            gateway -> {
              service.mount(gateway);
              add(gateway);
              return gateway;
            });
  }

  private synchronized void add(Gateway gateway) {
    gateways.add(gateway);
  }

  /** Called when all has started; what stops before says nothing of it. */
  synchronized void ready() {
    if (stopped != null) {
      return;
    }
    ready = true;
    Gateway gateway = gateways.get(0);
    if (gateway.managementPort() != gateway.port()) {
      say.accept("management at " + url(gateway.managementPort()));
    }
    say.accept("ready at " + url(gateway.port()));
  }

  private String url(int port) {
    String scheme = options.http().getTls().isEnabled() ? "https" : "http";
    return scheme + "://" + options.http().getHost() + ":" + port + "/";
  }

  /**
   * Stops accepting, completes accepted messages within the time for it, and closes files and
   * connections. Until then the gateway answers that it is not ready, and 503.
   *
   * @return completes when all is closed; a second call gives the same result
   */
  synchronized Future<Void> stop() {
    if (stopped == null) {
      stopped = weir == null ? Future.succeededFuture() : drain();
    }
    return stopped;
  }

  /** True from the first call of {@link #stop}. */
  synchronized boolean isStopping() {
    return stopped != null;
  }

  private Future<Void> drain() {
    if (ready) {
      say.accept("stopping, within " + options.drainTimeoutMs() + " ms");
    }
    long startNs = System.nanoTime();
    List<Service> services = weir.services();
    return Future.join(gateways.stream().map(Gateway::drain).toList())
        .timeout(Math.max(1, options.drainTimeoutMs()), TimeUnit.MILLISECONDS)
        .eventually(() -> leave.get().mapEmpty())
        .eventually(() -> close(services, remainingMs(startNs)))
        .eventually(weir::close)
        .onComplete(closed -> services.forEach(this::sayFigures))
        .eventually(
            () -> Future.join(gateways.stream().map(each -> each.close(LAST_ANSWERS_MS)).toList()))
        .onComplete(
            closed -> {
              service.stop();
              metrics.close();
            })
        .mapEmpty();
  }

  private static Future<?> close(List<Service> services, long drainTimeoutMs) {
    return Future.join(services.stream().map(each -> each.close(drainTimeoutMs)).toList());
  }

  private long remainingMs(long startNs) {
    long spentMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    return Math.max(0, options.drainTimeoutMs() - spentMs);
  }

  private void sayFigures(Service served) {
    if (!ready) {
      return;
    }
    ServiceStats stats = served.stats();
    say.accept(
        String.format(
            "%s: accepted %d, completed %d, failed %d, rejected %d, kept on disk %d",
            served.address(),
            stats.accepted() + stats.recovered(),
            stats.completed(),
            stats.failed(),
            stats.rejected(),
            stats.waitingOnDisk()));
  }
}
