package dev.weir.group;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(
            Groups.class,
            GroupService.class,
            HostedShards.class,
            ReplicatedFactories.class,
            ShardCommands.class)
        .layer("duty", "documents", "move")
        .layer("apply", "call")
        .layer("wire", "layout", "trace")
        .layer("placement")
        .check();
  }
}
