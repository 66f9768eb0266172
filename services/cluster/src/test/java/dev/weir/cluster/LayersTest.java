package dev.weir.cluster;

import dev.weir.testing.Layers;
import org.junit.jupiter.api.Test;

class LayersTest {
  @Test
  void dependenciesPointDown() {
    Layers.entry(
            ClusterNode.class,
            GroupBuilder.class,
            ProcessorGroup.class,
            ForcedPrimary.class,
            GroupLogs.class,
            ViewableState.class,
            ProcessorClient.class,
            ClientEndpoint.class)
        .layer("client", "replica")
        .layer("state")
        .layer("log")
        .layer("transport.tcp", "transport.hazelcast")
        .layer("transport")
        .layer("threads")
        .layer("protocol")
        .library("com.sleepycat", "log")
        .library("com.hazelcast", "transport.hazelcast", "")
        .vertxInternals("client")
        .check();
  }
}
