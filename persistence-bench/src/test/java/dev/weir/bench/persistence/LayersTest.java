package dev.weir.bench.persistence;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {

  @Test
  void dependenciesPointDown() {
    Layers.entry(PersistenceBench.class)
        .layer("loggers", "program", "queue", "documents")
        .layer("store.je", "store.file", "store.chronicle")
        .layer("store")
        .library("com.sleepycat", "store.je")
        .library("net.openhft.chronicle", "store.chronicle")
        .check();
  }
}
