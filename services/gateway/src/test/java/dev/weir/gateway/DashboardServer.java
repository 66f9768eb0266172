package dev.weir.gateway;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.GroupBuilder;
import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.ProcessorGroup;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.admin.AdminRoutes;
import dev.weir.gateway.cluster.ClusterJson;
import dev.weir.gateway.dashboard.Dashboard;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.gateway.metrics.GroupMetrics;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.routes.MetricsRoutes;
import dev.weir.testing.Futures;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A node with a dashboard, its metrics, and an admin token. */
final class DashboardServer implements AutoCloseable {
  /** More often than in a gateway, so that no test waits for a snapshot for long. */
  private static final long PERIOD_MS = 250;

  static final String TOKEN = "a-token-of-a-test";

  /** Opens the figures, but not administration. */
  static final String LOOK = "a-token-to-look";

  final Vertx vertx = Vertx.vertx();
  final Weir weir;
  final Metrics metrics = Metrics.create();
  volatile boolean figuresLocked;
  private HttpServer server;
  private Dashboard dashboard;

  DashboardServer(Path directory) {
    weir =
        Weir.create(
            vertx,
            new WeirOptions()
                .setDirectory(directory.toString())
                .setBackupDirectory(directory.resolve("backups").toString()));
    metrics.bind(weir).bind(Health.of(weir, new HealthOptions()));
    listen(0);
  }

  void stop() {
    dashboard.close();
    Futures.result("the server closes", server.close());
  }

  void listen(int port) {
    WorkerExecutor threads = vertx.createSharedWorkerExecutor("figures", 1);
    ClusterJson cluster = new ClusterJson(vertx, weir, metrics);
    dashboard =
        new Dashboard(vertx, threads, metrics, cluster, look(), DashboardServer::full, PERIOD_MS);
    Router router = Router.router(vertx);
    dashboard.mount(router);
    new AdminRoutes(weir, threads, cluster, admin()).mount(router);
    new MetricsRoutes(threads, metrics).mount(router);
    server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(port, "127.0.0.1"));
  }

  /** A group of this process alone. */
  ProcessorGroup group(String name) {
    ProcessorGroup group =
        GroupBuilder.alone(
                new GroupOptions()
                    .setName(name)
                    .setMembers(List.of("node-a"))
                    .setPersistence(false)
                    .setAckLevel(AckLevel.RECEIVED),
                null)
            .processor(new CountingProcessor())
            .replies((client, sequence, buffer, offset, length) -> {})
            .start();
    metrics.bind(new GroupMetrics(group));
    return group;
  }

  private Handler<RoutingContext> look() {
    return context -> {
      String authorization = context.request().getHeader("Authorization");
      if (!figuresLocked
          || Arrays.asList("Bearer " + TOKEN, "Bearer " + LOOK).contains(authorization)) {
        context.next();
      } else {
        Refusal.send(context, ProblemType.UNAUTHORIZED, "the token is not valid");
      }
    };
  }

  private static void full(RoutingContext context) {
    Refusal.send(context, ProblemType.OVERLOADED, "too many dashboards are open");
  }

  private static Handler<RoutingContext> admin() {
    return context -> {
      String authorization = context.request().getHeader("Authorization");
      if (("Bearer " + TOKEN).equals(authorization)) {
        context.next();
      } else if (("Bearer " + LOOK).equals(authorization)) {
        Refusal.send(context, ProblemType.FORBIDDEN, "this token is for figures");
      } else {
        Refusal.send(context, ProblemType.UNAUTHORIZED, "the token is not valid");
      }
    };
  }

  int port() {
    return server.actualPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  Service serve(String address, ServiceOptions options, ServiceHandler<Object> handler) {
    return Futures.result("serving " + address, weir.serve(address, options, handler));
  }

  @Override
  public void close() {
    stop();
    metrics.close();
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }
}
