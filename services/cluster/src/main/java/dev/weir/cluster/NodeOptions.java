package dev.weir.cluster;

import java.nio.file.Path;
import java.util.List;

/** Options of one member: who it is, where it listens, whom it joins, where its data is. */
public class NodeOptions {
  /** Cluster name if none is given: {@value}. */
  public static final String DEFAULT_CLUSTER_NAME = "weir";

  /** {@value}: only members on the same machine are reached. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** Port of Hazelcast, {@value}. */
  public static final int DEFAULT_PORT = 5701;

  /** Port of the replication transport {@code tcp}; {@value}: any that is free. */
  public static final int DEFAULT_REPLICATION_PORT = 0;

  /** Port at which other members reach one of ours; {@value}: that where it listens. */
  public static final int DEFAULT_PUBLIC_PORT = 0;

  /** Directory of the data: {@value}. */
  public static final String DEFAULT_DIRECTORY = "data";

  /** {@value} s between two heartbeats of Hazelcast. */
  public static final int DEFAULT_MEMBER_HEARTBEAT_S = 1;

  /** {@value} s after its last heartbeat Hazelcast takes a member for gone. */
  public static final int DEFAULT_MEMBER_TIMEOUT_S = 10;

  private static final int MAX_PORT = 65_535;

  private String memberName;
  private String clusterName = DEFAULT_CLUSTER_NAME;
  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;
  private int replicationPort = DEFAULT_REPLICATION_PORT;
  private String publicHost;
  private int publicPort = DEFAULT_PUBLIC_PORT;
  private int publicReplicationPort = DEFAULT_PUBLIC_PORT;
  private List<String> join = List.of();
  private Path directory = Path.of(DEFAULT_DIRECTORY);
  private int memberHeartbeatS = DEFAULT_MEMBER_HEARTBEAT_S;
  private int memberTimeoutS = DEFAULT_MEMBER_TIMEOUT_S;

  public NodeOptions() {}

  public NodeOptions(NodeOptions other) {
    memberName = other.memberName;
    clusterName = other.clusterName;
    host = other.host;
    port = other.port;
    replicationPort = other.replicationPort;
    publicHost = other.publicHost;
    publicPort = other.publicPort;
    publicReplicationPort = other.publicReplicationPort;
    join = other.join;
    directory = other.directory;
    memberHeartbeatS = other.memberHeartbeatS;
    memberTimeoutS = other.memberTimeoutS;
  }

  /**
   * Checks what single setters cannot.
   *
   * @throws IllegalArgumentException naming the options that are missing or do not go together
   */
  public NodeOptions validate() {
    Checks.name("memberName", memberName);
    if (port == replicationPort) {
      throw new IllegalArgumentException(
          "replicationPort is " + replicationPort + ", allowed is any other than port, " + port);
    }
    if (memberTimeoutS < 2 * memberHeartbeatS) {
      throw new IllegalArgumentException(
          "memberTimeoutS is "
              + memberTimeoutS
              + ", allowed is at least twice memberHeartbeatS, which is "
              + memberHeartbeatS);
    }
    return this;
  }

  public String getMemberName() {
    return memberName;
  }

  /** Name of this member, one of those in {@link GroupOptions#getMembers}; must be set. */
  public NodeOptions setMemberName(String memberName) {
    this.memberName = Checks.name("memberName", memberName);
    return this;
  }

  public String getClusterName() {
    return clusterName;
  }

  /** The same on all members; default {@value #DEFAULT_CLUSTER_NAME}. */
  public NodeOptions setClusterName(String clusterName) {
    this.clusterName = Checks.name("clusterName", clusterName);
    return this;
  }

  public String getHost() {
    return host;
  }

  /**
   * Address of this machine where both ports listen and where the other members reach it, unless
   * there is a {@linkplain #setPublicHost public host}; default {@value #DEFAULT_HOST}. Nothing is
   * encrypted or authenticated: the network must be a trusted one.
   */
  public NodeOptions setHost(String host) {
    if (host == null || host.isBlank() || host.equals("0.0.0.0") || host.equals("::")) {
      throw new IllegalArgumentException(
          "host is " + host + ", allowed is one address of this machine that other members reach");
    }
    this.host = host;
    return this;
  }

  public int getPort() {
    return port;
  }

