package dev.weir.cluster;

import static dev.weir.options.OptionTypes.name;
import static dev.weir.options.OptionTypes.path;
import static dev.weir.options.OptionTypes.texts;
import static dev.weir.options.OptionTypes.whole;

import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import dev.weir.options.Options;
import java.nio.file.Path;
import java.util.List;

/** Options of a {@link ProcessorClient}. */
public final class ProcessorClientOptions extends Options<ProcessorClientOptions> {
  /** {@value} requests may be without a reply. */
  public static final int DEFAULT_WINDOW = 8 << 10;

  /** {@value} ms between two attempts to reach a member. */
  public static final int DEFAULT_RETRY_MS = 20;

  /** {@value} ms for a member to take a connection, and as long again to greet. */
  public static final int DEFAULT_CONNECT_TIMEOUT_MS = 500;

  /** {@value} ms without any reply, while requests wait, after which another member is tried. */
  public static final int DEFAULT_SILENCE_MS = 1000;

  /** {@value}: each client that is created has a random id. */
  public static final long RANDOM_ID = 0;

  private static final int MAX_WINDOW = 1 << 20;
  private static final int MAX_MS = 600_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> GROUP =
      OPTIONS.add("group", name(), GroupOptions.DEFAULT_NAME).does("Name of the group.");
  private static final Option<List<String>> MEMBERS =
      OPTIONS
          .add("members", texts((option, member) -> HostPort.of(member)), List.of())
          .does("Where the members take clients, each host:port.");
  private static final Option<Long> CLIENT_ID =
      OPTIONS
          .add("clientId", whole(RANDOM_ID, Long.MAX_VALUE), RANDOM_ID)
          .does("Who this client is to the group; 0 for a random id.");
  private static final Option<Long> FIRST_SEQUENCE =
      OPTIONS.whole("firstSequence", 1, 1, Long.MAX_VALUE).does("Sequence of the first request.");
  private static final Option<Integer> WINDOW =
      OPTIONS
          .integer("window", DEFAULT_WINDOW, 1, MAX_WINDOW)
          .does("Requests that may be unanswered.");
  private static final Option<Integer> MAX_MESSAGE_BYTES =
      OPTIONS
          .integer("maxMessageBytes", GroupOptions.DEFAULT_MAX_MESSAGE_BYTES, 1, 4 << 20)
          .does("Size of a request.");
  private static final Option<Integer> RETRY_MS =
      OPTIONS
          .integer("retryMs", DEFAULT_RETRY_MS, 1, MAX_MS)
          .does("Longest pause between two attempts to reach a member.");
  private static final Option<Integer> CONNECT_TIMEOUT_MS =
      OPTIONS
          .integer("connectTimeoutMs", DEFAULT_CONNECT_TIMEOUT_MS, 1, MAX_MS)
          .does("Time for a member to take a connection, and then to greet.");
  private static final Option<Integer> SILENCE_MS =
      OPTIONS
          .integer("silenceMs", DEFAULT_SILENCE_MS, 1, MAX_MS)
          .does("Silence of a member that owes replies until the next is tried.");

  private static final Option<Path> TLS_TRUSTED =
      OPTIONS
          .add("tlsTrusted", path().orNull(), null)
          .does("PEM file of who signs members' certificates; null for connections without TLS.");
  private static final Option<Path> SECRET_FILE =
      OPTIONS
          .add("secretFile", path().orNull(), null)
          .does("File with the secret that the members ask for; null for none.");

  public ProcessorClientOptions() {
    super(OPTIONS);
  }

  public ProcessorClientOptions(ProcessorClientOptions other) {
    super(other);
  }

  public Path getTlsTrusted() {
    return get(TLS_TRUSTED);
  }

  /**
   * PEM file with the certificates of those who sign the certificates of members; null, the
   * default, for connections without TLS. Names in certificates are not compared.
   */
  public ProcessorClientOptions setTlsTrusted(Path tlsTrusted) {
    return set(TLS_TRUSTED, tlsTrusted);
  }

  public Path getSecretFile() {
    return get(SECRET_FILE);
  }

