package dev.weir.launcher;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(Launcher.class).library("com.hazelcast", "").check();
  }
}
