package dev.weir.bench.cluster;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(ClusterBench.class)
        .layer("wiretowire", "groups", "documents", "failover", "shards", "program")
        .layer("steady")
        .layer("floors", "options", "member")
        .layer("processor")
        .layer("threads", "injection", "network")
        .layer("child")
        .library("com.sleepycat", "floors")
        .library("com.hazelcast", "floors", "member")
        .check();
  }
}
