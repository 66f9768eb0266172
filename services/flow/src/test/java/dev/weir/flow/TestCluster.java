package dev.weir.flow;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.util.List;

/** Nodes of a clustered event bus on this machine. */
final class TestCluster {
  private TestCluster() {}

  /**
   * A node.
   *
   * @param name of the cluster
   * @param port its own
   * @param ports of all nodes
   */
  static Future<Vertx> node(String name, int port, List<Integer> ports) {
    Config config = new Config().setClusterName(name);
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getMulticastConfig().setEnabled(false);
    join.getAutoDetectionConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true);
    ports.forEach(each -> join.getTcpIpConfig().addMember("127.0.0.1:" + each));
    return Vertx.builder()
        .with(new VertxOptions().setEventBusOptions(new EventBusOptions().setHost("127.0.0.1")))
        .withClusterManager(new HazelcastClusterManager(config))
        .buildClustered();
  }
}
