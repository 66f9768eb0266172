package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.config.Config;
import com.hazelcast.config.MemberAttributeConfig;
import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent;
import dev.weir.cluster.HostPort;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.PeerDirectory;
import dev.weir.cluster.transport.Probe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A member of the Hazelcast cluster. It publishes its name, its incarnation, its replication
 * address and where it takes clients, and knows those of all other members, including members that
 * have left.
 */
public final class HazelcastMembers implements PeerDirectory, AutoCloseable {
  private static final String NAME = "weir.name";
  private static final String INCARNATION = "weir.incarnation";
  private static final String REPLICATION_HOST = "weir.replication.host";
  private static final String REPLICATION_PORT = "weir.replication.port";

  /** By which a Vert.x knows the member if it uses it for its event bus. */
  private static final String BUS_NODE = "__vertx.nodeId";

  private static final String CLIENTS = "weir.clients";
  private static final int PROBE_MS = 1000;

  private final HazelcastInstance hazelcast;
  private final MemberHistory history;
  private final Map<String, Peer> known = new ConcurrentHashMap<>();
  private volatile Map<String, Peer> present = Map.of();

  /**
   * Starts a member; blocks until it has joined the cluster or has formed a new one.
   *
   * @param incarnation random number that identifies this process
   * @param replication address of its TCP replication; null if it has none
   * @param more completes the configuration
   * @throws UncheckedIOException if the port is in use or the host is not one of this machine
   * @throws IllegalStateException if the cluster has another member of that name
   */
  public HazelcastMembers(
      NodeOptions options, long incarnation, InetSocketAddress replication, Consumer<Config> more) {
    try {
      Config config = HazelcastConfig.of(options, hostAddress(options));
      publish(config, options, incarnation, replication);
      more.accept(config);
      hazelcast = EagerJoiner.start(config);
    } catch (IOException | HazelcastException e) {
      throw new UncheckedIOException(
          new IOException(
              "port "
                  + options.getPort()
                  + " cannot be had on host "
                  + options.getHost()
                  + ": "
                  + rootMessage(e),
              e));
    }
    try {
      checkNameIsUnique(options);
      hazelcast.getCluster().addMembershipListener(new Changes());
      hazelcast.getLifecycleService().addLifecycleListener(this::stateChanged);
      refresh();
      history = MemberHistory.of(hazelcast);
    } catch (RuntimeException e) {
      hazelcast.getLifecycleService().terminate();
      throw e;
    }
  }

  private static String hostAddress(NodeOptions options) throws IOException {
    return InetAddress.getByName(options.getHost()).getHostAddress();
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getMessage();
  }

  private static void publish(
      Config config, NodeOptions options, long incarnation, InetSocketAddress replication) {
    MemberAttributeConfig attributes = config.getMemberAttributeConfig();
    attributes
        .setAttribute(NAME, options.getMemberName())
        .setAttribute(INCARNATION, "" + incarnation)
        .setAttribute(BUS_NODE, UUID.randomUUID().toString());
    if (options.getClientPort() != 0) {
      HostPort clients = new HostPort(options.getPublicHost(), options.getPublicClientPort());
      attributes.setAttribute(CLIENTS, clients.toString());
    }
    if (replication != null) {
      attributes
          .setAttribute(REPLICATION_HOST, replication.getAddress().getHostAddress())
          .setAttribute(REPLICATION_PORT, "" + replication.getPort());
    }
  }

  /**
   * Throws if another member has the same name. A killed process may still be listed as a member;
   * it does not count if its address refuses connections.
   */
  private void checkNameIsUnique(NodeOptions options) {
    Member second = findOther(options.getMemberName());
    for (long s = 0; second != null; s++) {
      Probe.Answer answer = Probe.ask(second.getSocketAddress(), PROBE_MS);
      if (answer == Probe.Answer.REFUSED) {
        return;
      }
      if (answer == Probe.Answer.LISTENS || s > options.getMemberTimeoutS()) {
        throw new IllegalStateException(
            "memberName is "
                + options.getMemberName()
                + ", which the member at "
                + second.getSocketAddress()
                + " has already; allowed is a name that no other member of the cluster has");
      }
      second = findOther(options.getMemberName());
    }
  }

  private Member findOther(String name) {
    Member self = hazelcast.getCluster().getLocalMember();
    for (Member member : hazelcast.getCluster().getMembers()) {
      if (name.equals(member.getAttribute(NAME)) && !member.equals(self)) {
        return member;
      }
    }
    return null;
  }

  public HazelcastInstance hazelcast() {
    return hazelcast;
  }

  /** The members, and those that left lately. */
  public MemberHistory history() {
    return history;
  }

  @Override
  public Peer find(String name) {
    return known.get(name);
  }

  /**
   * The member of that name if it is in the cluster now; otherwise null. Any thread; never blocks.
   */
  Peer findPresent(String name) {
    return present.get(name);
  }

  /**
   * Lists the members. Of two with one name the younger counts; the older is about to be removed.
   */
  private synchronized void refresh() {
    Map<String, Peer> now = new HashMap<>();
    for (Member member : hazelcast.getCluster().getMembers()) {
      Peer peer = peer(member);
      if (peer != null) {
        now.put(peer.name(), peer);
      }
    }
    // Before the present members are set: all of them must be known.
    known.putAll(now);
    present = Map.copyOf(now);
  }

  /** Null if the member has no name, as one that only carries the event bus. */
  private static Peer peer(Member member) {
    String name = name(member);
    if (name == null) {
      return null;
    }
    return new Peer(
        name,
        Long.parseLong(member.getAttribute(INCARNATION)),
        member.getUuid(),
        member.getSocketAddress(),
        replication(member),
        clients(member));
  }

  /** Null for one that only carries the event bus. */
  static String name(Member member) {
    return member.getAttribute(NAME);
  }

  private static InetSocketAddress replication(Member member) {
    String host = member.getAttribute(REPLICATION_HOST);
    return host == null
        ? null
        : new InetSocketAddress(host, Integer.parseInt(member.getAttribute(REPLICATION_PORT)));
  }

  /** Null if it takes none. */
  static HostPort clients(Member member) {
    String address = member.getAttribute(CLIENTS);
    return address == null ? null : HostPort.of(address);
  }

  private void stateChanged(LifecycleEvent event) {
    if (event.getState() == LifecycleEvent.LifecycleState.MERGED) {
      refresh();
    }
  }

  /** Leaves the cluster; blocks for 10 s at most, until Hazelcast has moved its data. */
  @Override
  public void close() {
    hazelcast.shutdown();
  }

  private final class Changes implements MembershipListener {
    @Override
    public void memberAdded(MembershipEvent event) {
      refresh();
    }

    @Override
    public void memberRemoved(MembershipEvent event) {
      refresh();
    }
  }
}
