package dev.weir.cluster;

import static dev.weir.options.OptionTypes.name;
import static dev.weir.options.OptionTypes.path;
import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.texts;

import dev.weir.options.Checks;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionTypes;
import dev.weir.options.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Options of one member: who it is, where it listens, whom it joins, where its data is. */
public class NodeOptions extends Options<NodeOptions> {
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

  /** Port for clients of groups; {@value}: none. */
  public static final int DEFAULT_CLIENT_PORT = 0;

  /** Directory of the data: {@value}. */
  public static final String DEFAULT_DIRECTORY = "data";

  /** {@value} s between two heartbeats of Hazelcast. */
  public static final int DEFAULT_MEMBER_HEARTBEAT_S = 1;

  /** {@value} s after its last heartbeat Hazelcast takes a member for gone. */
  public static final int DEFAULT_MEMBER_TIMEOUT_S = 10;

  private static final int MAX_PORT = 65_535;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> MEMBER_NAME =
      OPTIONS
          .add("memberName", name(), null)
          .does("Name of this member, one of those of its groups.");
  private static final Option<String> CLUSTER_NAME =
      OPTIONS
          .add("clusterName", name(), DEFAULT_CLUSTER_NAME)
          .does("Name of the cluster, the same on all members.");
  private static final Option<String> HOST =
      OPTIONS
          .add("host", NodeChecks.host(false), DEFAULT_HOST)
          .does("Address of this machine where both ports listen.");
  private static final Option<Integer> PORT =
      OPTIONS.integer("port", DEFAULT_PORT, 1, MAX_PORT).does("Port of Hazelcast.");
  private static final Option<Integer> REPLICATION_PORT =
      OPTIONS
          .integer("replicationPort", DEFAULT_REPLICATION_PORT, 0, MAX_PORT)
          .does("Port of the transport tcp; 0 for any free port.");
  private static final Option<String> REPLICATION_HOST =
      OPTIONS
          .add("replicationHost", NodeChecks.host(true), null)
          .does("Address of this machine where the transport tcp listens, if not the host.");
  private static final Option<String> PUBLIC_HOST =
      OPTIONS
          .add("publicHost", text("an address that other members reach, or null").orNull(), null)
          .does("Where other members reach this one, if not at its host.");
  private static final Option<Integer> PUBLIC_PORT =
      OPTIONS
          .integer("publicPort", DEFAULT_PUBLIC_PORT, 0, MAX_PORT)
          .does("Port of the public host that leads to the port of Hazelcast.");
  private static final Option<Integer> PUBLIC_REPLICATION_PORT =
      OPTIONS
          .integer("publicReplicationPort", DEFAULT_PUBLIC_PORT, 0, MAX_PORT)
          .does("Port of the public host that leads to the replication port.");
  private static final Option<Integer> CLIENT_PORT =
      OPTIONS
          .integer("clientPort", DEFAULT_CLIENT_PORT, 0, MAX_PORT)
          .does("Port for clients of the groups that are services; 0 for none.");
  private static final Option<Integer> PUBLIC_CLIENT_PORT =
      OPTIONS
          .integer("publicClientPort", DEFAULT_PUBLIC_PORT, 0, MAX_PORT)
          .does("Port of the public host that leads to the client port.");
  private static final Option<List<String>> JOIN =
      OPTIONS
          .add("join", texts(NodeChecks::checkAddress), List.of())
          .does("Where other members are looked for, each host:port of Hazelcast.");
  private static final Option<Path> DIRECTORY =
      OPTIONS.add("directory", path(), Path.of(DEFAULT_DIRECTORY)).does("Where the data is.");
  private static final Option<Integer> MEMBER_HEARTBEAT_S =
      OPTIONS
          .integer("memberHeartbeatS", DEFAULT_MEMBER_HEARTBEAT_S, 1, 60)
          .does("Pause between heartbeats of Hazelcast.");
  private static final Option<Integer> MEMBER_TIMEOUT_S =
      OPTIONS
          .integer("memberTimeoutS", DEFAULT_MEMBER_TIMEOUT_S, 2, 600)
          .does("Silence of a member until Hazelcast removes it.");

  private static final Option<Path> TLS_CERTIFICATES =
      OPTIONS
          .add("tlsCertificates", path().orNull(), null)
          .does("PEM file with the certificate of this member; null for links without TLS.");
  private static final Option<Path> TLS_KEY =
      OPTIONS
          .add("tlsKey", path().orNull(), null)
          .does("PEM file with the key of that certificate, PKCS #8 without a password.");
  private static final Option<Path> TLS_TRUSTED =
      OPTIONS
          .add("tlsTrusted", path().orNull(), null)
          .does("PEM file with the certificates of those who sign members' certificates.");
  private static final Option<Path> SECRET_FILE =
      OPTIONS
          .add("secretFile", path().orNull(), null)
          .does("File with a secret that members prove to each other to know; null for none.");

