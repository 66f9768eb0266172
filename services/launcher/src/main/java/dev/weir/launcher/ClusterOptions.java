package dev.weir.launcher;

import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.texts;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.OptionType;
import dev.weir.options.OptionTypes;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Whether and how a node joins others to one event bus. */
public final class ClusterOptions extends JsonOptions<ClusterOptions> {
  /** {@value}. */
  public static final String DEFAULT_NAME = "weir";

  /** {@value}: this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** {@value}: Hazelcast's. */
  public static final int DEFAULT_MEMBER_PORT = 5701;

  /** {@value}: the event bus's. */
  public static final int DEFAULT_PORT = 15701;

  /** {@value}: any that is free. */
  public static final int DEFAULT_REPLICATION_PORT = 0;

  private static final int MAX_PORT = 65_535;

  /** {@value}: that of groups. */
  public static final int DEFAULT_CLIENT_PORT = 5801;

  private static final int DEFAULT_MEMBERS = 3;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Boolean> ENABLED =
      OPTIONS.flag("enabled", false).does("Whether the node joins others.");
  private static final Option<String> NAME =
      OPTIONS
          .add("name", text("any other text"), DEFAULT_NAME)
          .does("Name of the cluster; members of another name do not meet.");
  private static final Option<String> HOST =
      OPTIONS
          .add("host", text("any other text"), DEFAULT_HOST)
          .does("The address for all of its ports.");
  private static final Option<Integer> PORT =
      OPTIONS
          .integer("port", DEFAULT_PORT, 1, MAX_PORT)
          .does("The port of the event bus; of a program 10,000 above memberPort by default.");
  private static final Option<Integer> MEMBER_PORT =
      OPTIONS
          .integer("memberPort", DEFAULT_MEMBER_PORT, 1, MAX_PORT)
          .does("The port of Hazelcast.");
  private static final Option<List<String>> JOIN =
      OPTIONS
          .add("join", texts(), List.of())
          .does(
              "Members to join, each host:memberPort; by default ports 5701 to 5703 of the host.");

  private static final Option<String> MEMBER_NAME =
      OPTIONS
          .add("memberName", nameOrNone(), "")
          .does("Name of the node among the members of its groups; empty without groups.");
  private static final Option<Integer> CLIENT_PORT =
      OPTIONS
          .integer("clientPort", DEFAULT_CLIENT_PORT, 1, MAX_PORT)
          .does(
              "The port at which other members reach the groups of the node; of a program 100 above"
                  + " memberPort by default.");
  private static final Option<Integer> REPLICATION_PORT =
      OPTIONS
          .integer("replicationPort", DEFAULT_REPLICATION_PORT, 0, MAX_PORT)
          .does("The port of the replication between members; 0 for any free port.");
  private static final Option<String> TLS_CERTIFICATES =
      OPTIONS
          .add("tlsCertificates", text("the path of a file"), null)
          .does("PEM file with the certificate of this member of groups; none for no TLS.");
  private static final Option<String> TLS_KEY =
      OPTIONS
          .add("tlsKey", text("the path of a file"), null)
          .does("PEM file with the key of that certificate, PKCS #8 without a password.");
  private static final Option<String> TLS_TRUSTED =
      OPTIONS
          .add("tlsTrusted", text("the path of a file"), null)
          .does("PEM file with the certificates of those who sign members' certificates.");
  private static final Option<String> SECRET_FILE =
      OPTIONS
          .add("secretFile", text("the path of a file"), null)
          .does("File with a secret that members of groups prove to each other to know.");

  /** By how much the ports of a program are above its member port, by the names of the options. */
  static final Map<String, Integer> PORT_DISTANCES =
      Map.of(PORT.name(), 10_000, CLIENT_PORT.name(), 100);

  public ClusterOptions() {
    super(OPTIONS);
  }

