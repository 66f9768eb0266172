package dev.weir.cluster;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Options of a {@link ProcessorClient}. */
public final class ProcessorClientOptions {
  /** {@value} requests may be without a reply. */
  public static final int DEFAULT_WINDOW = 8 << 10;

  /** {@value} ms between two attempts to reach a member. */
  public static final int DEFAULT_RETRY_MS = 20;

  /** {@value} ms for a member to take a connection. */
  public static final int DEFAULT_CONNECT_TIMEOUT_MS = 500;

  /** {@value} ms without any reply, while requests wait, after which another member is tried. */
  public static final int DEFAULT_SILENCE_MS = 1000;

  private static final int MAX_WINDOW = 1 << 20;
  private static final int MAX_MS = 600_000;

  private String group = GroupOptions.DEFAULT_NAME;
  private List<String> members = List.of();
  private long clientId;
  private long firstSequence = 1;
  private int window = DEFAULT_WINDOW;
  private int maxMessageBytes = GroupOptions.DEFAULT_MAX_MESSAGE_BYTES;
  private int retryMs = DEFAULT_RETRY_MS;
  private int connectTimeoutMs = DEFAULT_CONNECT_TIMEOUT_MS;
  private int silenceMs = DEFAULT_SILENCE_MS;

  /** Of a client with a random id. */
  public ProcessorClientOptions() {
    clientId = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  }

  public ProcessorClientOptions(ProcessorClientOptions other) {
    group = other.group;
    members = other.members;
    clientId = other.clientId;
    firstSequence = other.firstSequence;
    window = other.window;
    maxMessageBytes = other.maxMessageBytes;
    retryMs = other.retryMs;
    connectTimeoutMs = other.connectTimeoutMs;
    silenceMs = other.silenceMs;
  }

  public String getGroup() {
    return group;
  }

  /** The group's name; default {@value GroupOptions#DEFAULT_NAME}. */
  public ProcessorClientOptions setGroup(String group) {
    this.group = Checks.name("group", group);
    return this;
  }

  public List<String> getMembers() {
    return members;
  }

  /** Where the members take clients, each host:port. */
  public ProcessorClientOptions setMembers(List<String> members) {
    Checks.notNull("members", members).forEach(HostPort::of);
    this.members = List.copyOf(members);
    return this;
  }

  public long getClientId() {
    return clientId;
  }

  /**
   * Who this client is to the group, above 0; random by default. At most one client at a time may
   * use an id, and its first request has sequence 1, unless {@link #setFirstSequence} says
   * otherwise: an id is not used again.
   */
  public ProcessorClientOptions setClientId(long clientId) {
    this.clientId = Checks.range("clientId", clientId, 1, Long.MAX_VALUE);
    return this;
  }

  public long getFirstSequence() {
    return firstSequence;
  }

  /**
   * The sequence of its first request, above 0; 1 by default. For a client whose requests are
   * numbered elsewhere: with the number of a request that was applied it gets that one's reply, and
   * the request is not applied again. One with the number after the next waits for those before.
   */
  public ProcessorClientOptions setFirstSequence(long firstSequence) {
    this.firstSequence = Checks.range("firstSequence", firstSequence, 1, Long.MAX_VALUE);
    return this;
  }

  public int getWindow() {
    return window;
  }

  /**
   * Requests without a reply at most, 1 to 1,048,576 and not more than the group's reply window;
   * default {@value #DEFAULT_WINDOW}.
   */
  public ProcessorClientOptions setWindow(int window) {
    this.window = Checks.range("window", window, 1, MAX_WINDOW);
    return this;
  }

  public int getMaxMessageBytes() {
    return maxMessageBytes;
  }

  /**
   * Size of a request, 1 B to 4 MiB and not more than the group's; default {@value
   * GroupOptions#DEFAULT_MAX_MESSAGE_BYTES}.
   */
  public ProcessorClientOptions setMaxMessageBytes(int maxMessageBytes) {
    this.maxMessageBytes = Checks.range("maxMessageBytes", maxMessageBytes, 1, 4 << 20);
    return this;
  }

  public int getRetryMs() {
    return retryMs;
  }

  /** Pause between two attempts, 1 ms to 10 min; default {@value #DEFAULT_RETRY_MS}. */
  public ProcessorClientOptions setRetryMs(int retryMs) {
    this.retryMs = Checks.range("retryMs", retryMs, 1, MAX_MS);
    return this;
  }

  public int getConnectTimeoutMs() {
    return connectTimeoutMs;
  }

  /** Time to connect, 1 ms to 10 min; default {@value #DEFAULT_CONNECT_TIMEOUT_MS}. */
  public ProcessorClientOptions setConnectTimeoutMs(int connectTimeoutMs) {
    this.connectTimeoutMs = Checks.range("connectTimeoutMs", connectTimeoutMs, 1, MAX_MS);
    return this;
  }

  public int getSilenceMs() {
    return silenceMs;
  }

  /**
   * Silence of a member that owes replies until the next is tried, 1 ms to 10 min; default {@value
   * #DEFAULT_SILENCE_MS}.
   */
  public ProcessorClientOptions setSilenceMs(int silenceMs) {
    this.silenceMs = Checks.range("silenceMs", silenceMs, 1, MAX_MS);
    return this;
  }
}
