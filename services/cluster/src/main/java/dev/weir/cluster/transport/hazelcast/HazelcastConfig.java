package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.MultiMapConfig;
import com.hazelcast.config.NetworkConfig;
import dev.weir.cluster.NodeOptions;
import java.net.InetSocketAddress;

/**
 * Creates the whole configuration of a Hazelcast member; no configuration file is read. The member
 * connects only to the addresses in the options and opens only the port in the options.
 */
public final class HazelcastConfig {
  /** Few, because Weir stores nothing in partitions; must be the same on all members. */
  private static final int PARTITIONS = 31;

  private static final int THREADS = 2;

  /** Two members may be lost at once without losing what others have registered on the bus. */
  private static final int BUS_BACKUPS = 2;

  /**
   * When the oldest member has left, the next oldest asks each other member to accept it as the
   * master. A member accepts only after it has itself found that the oldest has left. Hazelcast
   * removes a member that has not accepted after the last attempt. It makes so many attempts within
   * the first half second.
   */
  private static final int FAST_CLAIMS = 15;

  /** Attempts in each second after the first half. */
  private static final int CLAIMS_PER_S = 2;

  private static final int SHUTDOWN_S = 10;
  private static final int MERGE_S = 10;

  private HazelcastConfig() {}

  /**
   * Creates a configuration for a member of Weir or one that carries the event bus.
   *
   * @param options the addresses and timeouts are used, the rest is ignored
   * @param hostAddress IP address to listen on
   */
  public static Config of(NodeOptions options, String hostAddress) {
    Config config = new Config();
    config.setClusterName(options.getClusterName());
    InetSocketAddress own = new InetSocketAddress(hostAddress, options.getPort());
    network(config.getNetworkConfig(), options, own);
    sockets(config, hostAddress);
    threads(config);
    membership(config, options);
    eventBus(config);
    quiet(config);
    JavaSerialization.restrict(config);
    return config;
  }

  private static void network(NetworkConfig network, NodeOptions options, InetSocketAddress own) {
    network.setPort(options.getPort()).setPortAutoIncrement(false);
    if (!options.getPublicHost().equals(options.getHost())
        || options.getPublicPort() != options.getPort()) {
      network.setPublicAddress(options.getPublicHost() + ":" + options.getPublicPort());
    }
    // Lets a restarted member bind its port while its old connections linger.
    network.setReuseAddress(true);
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.setTcpIpConfig(new PatientJoin(own, options.getJoin()));
  }

  private static void sockets(Config config, String hostAddress) {
    config
        .setProperty("hazelcast.local.localAddress", hostAddress)
        .setProperty("hazelcast.socket.bind.any", "false")
        .setProperty("hazelcast.tcp.join.port.try.count", "1");
  }

  /**
   * Sets few threads, for machines with two CPUs: the thread that reads a response handles it, and
   * the thread that sends a packet writes it.
   */
  private static void threads(Config config) {
    config
        .setProperty("hazelcast.partition.count", "" + PARTITIONS)
        .setProperty("hazelcast.operation.thread.count", "" + THREADS)
        .setProperty("hazelcast.operation.generic.thread.count", "" + THREADS)
        .setProperty("hazelcast.operation.response.thread.count", "0")
        .setProperty("hazelcast.io.thread.count", "1")
        .setProperty("hazelcast.concurrent.window.ms", "0")
        .setProperty("hazelcast.event.thread.count", "1")
        .setProperty("hazelcast.clientengine.thread.count", "1")
        .setProperty("hazelcast.clientengine.query.thread.count", "1")
        .setProperty("hazelcast.clientengine.blocking.thread.count", "1");
  }

  private static void membership(Config config, NodeOptions options) {
    // A member without a broken connection finds only by missing heartbeats that another has left.
    int latestS = options.getMemberTimeoutS() + options.getMemberHeartbeatS();
    config
        .setProperty("hazelcast.wait.seconds.before.join", "0")
        .setProperty("hazelcast.heartbeat.interval.seconds", "" + options.getMemberHeartbeatS())
        .setProperty("hazelcast.max.no.heartbeat.seconds", "" + options.getMemberTimeoutS())
        // Hazelcast uses the value as seconds and as the number of attempts.
        .setProperty(
            "hazelcast.mastership.claim.timeout.seconds",
            "" + (FAST_CLAIMS + CLAIMS_PER_S * latestS))
        // How soon two parts of a split cluster merge again.
        .setProperty("hazelcast.merge.first.run.delay.seconds", "" + MERGE_S)
        .setProperty("hazelcast.merge.next.run.delay.seconds", "" + MERGE_S)
        .setProperty("hazelcast.graceful.shutdown.max.wait", "" + SHUTDOWN_S)
        // The node ends the member.
        .setProperty("hazelcast.shutdownhook.enabled", "false");
  }

  /** What Vert.x keeps about the nodes of the bus. */
  private static void eventBus(Config config) {
    config.addMultiMapConfig(
        new MultiMapConfig("__vertx.subs")
            .setBackupCount(BUS_BACKUPS)
            .setValueCollectionType(MultiMapConfig.ValueCollectionType.SET));
    config.addMapConfig(new MapConfig("__vertx.nodeInfo").setBackupCount(BUS_BACKUPS));
  }

  private static void quiet(Config config) {
    config.getMetricsConfig().setEnabled(false);
    config
        .setProperty("hazelcast.phone.home.enabled", "false")
        .setProperty("hazelcast.logging.type", "slf4j")
        .setProperty("hazelcast.logging.emoji.enabled", "false")
        .setProperty("hazelcast.slow.operation.detector.enabled", "false");
  }
}