  public NodeOptions() {
    super(OPTIONS);
  }

  public NodeOptions(NodeOptions other) {
    super(other);
  }

  /**
   * @param map entries as {@link #toMap()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown option or a bad value
   */
  public NodeOptions(Map<String, ?> map) {
    super(OPTIONS, map);
  }

  /**
   * Checks what single setters cannot.
   *
   * @throws IllegalArgumentException naming the options that are missing or do not go together
   */
  public NodeOptions validate() {
    OptionTypes.name("memberName", getMemberName());
    if (getPort() == getReplicationPort()) {
      throw Checks.notAllowed(
          "replicationPort", getReplicationPort(), "any other than port, " + getPort());
    }
    if (getClientPort() != 0
        && (getClientPort() == getPort() || getClientPort() == getReplicationPort())) {
      throw Checks.notAllowed(
          "clientPort", getClientPort(), "any other than port and replicationPort");
    }
    if (getMemberTimeoutS() < 2 * getMemberHeartbeatS()) {
      throw Checks.notAllowed(
          "memberTimeoutS",
          getMemberTimeoutS(),
          "at least twice memberHeartbeatS, which is " + getMemberHeartbeatS());
    }
    NodeChecks.checkTls(this);
    return this;
  }

  public Path getTlsCertificates() {
    return get(TLS_CERTIFICATES);
  }

  /**
   * PEM file with the certificate of this member, and those between it and {@link #setTlsTrusted},
   * the member's first; null, the default, for links without TLS. With TLS, members of transport
   * {@code tcp} show each other their certificates, and take those that are signed by who is
   * trusted; clients take the member's certificate. Links of Hazelcast have no TLS.
   */
  public NodeOptions setTlsCertificates(Path tlsCertificates) {
    return set(TLS_CERTIFICATES, tlsCertificates);
  }

  public Path getTlsKey() {
    return get(TLS_KEY);
  }

  /** PEM file with the key of {@link #setTlsCertificates}, in PKCS #8 without a password. */
  public NodeOptions setTlsKey(Path tlsKey) {
    return set(TLS_KEY, tlsKey);
  }

  public Path getTlsTrusted() {
    return get(TLS_TRUSTED);
  }

  /** PEM file with the certificates of those who sign the certificates of members. */
  public NodeOptions setTlsTrusted(Path tlsTrusted) {
    return set(TLS_TRUSTED, tlsTrusted);
  }

  public Path getSecretFile() {
    return get(SECRET_FILE);
  }

  /**
   * File with a secret of at least 16 bytes, the same on all members; null, the default, for none.
   * Members of transport {@code tcp} prove to each other that they know it, and do not send it.
   */
  public NodeOptions setSecretFile(Path secretFile) {
    return set(SECRET_FILE, secretFile);
  }

  public String getMemberName() {
    return get(MEMBER_NAME);
  }

  /** Name of this member, one of those in {@link GroupOptions#getMembers}; must be set. */
  public NodeOptions setMemberName(String memberName) {
    return set(MEMBER_NAME, memberName);
  }

  public String getClusterName() {
    return get(CLUSTER_NAME);
  }

  /** The same on all members; default {@value #DEFAULT_CLUSTER_NAME}. */
  public NodeOptions setClusterName(String clusterName) {
    return set(CLUSTER_NAME, clusterName);
  }

  public String getHost() {
    return get(HOST);
  }

  /**
   * Address of this machine where both ports listen and where the other members reach it, unless
   * there is a {@linkplain #setPublicHost public host}; default {@value #DEFAULT_HOST}. The
   * connections of Hazelcast are neither encrypted nor authenticated, so the network must be a
   * trusted one; for the others see {@link #setTlsCertificates} and {@link #setSecretFile}.
   */
  public NodeOptions setHost(String host) {
    return set(HOST, host);
  }

  public int getPort() {
    return get(PORT);
  }

  /** Port of Hazelcast, 1 to 65,535; default {@value #DEFAULT_PORT}. No other is tried. */
  public NodeOptions setPort(int port) {
    return set(PORT, port);
  }

  public int getReplicationPort() {
    return get(REPLICATION_PORT);
  }

  /**
   * Port where the transport {@code tcp} listens, 0 to 65,535; default {@value
   * #DEFAULT_REPLICATION_PORT}, any that is free: the others learn it from Hazelcast.
   */
  public NodeOptions setReplicationPort(int replicationPort) {
    return set(REPLICATION_PORT, replicationPort);
  }

  /** Never null. */
  public String getReplicationHost() {
    return get(REPLICATION_HOST) == null ? getHost() : get(REPLICATION_HOST);
  }

