package dev.weir.gateway.launch;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.text;
import static dev.weir.flow.OptionReader.truth;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Whether and how a node joins others to one event bus. */
public final class ClusterOptions {
  /** {@value}. */
  public static final String DEFAULT_NAME = "weir";

  /** {@value}: this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** {@value}: Hazelcast's. */
  public static final int DEFAULT_MEMBER_PORT = 5701;

  /** {@value}: the event bus's. */
  public static final int DEFAULT_PORT = 15701;

  private static final int DEFAULT_MEMBERS = 3;

  private boolean enabled;
  private String name = DEFAULT_NAME;
  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;
  private int memberPort = DEFAULT_MEMBER_PORT;
  private List<String> join = List.of();

  public ClusterOptions() {}

  public ClusterOptions(ClusterOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public ClusterOptions(JsonObject json) {
    new OptionReader(
            Map.of(
                "enabled", value -> setEnabled(truth("enabled", value)),
                "name", value -> setName(text("name", value)),
                "host", value -> setHost(text("host", value)),
                "port", value -> setPort(smallWhole("port", value)),
                "memberPort", value -> setMemberPort(smallWhole("memberPort", value)),
                "join", value -> setJoin(texts("join", value))))
        .apply(json);
  }

  private static List<String> texts(String option, Object value) {
    if (value instanceof JsonArray list) {
      return list.stream().map(item -> text(option, item)).toList();
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is a list of texts");
  }

  public JsonObject toJson() {
    return new JsonObject()
        .put("enabled", enabled)
        .put("name", name)
        .put("host", host)
        .put("port", port)
        .put("memberPort", memberPort)
        .put("join", new JsonArray(join));
  }

  public boolean isEnabled() {
    return enabled;
  }

  /** False by default: a node for itself. */
  public ClusterOptions setEnabled(boolean enabled) {
    this.enabled = enabled;
    return this;
  }

  public String getName() {
    return name;
  }

  /** Members of another name do not meet; not blank, {@value #DEFAULT_NAME} by default. */
  public ClusterOptions setName(String name) {
    this.name = notBlank("name", name);
    return this;
  }

  public String getHost() {
    return host;
  }

  /**
   * The address for both ports, one of this machine's own that the others reach; by default {@value
   * #DEFAULT_HOST}. Nothing is encrypted or authenticated: the network must be trusted.
   */
  public ClusterOptions setHost(String host) {
    this.host = notBlank("host", host);
    return this;
  }

  public int getPort() {
    return port;
  }

  /** The event bus's port, 1 to 65,535; {@value #DEFAULT_PORT} by default. */
  public ClusterOptions setPort(int port) {
    this.port = (int) range("port", port, 1, 65_535);
    return this;
  }

  public int getMemberPort() {
    return memberPort;
  }

  /** Hazelcast's port, 1 to 65,535; {@value #DEFAULT_MEMBER_PORT} by default. No other is tried. */
  public ClusterOptions setMemberPort(int memberPort) {
    this.memberPort = (int) range("memberPort", memberPort, 1, 65_535);
    return this;
  }

  /** Never null or empty. */
  public List<String> getJoin() {
    if (!join.isEmpty()) {
      return join;
    }
    return IntStream.range(0, DEFAULT_MEMBERS)
        .mapToObj(i -> host + ":" + (DEFAULT_MEMBER_PORT + i))
        .toList();
  }

  /**
   * Members to join, each host:memberPort, those that are down included; by default ports 5701 to
   * 5703 of {@link #setHost}.
   */
  public ClusterOptions setJoin(List<String> join) {
    this.join = List.copyOf(OptionReader.notNull("join", join));
    return this;
  }

  private static String notBlank(String option, String value) {
    if (OptionReader.notNull(option, value).isBlank()) {
      throw new IllegalArgumentException(option + " is blank, allowed is any other text");
    }
    return value;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
