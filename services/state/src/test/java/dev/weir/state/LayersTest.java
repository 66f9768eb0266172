package dev.weir.state;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(Documents.class)
        .layer("call")
        .layer("engine")
        .layer("je")
        .layer("change")
        .library("com.sleepycat", "je")
        .check();
  }
}
