package dev.weir.state;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(Documents.class, DocumentRoutes.class)
        .layer("http")
        .layer("call")
        .layer("engine")
        .layer("je")
        .layer("table")
        .layer("change", "query")
        .layer("index")
        .library("com.sleepycat", "je")
        .check();
  }
}
