package dev.weir.cluster;

import com.hazelcast.core.HazelcastInstance;
import dev.weir.cluster.log.JeTransactionLog;
import dev.weir.cluster.log.LogStore;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.replica.MemberThreads;
import dev.weir.cluster.threads.GroupThreads;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Peer;
import dev.weir.cluster.transport.Transport;
import dev.weir.cluster.transport.hazelcast.HazelcastMembers;
import dev.weir.cluster.transport.hazelcast.HazelcastTransport;
import dev.weir.cluster.transport.hazelcast.HazelcastWire;
import dev.weir.cluster.transport.tcp.TcpEndpoint;
import dev.weir.cluster.transport.tcp.TcpTransport;
import dev.weir.options.Checks;
import dev.weir.options.OptionTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A member of the cluster: a Hazelcast member, by which members find each other, and the replicas
 * of processor groups that run on it. Any thread.
 */
public final class ClusterNode implements AutoCloseable {
  private final NodeOptions options;
  private final TcpEndpoint endpoint;
  private final HazelcastWire wire;
  private final LogStore logs;
  private final MemberThreads threads;
  private final HazelcastMembers members;
  private final List<ProcessorGroup> groups = new ArrayList<>();

  private ClusterNode(NodeOptions options) {
    this.options = new NodeOptions(options).validate();
    long incarnation = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
    logs = new LogStore(this.options.getDirectory());
    endpoint = new TcpEndpoint(this.options, incarnation);
    threads = new MemberThreads(this.options.getMemberName());
    wire = new HazelcastWire(options.getMemberName(), incarnation);
    boolean started = false;
    try {
      members =
          new HazelcastMembers(this.options, incarnation, endpoint.address(), wire::configure);
      wire.start(members);
      started = true;
    } finally {
      if (!started) {
        endpoint.close();
      }
    }
  }

  /**
   * Starts a member and joins the others that can be reached; blocks until it has, or is the first.
   *
   * @throws IllegalArgumentException if the options do not go together
   * @throws java.io.UncheckedIOException if a port is taken or the host is not one of this machine
   * @throws IllegalStateException if there is a member of that name in the cluster already
   */
  public static ClusterNode start(NodeOptions options) {
    return new ClusterNode(Checks.notNull("options", options));
  }

  /**
   * A replica of a group, to be completed and started. A member may have many groups, each with its
   * own primary; see {@link Placement}. To start one whose name a group that runs here has, fails
   * with an {@link IllegalStateException}.
   *
   * @throws IllegalArgumentException if the options do not go together, or this member is not one
   *     of the group's
   */
  public GroupBuilder group(GroupOptions groupOptions) {
    Checks.notNull("options", groupOptions);
    if (!groupOptions.getMembers().contains(options.getMemberName())) {
      throw new IllegalArgumentException(
          "members is "
              + groupOptions.getMembers()
              + ", allowed on this member are lists that name "
              + options.getMemberName());
    }
    return new GroupBuilder(groupOptions, this::place, this::add);
  }

  private GroupBuilder.Place place(
      GroupOptions groupOptions, GroupAgreement agreement, GroupThreads own) {
    checkNew(groupOptions.getName());
    String self = options.getMemberName();
    Transport transport =
        groupOptions.getReplication() == Replication.TCP
            ? new TcpTransport(endpoint, members, groupOptions, agreement, self, own)
            : new HazelcastTransport(wire, groupOptions, agreement);
    return new GroupBuilder.Place(
        groupOptions.getMembers().indexOf(self),
        options.getDirectory(),
        () -> logs.open(groupOptions.getName()),
        transport,
        threads);
  }

  /** The options of this member; changes have no effect. */
  public NodeOptions options() {
    return new NodeOptions(options);
  }

  /**
   * Where members take clients, in the order of their names here; without members that have no
   * {@linkplain NodeOptions#setClientPort client port} or were never seen. Any thread; not
   * blocking.
   */
  public List<HostPort> clientAddresses(List<String> memberNames) {
    return memberNames.stream()
        .map(members::find)
        .filter(peer -> peer != null && peer.clients() != null)
        .map(Peer::clients)
        .toList();
  }

  /**
   * The members of the cluster, in the order in which this one saw them join, then those that have
   * left within the last hour, the last one first, at most 32 of them. Any thread; not blocking.
   */
  public List<ClusterMember> members() {
    return members.history().members();
  }

  /**
   * Whether the log of a group that does not run here names this member, or says nothing about
   * members. Blocks while the log is opened.
   *
   * @param group its name
   * @throws IllegalStateException if the group runs here
   */
  public boolean isMember(String group) {
    checkNew(OptionTypes.name("group", group));
    try (JeTransactionLog log = logs.open(group)) {
      Membership known = log.record().membership();
      return known == null || known.slot(options.getMemberName()) >= 0;
    }
  }

  /**
   * Whether the log of a group that does not run here names this member with a certain part, or
   * says nothing about members. Blocks while the log is opened.
   *
   * @param group its name
   * @param asWitness whether the part is that of the witness
   * @throws IllegalStateException if the group runs here
   */
  public boolean isMember(String group, boolean asWitness) {
    checkNew(OptionTypes.name("group", group));
    try (JeTransactionLog log = logs.open(group)) {
      Membership known = log.record().membership();
      int slot = known == null ? -1 : known.slot(options.getMemberName());
      return known == null || slot >= 0 && asWitness == (slot == known.witness());
    }
  }

  /**
   * Deletes the log of a group that does not run here: what this member held of the group is lost
   * then. A member that was taken out of a group needs that before it may join again. Blocks while
   * the log is deleted. A crash meanwhile leaves a part of the log, so call this again then.
   *
   * @param group its name
   * @throws IllegalStateException if the group runs here, or its log cannot be deleted
   */
  public void deleteLog(String group) {
    checkNew(OptionTypes.name("group", group));
    logs.delete(group);
  }

  private synchronized void checkNew(String name) {
    groups.removeIf(ProcessorGroup::isClosed);
    if (groups.stream().anyMatch(group -> group.options().getName().equals(name))) {
      throw new IllegalStateException("group " + name + " runs on this member already");
    }
  }

  private synchronized void add(ProcessorGroup group) {
    groups.add(group);
  }

  /**
   * The Hazelcast member, which belongs to this node: a Vert.x may use it as its cluster manager's,
   * started after and closed before this node.
   */
  public HazelcastInstance hazelcast() {
    return members.hazelcast();
  }

  /** Closes the groups that run here, and leaves the cluster; blocks for both. */
  @Override
  public void close() {
    List<ProcessorGroup> open;
    synchronized (this) {
      open = List.copyOf(groups);
      groups.clear();
    }
    open.forEach(ProcessorGroup::close);
    threads.close();
    wire.close();
    members.close();
    endpoint.close();
  }
}
