package dev.weir.gateway;

import dev.weir.flow.Weir;
import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.admin.AdminRoutes;
import dev.weir.gateway.cluster.ClusterJson;
import dev.weir.gateway.dashboard.Dashboard;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.http.AllowedMethods;
import dev.weir.gateway.http.Exchange;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.MountedRequests;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.gateway.http.Routes;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.routes.HealthRoutes;
import dev.weir.gateway.routes.MetricsRoutes;
import dev.weir.gateway.routes.OpenApiRoutes;
import dev.weir.gateway.routes.ServiceRoutes;
import dev.weir.gateway.routes.TicketRoutes;
import dev.weir.options.Checks;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * HTTP in front of the services of a {@link Weir}. All methods may be called from any thread and do
 * not block.
 */
public final class Gateway {
  private final Vertx vertx;
  private final GatewayOptions options;
  private final Guard guard;
  private final Intake intake;
  private final Dashboard dashboard;
  private final Instruments instruments;
  private final Router router;
  private final Handler<HttpServerRequest> served;

  /** Null if there is no management port. */
  private final Router managementRouter;

  private HttpServer server;

  /** The same as the server if there is no management port. */
  private HttpServer managementServer;

  /** Null before the first call of close. */
  private Future<Void> closed;

  /** Completes when it is closed. */
  private final Promise<Void> ended = Promise.promise();

  private Gateway(
      Vertx vertx, Weir weir, GatewayOptions options, Guard guard, Instruments instruments) {
    this.vertx = vertx;
    this.options = options;
    this.guard = guard;
    this.intake = guard.newIntake();
    this.instruments = instruments;
    // First: it refuses a health that another port has, or that has such a check.
    guard.port().watch(instruments.metrics(), instruments.health(), intake);
    instruments.open(vertx);
    ClusterJson cluster = new ClusterJson(vertx, weir, instruments.metrics());
    this.dashboard =
        new Dashboard(
            vertx,
            instruments.figures(),
            instruments.metrics(),
            cluster,
            guard.access().metrics(),
            context ->
                Refusal.send(context, ProblemType.OVERLOADED, "too many dashboards are open"));
    boolean two = ManagementPort.isIn(options);
    List<Routes> management = managementRoutes(weir, cluster);
    ServiceRoutes services =
        new ServiceRoutes(vertx, weir, options, intake, guard.window(), guard.access());
    List<Routes> routes = new ArrayList<>(two ? commonRoutes() : management);
    routes.add(0, services);
    this.router = route(guard::mount, routes);
    this.served = guard.direct(router, services);
    this.managementRouter = two ? route(guard::mountManagement, management) : null;
  }

  /** In the order in which a request is offered to them. */
  private List<Routes> managementRoutes(Weir weir, ClusterJson cluster) {
    List<Routes> routes = new ArrayList<>(commonRoutes());
    routes.add(new HealthRoutes(instruments.checks(), instruments.health()));
    routes.add(new MetricsRoutes(instruments.figures(), instruments.metrics()));
    routes.add(dashboard::mount);
    routes.add(new AdminRoutes(weir, instruments.figures(), cluster, guard.access().admin()));
    return routes;
  }

  /** What each port serves. */
  private List<Routes> commonRoutes() {
    return List.of(new OpenApiRoutes(), new TicketRoutes(guard.access()));
  }

  /**
   * Starts to listen, with the metrics of the Weir and its health by {@link
   * GatewayOptions#getHealth}. A gateway that a verticle starts is closed when the verticle is
   * undeployed, any other when Vert.x closes. Gateways of one Vert.x with the same options share
   * the port, the limits and the figures.
   *
   * @param options copied
   * @return fails if the port is taken or cannot be bound, if a certificate or token file cannot be
   *     used, or if the address is not protected: see {@link GatewayOptions#setUnprotectedAllowed}
   */
  public static Future<Gateway> start(Vertx vertx, Weir weir, GatewayOptions options) {
    return start(vertx, weir, options, Authentication.TOKENS);
  }

  /**
   * The same with authentication by handlers of the user's.
   *
   * @param options copied
   * @param authentication not null
   */
  public static Future<Gateway> start(
      Vertx vertx, Weir weir, GatewayOptions options, Authentication authentication) {
    Checks.notNull("vertx", vertx);
    Checks.notNull("authentication", authentication);
    Health health = Health.of(weir, Checks.notNull("options", options).getHealth());
    Metrics metrics = Metrics.create().bind(weir);
    return start(vertx, weir, options, authentication, new Instruments(metrics, health, true))
        .onFailure(e -> metrics.close());
  }