  /** Port of Hazelcast, 1 to 65,535; default {@value #DEFAULT_PORT}. No other is tried. */
  public NodeOptions setPort(int port) {
    this.port = Checks.range("port", port, 1, MAX_PORT);
    return this;
  }

  public int getReplicationPort() {
    return replicationPort;
  }

  /**
   * Port where the transport {@code tcp} listens, 0 to 65,535; default {@value
   * #DEFAULT_REPLICATION_PORT}, any that is free: the others learn it from Hazelcast.
   */
  public NodeOptions setReplicationPort(int replicationPort) {
    this.replicationPort = Checks.range("replicationPort", replicationPort, 0, MAX_PORT);
    return this;
  }

  public String getPublicHost() {
    return publicHost == null ? host : publicHost;
  }

  /**
   * Where the other members reach this one if not at its {@linkplain #setHost host}, because
   * something that maps addresses or ports is between them; default null, the host itself. What is
   * between them must not refuse a connection while this member runs: others take that for its end.
   */
  public NodeOptions setPublicHost(String publicHost) {
    if (publicHost != null && publicHost.isBlank()) {
      throw new IllegalArgumentException(
          "publicHost is blank, allowed is an address that other members reach, or null");
    }
    this.publicHost = publicHost;
    return this;
  }

  /** Never 0. */
  public int getPublicPort() {
    return publicPort == 0 ? port : publicPort;
  }

  /**
   * Port of the public host that leads to the {@linkplain #setPort port of Hazelcast}, 0 to 65,535;
   * default {@value #DEFAULT_PUBLIC_PORT}, the same number. Others name it in {@link #setJoin}.
   */
  public NodeOptions setPublicPort(int publicPort) {
    this.publicPort = Checks.range("publicPort", publicPort, 0, MAX_PORT);
    return this;
  }

  public int getPublicReplicationPort() {
    return publicReplicationPort;
  }

  /**
   * Port of the public host that leads to the {@linkplain #setReplicationPort replication port}, 0
   * to 65,535; default {@value #DEFAULT_PUBLIC_PORT}, the number where it listens.
   */
  public NodeOptions setPublicReplicationPort(int publicReplicationPort) {
    this.publicReplicationPort =
        Checks.range("publicReplicationPort", publicReplicationPort, 0, MAX_PORT);
    return this;
  }

  public List<String> getJoin() {
    return join;
  }

  /**
   * Where other members are looked for, each as host:port of Hazelcast; default none. This member's
   * own address may be among them, so that all members can have the same list.
   */
  public NodeOptions setJoin(List<String> join) {
    Checks.notNull("join", join).forEach(NodeOptions::checkAddress);
    this.join = List.copyOf(join);
    return this;
  }

  private static void checkAddress(String address) {
    int colon = address == null ? -1 : address.lastIndexOf(':');
    String port = address == null ? "" : address.substring(colon + 1);
    if (colon < 1 || !port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > MAX_PORT) {
      throw new IllegalArgumentException(
          "join contains " + address + ", allowed is host:port with a port of 1 to " + MAX_PORT);
    }
  }

  public Path getDirectory() {
    return directory;
  }

  /** Where the data is, a directory per group; default {@value #DEFAULT_DIRECTORY}. */
  public NodeOptions setDirectory(Path directory) {
    this.directory = Checks.notNull("directory", directory);
    return this;
  }

  public int getMemberHeartbeatS() {
    return memberHeartbeatS;
  }

  /**
   * Pause between heartbeats of Hazelcast, 1 to 60 s; default {@value #DEFAULT_MEMBER_HEARTBEAT_S}.
   * Groups have their own, faster ones: {@link GroupOptions#setHeartbeatMs}.
   */
  public NodeOptions setMemberHeartbeatS(int memberHeartbeatS) {
    this.memberHeartbeatS = Checks.range("memberHeartbeatS", memberHeartbeatS, 1, 60);
    return this;
  }

  public int getMemberTimeoutS() {
    return memberTimeoutS;
  }

  /**
   * How long a member may be silent until Hazelcast removes it from the cluster, 2 to 600 s;
   * default {@value #DEFAULT_MEMBER_TIMEOUT_S}. Short times take a long garbage collection for a
   * failure. Failover does not wait for it, see {@link GroupOptions#setTakeoverMs}.
   */
  public NodeOptions setMemberTimeoutS(int memberTimeoutS) {
    this.memberTimeoutS = Checks.range("memberTimeoutS", memberTimeoutS, 2, 600);
    return this;
  }
}