  /**
   * File with the secret of {@link NodeOptions#setSecretFile}, which this client proves to know;
   * null, the default, for none. It is not sent.
   */
  public ProcessorClientOptions setSecretFile(Path secretFile) {
    return set(SECRET_FILE, secretFile);
  }

  public String getGroup() {
    return get(GROUP);
  }

  /** The group's name; default {@value GroupOptions#DEFAULT_NAME}. */
  public ProcessorClientOptions setGroup(String group) {
    return set(GROUP, group);
  }

  public List<String> getMembers() {
    return get(MEMBERS);
  }

  /** Where the members take clients, each host:port. */
  public ProcessorClientOptions setMembers(List<String> members) {
    return set(MEMBERS, members);
  }

  public long getClientId() {
    return get(CLIENT_ID);
  }

  /**
   * Who this client is to the group: above 0, or {@value #RANDOM_ID}, the default, for a random id.
   * At most one client at a time may use an id, and its first request has sequence 1, unless {@link
   * #setFirstSequence} says otherwise: an id is not used again.
   *
   * <p>The group forgets a client after {@link GroupOptions#setClientExpiryMs} without requests. A
   * client with a random id then takes another one. It sends its requests again, except those that
   * the group may have handled, which fail. A client with an id of the user fails all requests with
   * {@link OfferResult#SESSION_EXPIRED}.
   *
   * <p>The group keeps no reply that a client with a random id has, so a later client must not go
   * on with such an id.
   */
  public ProcessorClientOptions setClientId(long clientId) {
    return set(CLIENT_ID, clientId);
  }

  public long getFirstSequence() {
    return get(FIRST_SEQUENCE);
  }

  /**
   * The sequence of its first request, above 0; 1 by default. For a client whose requests are
   * numbered elsewhere: with the number of a request that was applied it gets that one's reply, and
   * the request is not applied again. One with the number after the next waits for those before.
   */
  public ProcessorClientOptions setFirstSequence(long firstSequence) {
    return set(FIRST_SEQUENCE, firstSequence);
  }

  public int getWindow() {
    return get(WINDOW);
  }

  /**
   * Requests without a reply at most, 1 to 1,048,576; default {@value #DEFAULT_WINDOW}. Of these
   * the client sends as many as the group gives credit for; the others wait in the client.
   */
  public ProcessorClientOptions setWindow(int window) {
    return set(WINDOW, window);
  }

  public int getMaxMessageBytes() {
    return get(MAX_MESSAGE_BYTES);
  }

  /**
   * Size of a request, 1 B to 4 MiB and not more than the group's; default {@value
   * GroupOptions#DEFAULT_MAX_MESSAGE_BYTES}.
   */
  public ProcessorClientOptions setMaxMessageBytes(int maxMessageBytes) {
    return set(MAX_MESSAGE_BYTES, maxMessageBytes);
  }

  public int getRetryMs() {
    return get(RETRY_MS);
  }

  /**
   * Longest pause between two attempts to reach a member, and the pause before requests are sent
   * again to a busy one; 1 ms to 10 min, default {@value #DEFAULT_RETRY_MS}. A pause is an eighth
   * of the time for which attempts have failed, and 1 ms at least.
   */
  public ProcessorClientOptions setRetryMs(int retryMs) {
    return set(RETRY_MS, retryMs);
  }

  public int getConnectTimeoutMs() {
    return get(CONNECT_TIMEOUT_MS);
  }

  /**
   * Time for a member to take a connection, and as long again to greet, 1 ms to 10 min; default
   * {@value #DEFAULT_CONNECT_TIMEOUT_MS}.
   */
  public ProcessorClientOptions setConnectTimeoutMs(int connectTimeoutMs) {
    return set(CONNECT_TIMEOUT_MS, connectTimeoutMs);
  }

  public int getSilenceMs() {
    return get(SILENCE_MS);
  }

  /**
   * Silence of a member that owes replies until the next is tried, 1 ms to 10 min; default {@value
   * #DEFAULT_SILENCE_MS}.
   */
  public ProcessorClientOptions setSilenceMs(int silenceMs) {
    return set(SILENCE_MS, silenceMs);
  }
}
