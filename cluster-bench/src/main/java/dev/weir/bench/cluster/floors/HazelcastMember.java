package dev.weir.bench.cluster.floors;

import com.hazelcast.config.Config;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;

/** Starts a plain Hazelcast member, without Weir, on the loopback address. */
final class HazelcastMember {
  static final String MAP = "floor";

  private static final String LOOPBACK = "127.0.0.1";
  private static final String NAME = "weir-floor";

  private HazelcastMember() {}

  /** Starts the member on its port. It only joins members on the given ports. */
  static HazelcastInstance start(int port, List<Integer> members) {
    Config config = new Config().setClusterName(NAME + "-" + members.get(0));
    config
        .setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.shutdownhook.enabled", "false")
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.wait.seconds.before.join", "0")
        .setProperty("hazelcast.partition.count", "31")
        .setProperty("hazelcast.concurrent.window.ms", "0")
        .setProperty("hazelcast.operation.fail.on.indeterminate.state", "true")
        .setProperty("hazelcast.operation.response.thread.count", "0");
    config.getNetworkConfig().setPort(port).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getMulticastConfig().setEnabled(false);
    config.getNetworkConfig().getJoin().getTcpIpConfig().setEnabled(true);
    members.forEach(
        member ->
            config
                .getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .addMember(LOOPBACK + ":" + member));
    config.getMetricsConfig().setEnabled(false);
    config.addMapConfig(
        new MapConfig(MAP)
            .setBackupCount(1)
            .setInMemoryFormat(InMemoryFormat.BINARY)
            .setStatisticsEnabled(false));
    config
        .getSerializationConfig()
        .setJavaSerializationFilterConfig(new JavaSerializationFilterConfig())
        .addDataSerializableFactory(StoreBytes.FACTORY_ID, type -> new StoreBytes());
    return Hazelcast.newHazelcastInstance(config);
  }
}