  /**
   * Address of this machine where the transport {@code tcp} listens and where the other members
   * reach it, unless there is a {@linkplain #setPublicHost public host}; default null, the
   * {@linkplain #setHost host}. A network of its own for replication needs it.
   */
  public NodeOptions setReplicationHost(String replicationHost) {
    return set(REPLICATION_HOST, replicationHost);
  }

  /** Where other members reach the transport {@code tcp}; never null. */
  public String getPublicReplicationHost() {
    return get(PUBLIC_HOST) == null ? getReplicationHost() : get(PUBLIC_HOST);
  }

  public String getPublicHost() {
    return get(PUBLIC_HOST) == null ? getHost() : get(PUBLIC_HOST);
  }

  /**
   * Where the other members reach this one if not at its {@linkplain #setHost host}, because
   * something that maps addresses or ports is between them; default null, the host itself. What is
   * between them must not refuse a connection while this member runs: others take that for its end.
   */
  public NodeOptions setPublicHost(String publicHost) {
    return set(PUBLIC_HOST, publicHost);
  }

  /** Never 0. */
  public int getPublicPort() {
    return get(PUBLIC_PORT) == 0 ? getPort() : get(PUBLIC_PORT);
  }

  /**
   * Port of the public host that leads to the {@linkplain #setPort port of Hazelcast}, 0 to 65,535;
   * default {@value #DEFAULT_PUBLIC_PORT}, the same number. Others name it in {@link #setJoin}.
   */
  public NodeOptions setPublicPort(int publicPort) {
    return set(PUBLIC_PORT, publicPort);
  }

  public int getPublicReplicationPort() {
    return get(PUBLIC_REPLICATION_PORT);
  }

  /**
   * Port of the public host that leads to the {@linkplain #setReplicationPort replication port}, 0
   * to 65,535; default {@value #DEFAULT_PUBLIC_PORT}, the number where it listens.
   */
  public NodeOptions setPublicReplicationPort(int publicReplicationPort) {
    return set(PUBLIC_REPLICATION_PORT, publicReplicationPort);
  }

  public int getClientPort() {
    return get(CLIENT_PORT);
  }

  /**
   * Port where {@link ProcessorClient}s of other members reach the groups of this one that are
   * services, 0 to 65,535; default {@value #DEFAULT_CLIENT_PORT}, none. The others learn it from
   * Hazelcast.
   */
  public NodeOptions setClientPort(int clientPort) {
    return set(CLIENT_PORT, clientPort);
  }

  /** 0 only if there is no client port. */
  public int getPublicClientPort() {
    return get(PUBLIC_CLIENT_PORT) == 0 ? getClientPort() : get(PUBLIC_CLIENT_PORT);
  }

  /**
   * Port of the public host that leads to the {@linkplain #setClientPort client port}, 0 to 65,535;
   * default {@value #DEFAULT_PUBLIC_PORT}, the same number.
   */
  public NodeOptions setPublicClientPort(int publicClientPort) {
    return set(PUBLIC_CLIENT_PORT, publicClientPort);
  }

  public List<String> getJoin() {
    return get(JOIN);
  }

  /**
   * Where other members are looked for, each as host:port of Hazelcast; default none. This member's
   * own address may be among them, so that all members can have the same list.
   */
  public NodeOptions setJoin(List<String> join) {
    return set(JOIN, join);
  }

  public Path getDirectory() {
    return get(DIRECTORY);
  }

  /**
   * Where the data of all groups is; default {@value #DEFAULT_DIRECTORY}. The logs are in its
   * directory {@code @log}. A group of version 0.1 has a directory of its own, which it keeps.
   */
  public NodeOptions setDirectory(Path directory) {
    return set(DIRECTORY, directory);
  }

  public int getMemberHeartbeatS() {
    return get(MEMBER_HEARTBEAT_S);
  }

  /**
   * Pause between heartbeats of Hazelcast, 1 to 60 s; default {@value #DEFAULT_MEMBER_HEARTBEAT_S}.
   * Groups have their own, faster ones: {@link GroupOptions#setHeartbeatMs}.
   */
  public NodeOptions setMemberHeartbeatS(int memberHeartbeatS) {
    return set(MEMBER_HEARTBEAT_S, memberHeartbeatS);
  }

  public int getMemberTimeoutS() {
    return get(MEMBER_TIMEOUT_S);
  }

  /**
   * How long a member may be silent until Hazelcast removes it from the cluster, 2 to 600 s;
   * default {@value #DEFAULT_MEMBER_TIMEOUT_S}. Short times take a long garbage collection for a
   * failure. Failover does not wait for it, see {@link GroupOptions#setTakeoverMs}.
   */
  public NodeOptions setMemberTimeoutS(int memberTimeoutS) {
    return set(MEMBER_TIMEOUT_S, memberTimeoutS);
  }
}
