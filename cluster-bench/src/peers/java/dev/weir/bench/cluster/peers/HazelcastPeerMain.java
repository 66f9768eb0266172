package dev.weir.bench.cluster.peers;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import dev.weir.bench.cluster.child.JvmDefaults;
import dev.weir.bench.cluster.child.ParentWatch;
import java.util.concurrent.TimeUnit;

/**
 * A Hazelcast member with the settings of Hazelcast, on the loopback address. Its arguments are its
 * port and that of the other member. It prints {@value #READY} when both have joined and each has
 * the backups of the other.
 */
final class HazelcastPeerMain {
  static final String READY = "READY";
  static final String CLUSTER = "weir-peer";
  static final String LOOPBACK = "127.0.0.1";

  private static final long POLL_MS = 10;

  private HazelcastPeerMain() {}

  /** Stays a member until the parent ends. */
  public static void main(String[] args) throws InterruptedException {
    ParentWatch.start();
    JvmDefaults.apply();
    Config config = new Config().setClusterName(CLUSTER + "-" + args[2]);
    config
        .setProperty("hazelcast.logging.type", "none")
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.socket.bind.any", "false");
    config.getNetworkConfig().setPort(Integer.parseInt(args[0])).setPortAutoIncrement(false);
    config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface(LOOPBACK);
    JoinConfig join = config.getNetworkConfig().getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig()
        .setEnabled(true)
        .addMember(LOOPBACK + ":" + args[0])
        .addMember(LOOPBACK + ":" + args[1]);
    HazelcastInstance member = Hazelcast.newHazelcastInstance(config);
    while (member.getCluster().getMembers().size() < 2
        || !member.getPartitionService().isClusterSafe()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
    System.out.println(READY);
  }
}
