package dev.weir.gateway;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.text;
import static dev.weir.flow.OptionReader.texts;
import static dev.weir.flow.OptionReader.truth;
import static dev.weir.flow.OptionReader.whole;
import static java.util.Map.entry;

import dev.weir.flow.OptionReader;
import dev.weir.gateway.health.HealthOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Where a gateway listens, and what it allows. */
public final class GatewayOptions {
  /** {@value}: this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** {@value}. */
  public static final int DEFAULT_PORT = 8080;

  /** Every address. */
  public static final List<String> DEFAULT_ADDRESSES = List.of("*");

  private static final String ANY_HOST = "*";
  private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  /** Headers by which traces go on, and those of applications. */
  public static final List<String> DEFAULT_FORWARDED_HEADERS =
      List.of("x-*", "traceparent", "tracestate", "baggage");

  /** {@value} bytes is the largest body. */
  public static final int DEFAULT_MAX_BODY_BYTES = 10 << 20;

  /** {@value} ms for a request that names no time. */
  public static final long DEFAULT_TIMEOUT_MS = 30_000;

  /** {@value} ms is the longest time a request may name. */
  public static final long DEFAULT_MAX_TIMEOUT_MS = 600_000;

  /** {@value} requests with a key are remembered. */
  public static final int DEFAULT_IDEMPOTENCY_MAX_KEYS = 10_000;

  /** {@value} bytes of answers are remembered. */
  public static final long DEFAULT_IDEMPOTENCY_MAX_BYTES = 16L << 20;

  /** {@value} ms an answer is remembered. */
  public static final long DEFAULT_IDEMPOTENCY_WINDOW_MS = 600_000;

  /** {@value} requests of one socket may be unanswered. */
  public static final int DEFAULT_MAX_IN_FLIGHT_PER_WEB_SOCKET = 256;

  /** {@value} streams of replies may be open on one socket. */
  public static final int DEFAULT_MAX_STREAMS_PER_WEB_SOCKET = 32;

  private String host = DEFAULT_HOST;
  private int port = DEFAULT_PORT;
  private List<String> allowedHosts = List.of();
  private List<String> addresses = DEFAULT_ADDRESSES;
  private List<String> forwardedHeaders = DEFAULT_FORWARDED_HEADERS;
  private int maxBodyBytes = DEFAULT_MAX_BODY_BYTES;
  private long timeoutMs = DEFAULT_TIMEOUT_MS;
  private long maxTimeoutMs = DEFAULT_MAX_TIMEOUT_MS;
  private int idempotencyMaxKeys = DEFAULT_IDEMPOTENCY_MAX_KEYS;
  private long idempotencyMaxBytes = DEFAULT_IDEMPOTENCY_MAX_BYTES;
  private long idempotencyWindowMs = DEFAULT_IDEMPOTENCY_WINDOW_MS;
  private int maxInFlightPerWebSocket = DEFAULT_MAX_IN_FLIGHT_PER_WEB_SOCKET;
  private int maxStreamsPerWebSocket = DEFAULT_MAX_STREAMS_PER_WEB_SOCKET;
  private TlsOptions tls = new TlsOptions();
  private TokenOptions tokens = new TokenOptions();
  private LimitOptions limits = new LimitOptions();
  private HealthOptions health = new HealthOptions();
  private boolean unprotectedAllowed;

  public GatewayOptions() {}

