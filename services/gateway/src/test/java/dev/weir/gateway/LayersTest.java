package dev.weir.gateway;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  @NeedsVertx50
  void dependenciesPointDown() {
    Layers.entry(
            Gateway.class,
            AccessLog.class,
            Guard.class,
            GatewayWatch.class,
            Instruments.class,
            Listener.class,
            PortState.class)
        .layer("vertx50")
        .layer("routes", "admin", "dashboard")
        .layer("websocket")
        .layer("limits", "security")
        .layer("http")
        .layer("health", "cluster")
        .layer("metrics")
        .vertxInternals("limits", "vertx50")
        .check();
  }
}
