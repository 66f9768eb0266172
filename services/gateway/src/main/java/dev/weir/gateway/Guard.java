package dev.weir.gateway;

import dev.weir.gateway.http.IdempotencyWindow;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.http.Target;
import dev.weir.gateway.limits.ConnectionCounts;
import dev.weir.gateway.limits.Connections;
import dev.weir.gateway.limits.GuardedServer;
import dev.weir.gateway.limits.RequestLimit;
import dev.weir.gateway.limits.Slowness;
import dev.weir.gateway.routes.MetricsRoutes;
import dev.weir.gateway.security.Access;
import dev.weir.gateway.security.Cors;
import dev.weir.gateway.security.HostCheck;
import dev.weir.gateway.security.Protection;
import dev.weir.gateway.security.Tls;
import dev.weir.gateway.security.TokenKind;
import dev.weir.gateway.security.Tokens;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** What stands between the network and the routes: TLS, names, tokens and limits. */
public final class Guard {
  private final Vertx vertx;
  private final GatewayOptions options;
  private final LimitOptions limits;
  private final PortState port;
  private final Tls tls;
  private final Tokens tokens;
  private final Access access;
  private final HostCheck hosts;
  private final Cors cors;
  private final Connections connections;

  private Guard(Vertx vertx, GatewayOptions options, Authentication users, Tls tls, Tokens tokens) {
    this.vertx = vertx;
    this.options = options;
    this.limits = options.getLimits();
    this.port = PortState.join(vertx, options);
    this.connections = new Connections(vertx, limits, port.connections());
    this.tls = tls;
    this.tokens = tokens;
    boolean metricsOpen =
        options.getTokens().isMetricsOpen() || Protection.isLoopback(options.getHost());
    this.cors = new Cors(options);
    this.access = new Access(tokens, users, metricsOpen, port.tickets(), cors, port.denied());
    this.hosts = new HostCheck(options, access);
  }

  /**
   * Reads certificates and tokens.
   *
   * @param environment from a variable's name to its value or null
   * @return fails with {@link IllegalArgumentException} if what is configured does not protect the
   *     address enough, or with the reason why a file cannot be used
   */
  static Future<Guard> load(
      Vertx vertx,
      GatewayOptions options,
      Authentication users,
      UnaryOperator<String> environment) {
    return Tls.load(vertx, options.getTls())
        .compose(
            tls ->
                Tokens.load(vertx, options.getTokens(), environment)
                    .map(
                        tokens -> {
                          boolean known =
                              users.data() != null || !tokens.of(TokenKind.DATA).isEmpty();
                          Protection.require(options, tls != null, known);
                          return new Guard(vertx, options, users, tls, tokens);
                        }));
  }

  /** A server that takes only the connections, and of each only as much, as is allowed. */
  HttpServer createServer(HttpServerOptions options) {
    options
        .setMaxHeaderSize(limits.getMaxHeaderBytes())
        .setMaxInitialLineLength(limits.getMaxRequestLineBytes())
        .setSslHandshakeTimeout(limits.getHeaderTimeoutMs())
        .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS)
        .setTcpKeepAlive(true);
    options
        .getInitialSettings()
        .setMaxConcurrentStreams(limits.getMaxHttp2Streams())
        .setMaxHeaderListSize(limits.getMaxHeaderBytes());
    if (tls != null) {
      tls.configure(options);
    }
    return GuardedServer.create(vertx, options, connections::arrive, connections::admit)
        .connectionHandler(connections::speaks)
        .exceptionHandler(connections::failed);
  }

  /** Before all other routes; those of services are open to data tokens only. */
  void mount(Router router) {
    router.route().handler(port.requests());
    router.route().handler(hosts);
    router.route().handler(cors);
    router.route(Target.PREFIX + "*").handler(access.data());
    router.route(MetricsRoutes.PATH).handler(access.metrics());
  }

  /** From now on looks at its files and connections. */
  void watch(HttpServer server) {
    connections.watch();
    if (tls != null) {
      tls.watch(server);
    }
    tokens.watch();
  }

  public Access access() {
    return access;
  }

  /** The answers to requests with a key, of all gateways of the port. */
  public IdempotencyWindow window() {
    return port.window();
  }

  /** For one gateway; what it counts goes into the figures of the port. */
  Intake newIntake() {
    return new Intake(port.calls(), port.taken());
  }

  GuardStats stats() {
    ConnectionCounts counts = port.connections();
    RequestLimit requests = port.requests();
    return new GuardStats(
        counts.open(),
        counts.refused(),
        counts.slowlyUsed(Slowness.HEADER),
        counts.slowlyUsed(Slowness.BODY),
        counts.slowlyUsed(Slowness.IDLE),
        counts.slowlyUsed(Slowness.WRITE),
        requests.inFlight(),
        requests.bodyBytesInFlight(),
        requests.rejected(),
        port.denied().sum(),
        port.calls().get(),
        port.taken().sum());
  }

  /** Looks at the files now; true if any had something new, failed if any cannot be used. */
  Future<Boolean> reload() {
    Future<Boolean> certificate = tls == null ? Future.succeededFuture(false) : tls.reload();
    return Future.join(certificate, tokens.reload())
        .map(both -> both.<Boolean>list().contains(true));
  }

  /** Once, also if it was never watched. */
  void close() {
    PortState.leave(vertx, options);
    connections.close();
    if (tls != null) {
      tls.close();
    }
    tokens.close();
  }
}