  public GatewayOptions(GatewayOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public GatewayOptions(JsonObject json) {
    new OptionReader(
            Map.<String, Consumer<Object>>ofEntries(
                entry("host", value -> setHost(text("host", value))),
                entry("port", value -> setPort(smallWhole("port", value))),
                entry("allowedHosts", value -> setAllowedHosts(texts("allowedHosts", value))),
                entry("addresses", value -> setAddresses(texts("addresses", value))),
                entry(
                    "forwardedHeaders",
                    value -> setForwardedHeaders(texts("forwardedHeaders", value))),
                entry("maxBodyBytes", value -> setMaxBodyBytes(smallWhole("maxBodyBytes", value))),
                entry("timeoutMs", value -> setTimeoutMs(whole("timeoutMs", value))),
                entry("maxTimeoutMs", value -> setMaxTimeoutMs(whole("maxTimeoutMs", value))),
                entry(
                    "idempotencyMaxKeys",
                    value -> setIdempotencyMaxKeys(smallWhole("idempotencyMaxKeys", value))),
                entry(
                    "idempotencyMaxBytes",
                    value -> setIdempotencyMaxBytes(whole("idempotencyMaxBytes", value))),
                entry(
                    "maxInFlightPerWebSocket",
                    value ->
                        setMaxInFlightPerWebSocket(smallWhole("maxInFlightPerWebSocket", value))),
                entry(
                    "maxStreamsPerWebSocket",
                    value ->
                        setMaxStreamsPerWebSocket(smallWhole("maxStreamsPerWebSocket", value))),
                entry(
                    "idempotencyWindowMs",
                    value -> setIdempotencyWindowMs(whole("idempotencyWindowMs", value))),
                entry("tls", value -> setTls(new TlsOptions(object("tls", value)))),
                entry("tokens", value -> setTokens(new TokenOptions(object("tokens", value)))),
                entry("limits", value -> setLimits(new LimitOptions(object("limits", value)))),
                entry("health", value -> setHealth(new HealthOptions(object("health", value)))),
                entry(
                    "unprotectedAllowed",
                    value -> setUnprotectedAllowed(truth("unprotectedAllowed", value)))))
        .apply(json);
  }

  public JsonObject toJson() {
    return new JsonObject()
        .put("host", host)
        .put("port", port)
        .put("allowedHosts", new JsonArray(allowedHosts))
        .put("addresses", new JsonArray(addresses))
        .put("forwardedHeaders", new JsonArray(forwardedHeaders))
        .put("maxBodyBytes", maxBodyBytes)
        .put("timeoutMs", timeoutMs)
        .put("maxTimeoutMs", maxTimeoutMs)
        .put("idempotencyMaxKeys", idempotencyMaxKeys)
        .put("idempotencyMaxBytes", idempotencyMaxBytes)
        .put("maxInFlightPerWebSocket", maxInFlightPerWebSocket)
        .put("maxStreamsPerWebSocket", maxStreamsPerWebSocket)
        .put("idempotencyWindowMs", idempotencyWindowMs)
        .put("tls", tls.toJson())
        .put("tokens", tokens.toJson())
        .put("limits", limits.toJson())
        .put("health", health.toJson())
        .put("unprotectedAllowed", unprotectedAllowed);
  }

  public String getHost() {
    return host;
  }

  /** The address to listen on; by default {@value #DEFAULT_HOST}. */
  public GatewayOptions setHost(String host) {
    if (OptionReader.notNull("host", host).isBlank()) {
      throw new IllegalArgumentException("host is blank, allowed is a name or an address");
    }
    this.host = host;
    return this;
  }

  public int getPort() {
    return port;
  }

  /** 0 to 65,535; 0 for any that is free. {@value #DEFAULT_PORT} by default. */
  public GatewayOptions setPort(int port) {
    this.port = (int) range("port", port, 0, 65_535);
    return this;
  }

  public List<String> getAllowedHosts() {
    return allowedHosts;
  }

  /**
   * The names under which clients may reach the gateway, in any case and with any port; {@code *}
   * for any. A request with another name in its {@code Host} is answered with 403, so that no page
   * reaches the gateway by a name of its own that resolves here (DNS rebinding). Addresses, {@code
   * localhost} and names below it are always allowed. With none, which is the default, any name is
   * allowed, except on a loopback address.
   *
   * @param allowedHosts copied; not null, names without scheme and port
   */
  public GatewayOptions setAllowedHosts(List<String> allowedHosts) {
    for (String name : OptionReader.notNull("allowedHosts", allowedHosts)) {
      if (name == null || !name.equals(ANY_HOST) && !HOST_NAME.matcher(name).matches()) {
        throw new IllegalArgumentException(
            "allowedHosts has "
                + name
                + ", allowed are names of hosts without scheme and port, and * for any");
      }
    }
    this.allowedHosts = allowedHosts.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    return this;
  }

  public List<String> getAddresses() {
    return addresses;
  }

  /**
   * The event bus addresses that clients reach: names, or beginnings of names that end in {@code
   * *}; all by default. Those of Vert.x and Weir themselves, which begin with {@code __} or {@code
   * weir.}, are never reached.
   *
   * @param addresses copied; not null, none blank
   */
  public GatewayOptions setAddresses(List<String> addresses) {
    this.addresses = patterns("addresses", addresses);
    return this;
  }

  public List<String> getForwardedHeaders() {
    return forwardedHeaders;
  }

  /**
   * The request headers that become headers of the message: names, or beginnings of names that end
   * in {@code *}, in any case. By default {@code x-*} and those of W3C trace context. Credentials
   * and what belongs to one connection never do.
   *
   * @param forwardedHeaders copied; not null, none blank
   */
  public GatewayOptions setForwardedHeaders(List<String> forwardedHeaders) {
    this.forwardedHeaders = patterns("forwardedHeaders", forwardedHeaders);
    return this;
  }

  private static List<String> patterns(String option, List<String> values) {
    for (String value : OptionReader.notNull(option, values)) {
      if (value == null
          || value.isBlank()
          || value.indexOf('*') < value.length() - 1 && value.contains("*")) {
        throw new IllegalArgumentException(
            option + " has " + value + ", allowed are names, and a * at the end of one");
      }
    }
    return List.copyOf(values);
  }

  public int getMaxBodyBytes() {
    return maxBodyBytes;
  }

  /** The largest body of a request, 1 byte to 512 MiB; default {@value #DEFAULT_MAX_BODY_BYTES}. */
  public GatewayOptions setMaxBodyBytes(int maxBodyBytes) {
    this.maxBodyBytes = (int) range("maxBodyBytes", maxBodyBytes, 1, 512 << 20);
    return this;
  }

  public long getTimeoutMs() {
    return timeoutMs;
  }

  /** Time for a request that names none, 1 ms to a day; default {@value #DEFAULT_TIMEOUT_MS}. */
  public GatewayOptions setTimeoutMs(long timeoutMs) {
    this.timeoutMs = range("timeoutMs", timeoutMs, 1, 86_400_000);
    return this;
  }

  public long getMaxTimeoutMs() {
    return maxTimeoutMs;
  }

  /**
   * The longest time a request may name, 1 ms to a day; default {@value #DEFAULT_MAX_TIMEOUT_MS}.
   */
  public GatewayOptions setMaxTimeoutMs(long maxTimeoutMs) {
    this.maxTimeoutMs = range("maxTimeoutMs", maxTimeoutMs, 1, 86_400_000);
    return this;
  }

  public int getIdempotencyMaxKeys() {
    return idempotencyMaxKeys;
  }

  /**
   * Requests with a key whose answers are remembered, 1 to 10 million; default {@value
   * #DEFAULT_IDEMPOTENCY_MAX_KEYS}. For events see {@link
   * dev.weir.flow.ServiceOptions#setDedupMaxIds}.
   */
  public GatewayOptions setIdempotencyMaxKeys(int idempotencyMaxKeys) {
    this.idempotencyMaxKeys = (int) range("idempotencyMaxKeys", idempotencyMaxKeys, 1, 10_000_000);
    return this;
  }

  public long getIdempotencyMaxBytes() {
    return idempotencyMaxBytes;
  }

  /** Bytes of answers remembered, 0 or more; default {@value #DEFAULT_IDEMPOTENCY_MAX_BYTES}. */
  public GatewayOptions setIdempotencyMaxBytes(long idempotencyMaxBytes) {
    this.idempotencyMaxBytes = range("idempotencyMaxBytes", idempotencyMaxBytes, 0, Long.MAX_VALUE);
    return this;
  }

  public int getMaxInFlightPerWebSocket() {
    return maxInFlightPerWebSocket;
  }

  /**
   * Requests of one socket that may be unanswered, 1 to 1 million; default {@value
   * #DEFAULT_MAX_IN_FLIGHT_PER_WEB_SOCKET}. Then no more is read from it.
   */
  public GatewayOptions setMaxInFlightPerWebSocket(int maxInFlightPerWebSocket) {
    this.maxInFlightPerWebSocket =
        (int) range("maxInFlightPerWebSocket", maxInFlightPerWebSocket, 1, 1_000_000);
    return this;
  }

  public int getMaxStreamsPerWebSocket() {
    return maxStreamsPerWebSocket;
  }

  /**
   * Streams of replies that may be open on one socket, 0 to 1 million; default {@value
   * #DEFAULT_MAX_STREAMS_PER_WEB_SOCKET}. One more is refused.
   */
  public GatewayOptions setMaxStreamsPerWebSocket(int maxStreamsPerWebSocket) {
    this.maxStreamsPerWebSocket =
        (int) range("maxStreamsPerWebSocket", maxStreamsPerWebSocket, 0, 1_000_000);
    return this;
  }

  public long getIdempotencyWindowMs() {
    return idempotencyWindowMs;
  }

  /** How long an answer is remembered; default {@value #DEFAULT_IDEMPOTENCY_WINDOW_MS}. */
  public GatewayOptions setIdempotencyWindowMs(long idempotencyWindowMs) {
    this.idempotencyWindowMs =
        range("idempotencyWindowMs", idempotencyWindowMs, 1, Long.MAX_VALUE / 4);
    return this;
  }

  /** A copy. */
  public TlsOptions getTls() {
    return new TlsOptions(tls);
  }

  /** Copied; by default no TLS. */
  public GatewayOptions setTls(TlsOptions tls) {
    this.tls = new TlsOptions(OptionReader.notNull("tls", tls));
    return this;
  }

  /** A copy. */
  public TokenOptions getTokens() {
    return new TokenOptions(tokens);
  }

  /** Copied; by default only the tokens of the environment. */
  public GatewayOptions setTokens(TokenOptions tokens) {
    this.tokens = new TokenOptions(OptionReader.notNull("tokens", tokens));
    return this;
  }

  /** A copy. */
  public LimitOptions getLimits() {
    return new LimitOptions(limits);
  }

  /** Copied. */
  public GatewayOptions setLimits(LimitOptions limits) {
    this.limits = new LimitOptions(OptionReader.notNull("limits", limits));
    return this;
  }

  /** A copy. */
  public HealthOptions getHealth() {
    return new HealthOptions(health);
  }

  /**
   * Copied. For the checks that are made from these options: those of {@link
   * Gateway#start(io.vertx.core.Vertx, dev.weir.flow.Weir, GatewayOptions)} and of the launcher;
   * who brings a {@link dev.weir.gateway.health.Health} has made its choice.
   */
  public GatewayOptions setHealth(HealthOptions health) {
    this.health = new HealthOptions(OptionReader.notNull("health", health));
    return this;
  }

  public boolean isUnprotectedAllowed() {
    return unprotectedAllowed;
  }

  /**
   * Whether it may listen on an address that others can reach without TLS or without data tokens,
   * because something else protects the port. False by default: it refuses to start.
   */
  public GatewayOptions setUnprotectedAllowed(boolean unprotectedAllowed) {
    this.unprotectedAllowed = unprotectedAllowed;
    return this;
  }

  private static JsonObject object(String option, Object value) {
    if (value instanceof JsonObject json) {
      return json;
    }
    throw new IllegalArgumentException(option + " is " + value + ", allowed is an object");
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
