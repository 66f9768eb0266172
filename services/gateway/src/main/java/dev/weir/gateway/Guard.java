package dev.weir.gateway;

import dev.weir.gateway.http.IdempotencyWindow;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.Target;
import dev.weir.gateway.limits.ServerMaker;
import dev.weir.gateway.routes.DirectCalls;
import dev.weir.gateway.routes.MetricsRoutes;
import dev.weir.gateway.routes.ServiceRoutes;
import dev.weir.gateway.security.Access;
import dev.weir.gateway.security.Cors;
import dev.weir.gateway.security.HostCheck;
import dev.weir.gateway.security.Protection;
import dev.weir.gateway.security.Tls;
import dev.weir.gateway.security.TokenKind;
import dev.weir.gateway.security.Tokens;
import dev.weir.options.ByteBudget;
import dev.weir.options.HeapBudget;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Protects a port before any route is asked: TLS, host names, tokens and limits. */
public final class Guard {
  private final Listener services;
  private final Listener management;
  private final Tls tls;
  private final Tokens tokens;
  private final Access access;
  private final HostCheck hosts;
  private final Cors cors;
  private final AccessLogFormat accessLog;

  private Guard(
      Vertx vertx,
      GatewayOptions options,
      HeapBudget heap,
      Authentication users,
      Tls tls,
      Tokens tokens) {
    this.accessLog = options.getAccessLog();
    this.services = new Listener(vertx, options, heap.share(HeapBudget.Share.BODIES));
    this.management = ManagementPort.isIn(options) ? management(vertx, options) : null;
    this.tls = tls;
    this.tokens = tokens;
    boolean metricsOpen =
        options.getTokens().isMetricsOpen() || Protection.isLoopback(options.getHost());
    this.cors = new Cors(options);
    this.access = new Access(tokens, users, metricsOpen, port().tickets(), cors, port().denied());
    this.hosts = new HostCheck(options, access);
  }

  /** Has its own budget, so that it answers while the services use up theirs. */
  private static Listener management(Vertx vertx, GatewayOptions options) {
    GatewayOptions own = ManagementPort.listenerOptions(options);
    return new Listener(vertx, own, new ByteBudget(own.getLimits().getMaxBodyBytesInFlight()));
  }

  /**
   * Reads certificates and tokens.
   *
   * @param heap on whose share for bodies the gateway draws
   * @param environment from a variable's name to its value or null
   * @return fails with {@link IllegalArgumentException} if what is configured does not protect the
   *     address enough, or with the reason why a file cannot be used
   */
  static Future<Guard> load(
      Vertx vertx,
      GatewayOptions options,
      HeapBudget heap,
      Authentication users,
      UnaryOperator<String> environment) {
    try {
      ManagementPort.check(options);
    } catch (IllegalArgumentException e) {
      return Future.failedFuture(e);
    }
    return Tls.load(vertx, options.getTls())
        .compose(
            tls ->
                Tokens.load(vertx, options.getTokens(), environment)
                    .map(
                        tokens -> {
                          boolean known =
                              users.data() != null || !tokens.of(TokenKind.DATA).isEmpty();
                          Protection.require(options, tls != null, known);
                          return new Guard(vertx, options, heap, users, tls, tokens);
                        }));
  }

  /** The server for the port of services; see {@link Listener#createServer}. */
  HttpServer createServer(HttpServerOptions options) {
    return createServer(ServerMaker.best(), options);
  }

  /** The same by a maker of choice. */
  HttpServer createServer(ServerMaker servers, HttpServerOptions options) {
    return services.createServer(servers, options, tls);
  }

  /** The same for the management port; only if the options have one. */
  HttpServer createManagementServer(HttpServerOptions options) {
    return management.createServer(ServerMaker.best(), options, tls);
  }

  /** Before all other routes; those of services are open to data tokens only. */
  void mount(Router router) {
    mount(services, router);
  }

  /** The same in front of the routes of the management port. */
  void mountManagement(Router router) {
    mount(management, router);
  }

  private void mount(Listener listener, Router router) {
    if (isLogged()) {
      router.route().handler(new AccessLog(accessLog, Access::principal));
    }
    listener.mount(router);
    router.route().handler(hosts);
    router.route().handler(cors);
    router.route(Target.PREFIX + "*").handler(access.data());
    router.route(MetricsRoutes.PATH).handler(access.metrics());
  }

  private boolean isLogged() {
    return accessLog != AccessLogFormat.NONE;
  }

  /**
   * What asks the services without a router, and the router for all else; the router alone where
   * requests are logged.
   */
  Handler<HttpServerRequest> direct(Router router, ServiceRoutes called) {
    return isLogged() ? router : new DirectCalls(router, port().requests(), hosts, access, called);
  }

  /** From now on looks at its files and connections. */
  void watch(HttpServer... servers) {
    services.watch();
    if (management != null) {
      management.watch();
    }
    if (tls != null) {
      tls.watch(List.of(servers));
    }
    tokens.watch();
  }

  public Access access() {
    return access;
  }

  /** The answers to requests with a key, of all gateways of the port. */
  public IdempotencyWindow window() {
    return port().window();
  }

  /** Makes the guard of one gateway; its counts are added to the figures of the port. */
  Intake newIntake() {
    return new Intake(port().calls(), port().taken());
  }

  GuardStats stats() {
    return port().stats();
  }

  /** What all gateways of the port of services have in common. */
  PortState port() {
    return services.port();
  }

  /** Looks at the files now; true if any had something new, failed if any cannot be used. */
  Future<Boolean> reload() {
    Future<Boolean> certificate = tls == null ? Future.succeededFuture(false) : tls.reload();
    return Future.join(certificate, tokens.reload())
        .map(both -> both.<Boolean>list().contains(true));
  }

  /** Makes what this guards; closes this if that fails. */
  <T> T orClose(Supplier<T> maker) {
    try {
      return maker.get();
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Once, also if it was never watched. */
  void close() {
    services.close();
    if (management != null) {
      management.close();
    }
    if (tls != null) {
      tls.close();
    }
    tokens.close();
  }
}
