package dev.weir.launcher;

import static dev.weir.options.OptionTypes.text;
import static dev.weir.options.OptionTypes.texts;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;
import java.util.List;
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

  private static final int DEFAULT_MEMBERS = 3;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Boolean> ENABLED =
      OPTIONS.flag("enabled", false).does("Whether the node joins others.");
  private static final Option<String> NAME =
      OPTIONS
          .add("name", text("any other text"), DEFAULT_NAME)
          .does("Name of the cluster; members of another name do not meet.");
  private static final Option<String> HOST =
      OPTIONS.add("host", text("any other text"), DEFAULT_HOST).does("The address for both ports.");
  private static final Option<Integer> PORT =
      OPTIONS.integer("port", DEFAULT_PORT, 1, 65_535).does("The port of the event bus.");
  private static final Option<Integer> MEMBER_PORT =
      OPTIONS.integer("memberPort", DEFAULT_MEMBER_PORT, 1, 65_535).does("The port of Hazelcast.");
  private static final Option<List<String>> JOIN =
      OPTIONS
          .add("join", texts(), List.of())
          .does(
              "Members to join, each host:memberPort; by default ports 5701 to 5703 of the host.");

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
   * The address for both ports, one of this machine's own that the others reach; by default {@value
   * #DEFAULT_HOST}. Nothing is encrypted or authenticated: the network must be trusted.
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
}
