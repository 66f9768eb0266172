package dev.weir.bench.eventbus;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {

  @Test
  void dependenciesPointDown() {
    Layers.entry(EventBusBench.class)
        .layer("latency", "durable", "metrics", "http", "start")
        .layer("rpc")
        .layer("fixture")
        .layer("body")
        .library("com.sleepycat", "")
        .vertxInternals("")
        .check();
  }
}