  public ClusterOptions(ClusterOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public ClusterOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  private static OptionType<String> nameOrNone() {
    return OptionTypes.anyText()
        .with(
            OptionTypes.name().allowed() + "; empty for none",
            (option, name) -> name.isEmpty() ? name : OptionTypes.name(option, name));
  }

  public boolean isEnabled() {
    return get(ENABLED);
  }

  /** False by default: a node for itself. */
  public ClusterOptions setEnabled(boolean enabled) {
    return set(ENABLED, enabled);
  }

  public String getName() {
    return get(NAME);
  }

  /** Members of another name do not meet; not blank, {@value #DEFAULT_NAME} by default. */
  public ClusterOptions setName(String name) {
    return set(NAME, name);
  }

  public String getHost() {
    return get(HOST);
  }

  /**
   * The address for all of its ports, one of this machine's own that the others reach; by default
   * {@value #DEFAULT_HOST}. Only the replication of groups and the connections to their primaries
   * can be encrypted and authenticated, by {@link #setTlsCertificates} and {@link #setSecretFile}:
   * the network must be trusted.
   */
  public ClusterOptions setHost(String host) {
    return set(HOST, host);
  }

  public int getPort() {
    return get(PORT);
  }

  /** The event bus's port, 1 to 65,535; {@value #DEFAULT_PORT} by default. */
  public ClusterOptions setPort(int port) {
    return set(PORT, port);
  }

  public int getMemberPort() {
    return get(MEMBER_PORT);
  }

  /** Hazelcast's port, 1 to 65,535; {@value #DEFAULT_MEMBER_PORT} by default. No other is tried. */
  public ClusterOptions setMemberPort(int memberPort) {
    return set(MEMBER_PORT, memberPort);
  }

  /** Never null or empty. */
  public List<String> getJoin() {
    List<String> join = get(JOIN);
    if (!join.isEmpty()) {
      return join;
    }
    return IntStream.range(0, DEFAULT_MEMBERS)
        .mapToObj(i -> getHost() + ":" + (DEFAULT_MEMBER_PORT + i))
        .toList();
  }

  /**
   * Members to join, each host:memberPort, those that are down included; by default ports 5701 to
   * 5703 of {@link #setHost}.
   */
  public ClusterOptions setJoin(List<String> join) {
    return set(JOIN, join);
  }

  /** Never null. */
  public String getMemberName() {
    return get(MEMBER_NAME);
  }

  /**
   * Name of this node among the members of the groups that its service has; empty, the default, for
   * a node without groups. No other node of the cluster may have it.
   */
  public ClusterOptions setMemberName(String memberName) {
    return set(MEMBER_NAME, memberName);
  }

  public int getClientPort() {
    return get(CLIENT_PORT);
  }

  /**
   * The port at which other members reach the groups of this node, 1 to 65,535; {@value
   * #DEFAULT_CLIENT_PORT} by default. Without effect in a node without groups.
   */
  public ClusterOptions setClientPort(int clientPort) {
    return set(CLIENT_PORT, clientPort);
  }

  public int getReplicationPort() {
    return get(REPLICATION_PORT);
  }

  /**
   * The port of the replication between members, 0 to 65,535; by default {@value
   * #DEFAULT_REPLICATION_PORT}, any free port, which the other members learn.
   */
  public ClusterOptions setReplicationPort(int replicationPort) {
    return set(REPLICATION_PORT, replicationPort);
  }

  /** Null if none is named. */
  public String getTlsCertificates() {
    return get(TLS_CERTIFICATES);
  }

  /**
   * PEM file with the certificate of this member, and those between it and {@link #setTlsTrusted},
   * the member's first; none by default. With it members of groups replicate by TLS, and show each
   * other their certificates. The links of Hazelcast and of the event bus stay without TLS. Asks
   * for {@link #setTlsKey} and {@link #setTlsTrusted}. Without effect in a node without groups.
   */
  public ClusterOptions setTlsCertificates(String tlsCertificates) {
    return set(TLS_CERTIFICATES, tlsCertificates);
  }

  /** Null if none is named. */
  public String getTlsKey() {
    return get(TLS_KEY);
  }

  /** PEM file with the key of {@link #setTlsCertificates}, in PKCS #8 without a password. */
  public ClusterOptions setTlsKey(String tlsKey) {
    return set(TLS_KEY, tlsKey);
  }

  /** Null if none is named. */
  public String getTlsTrusted() {
    return get(TLS_TRUSTED);
  }

  /** PEM file with the certificates of those who sign the certificates of members. */
  public ClusterOptions setTlsTrusted(String tlsTrusted) {
    return set(TLS_TRUSTED, tlsTrusted);
  }

  /** Null if none is named. */
  public String getSecretFile() {
    return get(SECRET_FILE);
  }

  /**
   * File with a secret of at least 16 bytes, the same on all members; none by default. Members of
   * groups prove to each other that they know it, and do not send it. Without effect in a node
   * without groups.
   */
  public ClusterOptions setSecretFile(String secretFile) {
    return set(SECRET_FILE, secretFile);
  }

  /**
   * The ports that a program has by default: those that the user has not set follow the member
   * port, so that programs on one machine need only a member port each.
   *
   * @param cluster the section of the settings
   * @return by the names of the options; empty if the member port is no port
   */
  static Map<String, Integer> portsByDefault(JsonObject cluster) {
    Map<String, Integer> ports = new TreeMap<>();
    if (cluster.getValue(MEMBER_PORT.name()) instanceof Number memberPort) {
      PORT_DISTANCES.forEach(
          (name, distance) -> {
            if (!cluster.containsKey(name)) {
              // Below the member port where no port is left above it.
              int above = memberPort.intValue() + distance;
              ports.put(name, above <= MAX_PORT ? above : memberPort.intValue() - distance);
            }
          });
    }
    return ports;
  }
}
