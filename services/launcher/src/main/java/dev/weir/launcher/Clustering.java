package dev.weir.launcher;

import com.hazelcast.config.Config;
import dev.weir.cluster.ClusterNode;
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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The Hazelcast member and the event bus's connections of a clustered node. */
final class Clustering {
  /** A silent node is given up after both; Vert.x waits 40 s. */
  private static final int PING_MS = 5_000;

  /** Where a member keeps its groups, in the directory of the store. */
  private static final String GROUPS = "groups";

  private final ClusterOptions options;

  /** Null for a node without groups: then the event bus has the Hazelcast member. */
  private final ClusterNode node;

  private final HazelcastClusterManager manager;

  private Clustering(ClusterOptions options, ClusterNode node, HazelcastClusterManager manager) {
    this.options = options;
    this.node = node;
    this.manager = manager;
  }

  /**
   * Makes what a node needs to join others by TCP only, on the one port that is named, and calling
   * nobody else. A member of groups joins here, which blocks; any other node with its event bus.
   *
   * @throws IllegalArgumentException if the host has no address, or a file of TLS or of the secret
   *     cannot be used
   * @throws IllegalStateException if there is a member of that name in the cluster already
   */
  static Clustering join(LaunchOptions launched) {
    ClusterOptions options = launched.cluster();
    NodeOptions named =
        new NodeOptions()
            .setClusterName(options.getName())
            .setHost(options.getHost())
            .setPort(options.getMemberPort())
            .setJoin(options.getJoin());
    String address = address(options.getHost());
    if (options.getMemberName().isEmpty()) {
      Config config = HazelcastConfig.of(named, address);
      return new Clustering(options, null, new HazelcastClusterManager(config));
    }
    named
        .setMemberName(options.getMemberName())
        .setClientPort(options.getClientPort())
        .setReplicationPort(options.getReplicationPort())
        .setTlsCertificates(path(options.getTlsCertificates()))
        .setTlsKey(path(options.getTlsKey()))
        .setTlsTrusted(path(options.getTlsTrusted()))
        .setSecretFile(path(options.getSecretFile()))
        .setDirectory(Path.of(launched.store().getDirectory(), GROUPS));
    ClusterNode node;
    try {
      node = ClusterNode.start(named);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("cluster: " + e.getMessage(), e);
    }
    return new Clustering(options, node, new HazelcastClusterManager(node.hazelcast()));
  }

  private static Path path(String file) {
    return file == null ? null : Path.of(file);
  }

  /** What runs the groups of this member; null for a node without groups. */
  ClusterNode node() {
    return node;
  }

  ClusterManager manager() {
    return manager;
  }

  /** The nodes of the cluster, for operators; once the event bus has joined. */
  ClusterView view() {
    if (node != null) {
      return new NodeMembers(node::members);
    }
    MemberHistory members = MemberHistory.of(manager.getHazelcastInstance());
    return new NodeMembers(members::members);
  }

  /**
   * Hazelcast and Vert.x would each log a stack trace, or two, before they fail.
   *
   * @throws BindException naming the port that cannot be had
   */
  static void checkPorts(ClusterOptions options) throws BindException {
    List<Integer> ports = new ArrayList<>(List.of(options.getMemberPort(), options.getPort()));
    if (!options.getMemberName().isEmpty()) {
      ports.add(options.getClientPort());
    }
    for (int port : ports) {
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

  void eventBus(EventBusOptions bus) {
    bus.setHost(options.getHost())
        .setPort(options.getPort())
        .setClusterPingInterval(PING_MS)
        .setClusterPingReplyInterval(PING_MS);
  }

  /** Closes the groups of this member and leaves the cluster, after Vert.x; blocks for both. */
  void leave() {
    if (node != null) {
      node.close();
    }
  }
}