  /**
   * The same with metrics and checks of the user's.
   *
   * @param options copied; {@link GatewayOptions#getHealth} is not used
   * @param metrics what {@code /metrics} shows; stays the user's to close
   * @param health what {@code /health/ready} asks, of one gateway; its state becomes one of the
   *     metrics
   */
  public static Future<Gateway> start(
      Vertx vertx, Weir weir, GatewayOptions options, Metrics metrics, Health health) {
    return start(vertx, weir, options, Authentication.TOKENS, metrics, health);
  }

  /** The same with authentication by handlers of the user's. */
  public static Future<Gateway> start(
      Vertx vertx,
      Weir weir,
      GatewayOptions options,
      Authentication authentication,
      Metrics metrics,
      Health health) {
    Checks.notNull("metrics", metrics);
    Checks.notNull("health", health);
    return start(vertx, weir, options, authentication, new Instruments(metrics, health, false));
  }

  private static Future<Gateway> start(
      Vertx vertx,
      Weir weir,
      GatewayOptions options,
      Authentication authentication,
      Instruments instruments) {
    Checks.notNull("vertx", vertx);
    Checks.notNull("weir", weir);
    Checks.notNull("options", options);
    Checks.notNull("authentication", authentication);
    GatewayOptions copy = HeapLimits.within(weir.heap(), options);
    Context caller = Contexts.caller(vertx);
    Future<Gateway> started =
        Guard.load(vertx, copy, weir.heap(), authentication, System::getenv)
            .compose(
                guard ->
                    guard
                        .orClose(() -> new Gateway(vertx, weir, copy, guard, instruments))
                        .listen());
    Contexts.closeWithVerticleOrVertx(
        vertx,
        caller,
        () -> started.compose(Gateway::close, failure -> Future.succeededFuture()),
        started.compose(gateway -> gateway.ended.future()));
    return started;
  }

  private Router route(Consumer<Router> guarded, List<Routes> routes) {
    Router all = Router.router(vertx);
    guarded.accept(all);
    routes.forEach(each -> each.mount(all));
    all.errorHandler(404, context -> fail(context, ProblemType.NOT_FOUND));
    all.errorHandler(405, context -> failMethod(all, context));
    all.errorHandler(400, context -> fail(context, ProblemType.BAD_REQUEST));
    all.errorHandler(401, guard.access()::refused);
    all.errorHandler(403, guard.access()::refused);
    all.errorHandler(500, context -> exchange(context).fail(context.failure()));
    return all;
  }

  private Future<Gateway> listen() {
    guard.port().loops().add(Contexts.eventLoop(vertx.getOrCreateContext()));
    server =
        guard
            .createServer(Listener.serverOptions(options, options.getPort()))
            .requestHandler(served);
    return listen(server, options.getPort())
        .compose(listening -> listenForManagement())
        .onSuccess(listening -> guard.watch(servers()))
        .map(this)
        .recover(failure -> closeAll(0).transform(done -> Future.failedFuture(failure)));
  }

  /** On another event loop than those of the services, which may be busy. */
  private Future<?> listenForManagement() {
    if (managementRouter == null) {
      managementServer = server;
      return Future.succeededFuture();
    }
    int port = options.getManagementPort();
    managementServer =
        guard
            .createManagementServer(Listener.serverOptions(options, port))
            .requestHandler(managementRouter);
    Promise<HttpServer> listening = Promise.promise();
    Contexts.newEventLoop(vertx, guard.port().loops())
        .runOnContext(now -> listen(managementServer, port).onComplete(listening));
    return listening.future();
  }

  private Future<HttpServer> listen(HttpServer unbound, int port) {
    return unbound
        .listen()
        .recover(failure -> Future.failedFuture(TakenPort.named(failure, options.getHost(), port)));
  }

  private HttpServer[] servers() {
    return managementRouter == null
        ? new HttpServer[] {server}
        : new HttpServer[] {server, managementServer};
  }

  private void failMethod(Router all, RoutingContext context) {
    String allowed = AllowedMethods.of(all, context.normalizedPath());
    context.response().putHeader(HttpHeaders.ALLOW, allowed);
    exchange(context).fail(Problem.of(ProblemType.METHOD_NOT_ALLOWED, "allowed is " + allowed));
  }

