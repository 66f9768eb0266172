package dev.weir.options;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void thereIsOnePackage() {
    Layers.entry(Options.class).check();
  }
}
