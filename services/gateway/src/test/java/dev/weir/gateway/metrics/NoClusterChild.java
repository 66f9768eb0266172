package dev.weir.gateway.metrics;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.gateway.Gateway;
import dev.weir.gateway.GatewayOptions;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** A node whose class path has no weir-cluster; prints its scrape. */
final class NoClusterChild {
  private NoClusterChild() {}

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Weir weir = Weir.create(vertx);
    Metrics metrics = Metrics.create().bind(weir);
    Futures.result(
        "serving", weir.serve("orders", new ServiceOptions(), message -> Future.succeededFuture()));
    Gateway gateway =
        Futures.result(
            "the gateway listens", Gateway.start(vertx, weir, new GatewayOptions().setPort(0)));
    System.out.println(metrics.scrape(MetricsFormat.PROMETHEUS_TEXT));
    Futures.result("the gateway closes", gateway.close());
    Futures.result("Vert.x closes", vertx.close());
    metrics.close();
  }
}