  /** With the path as it came: one that is not well formed cannot be normalized. */
  private void fail(RoutingContext context, ProblemType type) {
    exchange(context).fail(Problem.of(type, type.title));
  }

  private Exchange exchange(RoutingContext context) {
    return new Exchange(context.request(), context.request().path(), intake, "", null);
  }

  /** The port on which services are reached. */
  public int port() {
    return server.actualPort();
  }

  /**
   * The port of health, metrics, administration and the dashboard; the port of the services unless
   * there is another one.
   */
  public int managementPort() {
    return managementServer.actualPort();
  }

  /**
   * Reads certificate and token files now instead of at the next interval. If a file cannot be
   * used, its previous contents stay in use.
   *
   * @return true if any file has changed; fails if any cannot be used
   */
  public Future<Boolean> reload() {
    return guard.reload();
  }

  /**
   * Serves further routes on the port of services, from now on. The checks of host, origin, data
   * token, request line and headers stand before them. Their requests count as {@linkplain
   * #inFlight in flight}, streams of server-sent events until they begin, and are refused while the
   * gateway drains. When a client goes, its request is in flight no more, but its handler is not
   * stopped. If the handler has put a future into the data of the request as {@code weir.work}, the
   * request stays in flight until that completes. What bodies and handlers hold is theirs to limit.
   *
   * @param prefix what the paths of all of them begin with, such as {@code /documents}
   * @param routes adds them
   */
  public void mount(String prefix, Consumer<Router> routes) {
    router.route(prefix + "*").handler(guard.access().data()).handler(new MountedRequests(intake));
    routes.accept(router);
  }

  /** All that is served on the port of services. */
  Router router() {
    return router;
  }

  /** What was let in and what was not. */
  GuardStats guardStats() {
    return guard.stats();
  }

  /** Requests to services and to mounted routes that this gateway has not answered yet. */
  public int inFlight() {
    return intake.inFlight();
  }

  /** True from the first {@link #drain()} or {@link #close} on. */
  public boolean isDraining() {
    return intake.isClosed();
  }

  /**
   * Takes no more requests to services and mounted routes: they are answered with 503. All else is
   * served on.
   *
   * @return completes when no such request is in handling
   */
  public Future<Void> drain() {
    return intake.drain();
  }

  /**
   * Closes without waiting for requests in handling, which are not answered.
   *
   * @return completes when all connections are closed: after up to 10 s, if a client sends on
   *     although its request was refused
   */
  public Future<Void> close() {
    return close(0);
  }

  /**
   * Drains, and closes all connections when that is done or the time is over.
   *
   * @param drainTimeoutMs 0 or more
   * @return a second call gives the same result
   */
  public synchronized Future<Void> close(long drainTimeoutMs) {
    Checks.range("drainTimeoutMs", drainTimeoutMs, 0, Long.MAX_VALUE);
    if (closed == null) {
      long startNs = System.nanoTime();
      closed =
          drained(drainTimeoutMs)
              .compose(
                  done -> {
                    long spentMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
                    return closeAll(Math.max(0, drainTimeoutMs - spentMs));
                  })
              .onComplete(ended);
    }
    return closed;
  }

  /** Closes everything that is open, also after a start that failed half-way. */
  private Future<Void> closeAll(long timeoutMs) {
    dashboard.close();
    return shutdown(server, timeoutMs)
        .eventually(() -> shutdown(managementServer, timeoutMs))
        .eventually(
            () -> {
              guard.port().unwatch(instruments.health(), intake);
              guard.close();
              instruments.close();
              return Future.succeededFuture();
            });
  }

  private static Future<Void> shutdown(HttpServer server, long timeoutMs) {
    return server == null
        ? Future.succeededFuture()
        : server.shutdown(timeoutMs, TimeUnit.MILLISECONDS);
  }

  private Future<Void> drained(long timeoutMs) {
    Promise<Void> end = Promise.promise();
    drain().onSuccess(done -> end.tryComplete());
    if (timeoutMs == 0) {
      end.tryComplete();
    } else {
      long timer =
          Contexts.setTimer(vertx.getOrCreateContext(), timeoutMs, over -> end.tryComplete());
      end.future().onComplete(done -> vertx.cancelTimer(timer));
    }
    return end.future();
  }
}
