package dev.weir.flow;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(Weir.class, RemoteServices.class, NoCopyBody.class)
        .layer("remote")
        .layer("impl")
        .layer("pool", "vertx")
        .vertxInternals("vertx")
        .check();
  }
}
