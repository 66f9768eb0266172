package dev.weir.queue;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(
            QueueStore.class, QueueDirectory.class, QueueMaintenance.class, QueueVerifier.class)
        .program("tool")
        .layer("store", "offline")
        .layer("je")
        .layer("line", "segment")
        .library("com.sleepycat", "je")
        .check();
  }
}
