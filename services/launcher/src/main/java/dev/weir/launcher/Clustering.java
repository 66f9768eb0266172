package dev.weir.launcher;

import com.hazelcast.config.Config;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.hazelcast.HazelcastConfig;
import dev.weir.cluster.transport.hazelcast.MemberHistory;
import dev.weir.gateway.TakenPort;
import dev.weir.gateway.cluster.NodeMembers;
import dev.weir.gateway.metrics.ClusterView;
import io.vertx.core.eventbus.EventBusOptions;
import io.vertx.core.spi.cluster.ClusterManager;
import io.vertx.spi.cluster.hazelcast.HazelcastClusterManager;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;

/** The Hazelcast member and the event bus's connections of a clustered node. */
final class Clustering {
  /** A silent node is given up after both; Vert.x waits 40 s. */
  private static final int PING_MS = 5_000;

  private Clustering() {}

  /**
   * Finds members by TCP only, on the one port that is named, and calls nobody else.
   *
   * @throws IllegalArgumentException if the host has no address
   */
  static ClusterManager manager(ClusterOptions options) {
    NodeOptions node =
        new NodeOptions()
            .setClusterName(options.getName())
            .setHost(options.getHost())
            .setPort(options.getMemberPort())
            .setJoin(options.getJoin());
    Config config = HazelcastConfig.of(node, address(options.getHost()));
    return new HazelcastClusterManager(config);
  }

  /**
   * The nodes of the cluster, for operators.
   *
   * @param manager one of {@link #manager} that has joined
   */
  static ClusterView view(ClusterManager manager) {
    MemberHistory members =
        MemberHistory.of(((HazelcastClusterManager) manager).getHazelcastInstance());
    return new NodeMembers(members::members);
  }

  /**
   * Hazelcast and Vert.x would each log a stack trace, or two, before they fail.
   *
   * @throws BindException naming the port that cannot be had
   */
  static void checkPorts(ClusterOptions options) throws BindException {
    for (int port : List.of(options.getMemberPort(), options.getPort())) {
      try (ServerSocket socket = new ServerSocket()) {
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(options.getHost(), port));
      } catch (IOException e) {
        throw TakenPort.refused(options.getHost(), port, e);
      }
    }
  }

  private static String address(String host) {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(
          "cluster: host is " + host + ", allowed is a name or an address of this machine", e);
    }
  }

  static void eventBus(ClusterOptions options, EventBusOptions bus) {
    bus.setHost(options.getHost())
        .setPort(options.getPort())
        .setClusterPingInterval(PING_MS)
        .setClusterPingReplyInterval(PING_MS);
  }
}
