package dev.weir.gateway;

import static dev.weir.options.OptionTypes.text;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Where a gateway listens, and what it allows. */
public final class GatewayOptions extends JsonOptions<GatewayOptions> {
  /** {@value}: this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** {@value}. */
  public static final int DEFAULT_PORT = 8080;

  /** {@value}: there is none. */
  public static final int DEFAULT_MANAGEMENT_PORT = -1;

  /** Every address. */
  public static final List<String> DEFAULT_ADDRESSES = List.of("*");

  /** The id of the request, and the headers that carry traces on. */
  public static final List<String> DEFAULT_FORWARDED_HEADERS =
      List.of("x-request-id", "traceparent", "tracestate", "baggage");

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

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<String> HOST =
      OPTIONS
          .add("host", text("a name or an address"), DEFAULT_HOST)
          .does("The address to listen on.");
  private static final Option<Integer> PORT =
      OPTIONS
          .integer("port", DEFAULT_PORT, 0, 65_535)
          .does("The port to listen on; 0 for any free port.");
  private static final Option<Integer> MANAGEMENT_PORT =
      OPTIONS
          .integer("managementPort", DEFAULT_MANAGEMENT_PORT, -1, 65_535)
          .does(
              "The port for health, metrics, administration and the dashboard; 0 for any free port,"
                  + " -1 to serve them on port.");
  private static final Option<List<String>> ALLOWED_HOSTS =
      OPTIONS
          .add("allowedHosts", NameLists.hosts(), List.of())
          .does("The names under which clients may reach the gateway.");
  private static final Option<List<String>> ADDRESSES =
      OPTIONS
          .add("addresses", NameLists.patterns(), DEFAULT_ADDRESSES)
          .does("The event bus addresses that clients reach.");
  private static final Option<List<String>> FORWARDED_HEADERS =
      OPTIONS
          .add("forwardedHeaders", NameLists.patterns(), DEFAULT_FORWARDED_HEADERS)
          .does("The request headers that become headers of the message.");
  private static final Option<Integer> MAX_BODY_BYTES =
      OPTIONS
          .integer("maxBodyBytes", DEFAULT_MAX_BODY_BYTES, 1, 512 << 20)
          .does("The largest body of a request.");
  private static final Option<Long> TIMEOUT_MS =
      OPTIONS
          .whole("timeoutMs", DEFAULT_TIMEOUT_MS, 1, 86_400_000)
          .does("Time for a request that names none.");
  private static final Option<Long> MAX_TIMEOUT_MS =
      OPTIONS
          .whole("maxTimeoutMs", DEFAULT_MAX_TIMEOUT_MS, 1, 86_400_000)
          .does("The longest time a request may name.");
  private static final Option<Integer> IDEMPOTENCY_MAX_KEYS =
      OPTIONS
          .integer("idempotencyMaxKeys", DEFAULT_IDEMPOTENCY_MAX_KEYS, 1, 10_000_000)
          .does("Requests with a key whose answers are remembered.");
  private static final Option<Long> IDEMPOTENCY_MAX_BYTES =
      OPTIONS
          .whole("idempotencyMaxBytes", DEFAULT_IDEMPOTENCY_MAX_BYTES, 0, Long.MAX_VALUE)
          .does("Bytes of answers that are remembered.");
  private static final Option<Integer> MAX_IN_FLIGHT_PER_WEB_SOCKET =
      OPTIONS
          .integer("maxInFlightPerWebSocket", DEFAULT_MAX_IN_FLIGHT_PER_WEB_SOCKET, 1, 1_000_000)
          .does("Requests of one WebSocket that may be unanswered.");
  private static final Option<Integer> MAX_STREAMS_PER_WEB_SOCKET =
      OPTIONS
          .integer("maxStreamsPerWebSocket", DEFAULT_MAX_STREAMS_PER_WEB_SOCKET, 0, 1_000_000)
          .does("Streams of replies that may be open on one WebSocket.");
  private static final Option<Long> IDEMPOTENCY_WINDOW_MS =
      OPTIONS
          .whole("idempotencyWindowMs", DEFAULT_IDEMPOTENCY_WINDOW_MS, 1, Long.MAX_VALUE / 4)
          .does("How long an answer is remembered.");
  private static final Option<TlsOptions> TLS =
      OPTIONS
          .add("tls", section(TlsOptions::new, TlsOptions::new), new TlsOptions())
          .does("The certificate.");
  private static final Option<TokenOptions> TOKENS =
      OPTIONS
          .add("tokens", section(TokenOptions::new, TokenOptions::new), new TokenOptions())
          .does("The tokens.");
  private static final Option<CorsOptions> CORS =
      OPTIONS
          .add("cors", section(CorsOptions::new, CorsOptions::new), new CorsOptions())
          .does("Which pages of other origins may call services.");
  private static final Option<LimitOptions> LIMITS =
      OPTIONS
          .add("limits", section(LimitOptions::new, LimitOptions::new), new LimitOptions())
          .does("The limits for clients.");
  private static final Option<HealthOptions> HEALTH =
      OPTIONS
          .add("health", section(HealthOptions::new, HealthOptions::new), new HealthOptions())
          .does("When the node is ready.");
  private static final Option<Boolean> UNPROTECTED_ALLOWED =
      OPTIONS
          .flag("unprotectedAllowed", false)
          .does("Whether the gateway may listen without TLS or data tokens where others reach it.");
  private static final Option<Boolean> HTTP2_UPGRADE_ALLOWED =
      OPTIONS
          .flag("http2UpgradeAllowed", false)
          .does("Whether a request of HTTP/1.1 may change its connection to HTTP/2 (h2c).");
  private static final Option<AccessLogFormat> ACCESS_LOG =
      OPTIONS.choice("accessLog", AccessLogFormat.NONE).does("A log line for each request.");

  public GatewayOptions() {
    super(OPTIONS);
  }

  public GatewayOptions(GatewayOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public GatewayOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  public String getHost() {
    return get(HOST);
  }

  /** The address to listen on; by default {@value #DEFAULT_HOST}. */
  public GatewayOptions setHost(String host) {
    return set(HOST, host);
  }

  public int getPort() {
    return get(PORT);
  }

  /** 0 to 65,535; 0 for any that is free. {@value #DEFAULT_PORT} by default. */
  public GatewayOptions setPort(int port) {
    return set(PORT, port);
  }

  public int getManagementPort() {
    return get(MANAGEMENT_PORT);
  }

  /**
   * The port for health, metrics, administration and the dashboard, with limits and an event loop
   * of its own. Host, TLS and tokens are those of the port. 0 for any free port, -1 to serve all on
   * the port. {@value #DEFAULT_MANAGEMENT_PORT} by default.
   */
  public GatewayOptions setManagementPort(int managementPort) {
    return set(MANAGEMENT_PORT, managementPort);
  }

  public List<String> getAllowedHosts() {
    return get(ALLOWED_HOSTS);
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
    return set(ALLOWED_HOSTS, allowedHosts);
  }

  public List<String> getAddresses() {
    return get(ADDRESSES);
  }

  /**
   * The event bus addresses that clients reach: names, or beginnings of names that end in {@code
   * *}; all by default. Those of Vert.x and Weir themselves, which begin with {@code __} or {@code
   * weir.}, are never reached.
   *
   * @param addresses copied; not null, none blank
   */
  public GatewayOptions setAddresses(List<String> addresses) {
    return set(ADDRESSES, addresses);
  }

  public List<String> getForwardedHeaders() {
    return get(FORWARDED_HEADERS);
  }

  /**
   * The request headers that become headers of the message: names, or beginnings of names that end
   * in {@code *}, in any case. By default {@code x-request-id} and those of W3C trace context.
   * Credentials, headers of one connection and headers of Weir and Vert.x never do. The message,
   * and its dead letter, keep them on disk.
   *
   * @param forwardedHeaders copied; not null, none blank
   */
  public GatewayOptions setForwardedHeaders(List<String> forwardedHeaders) {
    return set(FORWARDED_HEADERS, forwardedHeaders);
  }

  public int getMaxBodyBytes() {
    return get(MAX_BODY_BYTES);
  }

  /** The largest body of a request, 1 byte to 512 MiB; default {@value #DEFAULT_MAX_BODY_BYTES}. */
  public GatewayOptions setMaxBodyBytes(int maxBodyBytes) {
    return set(MAX_BODY_BYTES, maxBodyBytes);
  }

  public long getTimeoutMs() {
    return get(TIMEOUT_MS);
  }

  /** Time for a request that names none, 1 ms to a day; default {@value #DEFAULT_TIMEOUT_MS}. */
  public GatewayOptions setTimeoutMs(long timeoutMs) {
    return set(TIMEOUT_MS, timeoutMs);
  }

  public long getMaxTimeoutMs() {
    return get(MAX_TIMEOUT_MS);
  }

  /** The longest a request may name, 1 ms to a day; default {@value #DEFAULT_MAX_TIMEOUT_MS}. */
  public GatewayOptions setMaxTimeoutMs(long maxTimeoutMs) {
    return set(MAX_TIMEOUT_MS, maxTimeoutMs);
  }

  public int getIdempotencyMaxKeys() {
    return get(IDEMPOTENCY_MAX_KEYS);
  }

  /**
   * Requests with a key whose answers are remembered, 1 to 10 million; default {@value
   * #DEFAULT_IDEMPOTENCY_MAX_KEYS}. For events see {@link
   * dev.weir.flow.ServiceOptions#setDedupMaxIds}.
   */
  public GatewayOptions setIdempotencyMaxKeys(int idempotencyMaxKeys) {
    return set(IDEMPOTENCY_MAX_KEYS, idempotencyMaxKeys);
  }

  public long getIdempotencyMaxBytes() {
    return get(IDEMPOTENCY_MAX_BYTES);
  }

  /** Bytes of answers remembered, 0 or more; default {@value #DEFAULT_IDEMPOTENCY_MAX_BYTES}. */
  public GatewayOptions setIdempotencyMaxBytes(long idempotencyMaxBytes) {
    return set(IDEMPOTENCY_MAX_BYTES, idempotencyMaxBytes);
  }

  public int getMaxInFlightPerWebSocket() {
    return get(MAX_IN_FLIGHT_PER_WEB_SOCKET);
  }

  /** Unanswered requests of one socket, 1 to 1 million; then no more is read from it. */
  public GatewayOptions setMaxInFlightPerWebSocket(int maxInFlightPerWebSocket) {
    return set(MAX_IN_FLIGHT_PER_WEB_SOCKET, maxInFlightPerWebSocket);
  }

  public int getMaxStreamsPerWebSocket() {
    return get(MAX_STREAMS_PER_WEB_SOCKET);
  }

  /** Streams of replies that are open on one socket, 0 to 1 million; one more is refused. */
  public GatewayOptions setMaxStreamsPerWebSocket(int maxStreamsPerWebSocket) {
    return set(MAX_STREAMS_PER_WEB_SOCKET, maxStreamsPerWebSocket);
  }

  public long getIdempotencyWindowMs() {
    return get(IDEMPOTENCY_WINDOW_MS);
  }

  /** How long an answer is remembered; default {@value #DEFAULT_IDEMPOTENCY_WINDOW_MS}. */
  public GatewayOptions setIdempotencyWindowMs(long idempotencyWindowMs) {
    return set(IDEMPOTENCY_WINDOW_MS, idempotencyWindowMs);
  }

  /** A copy. */
  public TlsOptions getTls() {
    return new TlsOptions(get(TLS));
  }

  /** Copied; by default no TLS. */
  public GatewayOptions setTls(TlsOptions tls) {
    return set(TLS, tls);
  }

  /** A copy. */
  public TokenOptions getTokens() {
    return new TokenOptions(get(TOKENS));
  }

  /** Copied; by default only the tokens of the environment. */
  public GatewayOptions setTokens(TokenOptions tokens) {
    return set(TOKENS, tokens);
  }

  /** A copy. */
  public CorsOptions getCors() {
    return new CorsOptions(get(CORS));
  }

  /** Copied; by default no page of another origin may call services. */
  public GatewayOptions setCors(CorsOptions cors) {
    return set(CORS, cors);
  }

  /** A copy. */
  public LimitOptions getLimits() {
    return new LimitOptions(get(LIMITS));
  }

  /** Copied. */
  public GatewayOptions setLimits(LimitOptions limits) {
    return set(LIMITS, limits);
  }

  /** A copy. */
  public HealthOptions getHealth() {
    return new HealthOptions(get(HEALTH));
  }

  /**
   * Copied. For the checks that are made from these options, the launcher's too; who brings a
   * {@link dev.weir.gateway.health.Health} has made its choice.
   */
  public GatewayOptions setHealth(HealthOptions health) {
    return set(HEALTH, health);
  }

  public AccessLogFormat getAccessLog() {
    return get(ACCESS_LOG);
  }

  /** Lines of the logger {@code dev.weir.gateway.access}, at INFO; by default none. */
  public GatewayOptions setAccessLog(AccessLogFormat accessLog) {
    return set(ACCESS_LOG, accessLog);
  }

  public boolean isUnprotectedAllowed() {
    return get(UNPROTECTED_ALLOWED);
  }

  /**
   * Whether it may listen on an address that others can reach without TLS or without data tokens,
   * because something else protects the port. False by default: it refuses to start.
   */
  public GatewayOptions setUnprotectedAllowed(boolean unprotectedAllowed) {
    return set(UNPROTECTED_ALLOWED, unprotectedAllowed);
  }

  public boolean isHttp2UpgradeAllowed() {
    return get(HTTP2_UPGRADE_ALLOWED);
  }

  /**
   * Whether {@code Upgrade: h2c} changes a connection to HTTP/2. False by default: a proxy that
   * does not know it hands on what follows unseen. Clients that begin with HTTP/2 are always
   * served.
   */
  public GatewayOptions setHttp2UpgradeAllowed(boolean http2UpgradeAllowed) {
    return set(HTTP2_UPGRADE_ALLOWED, http2UpgradeAllowed);
  }
}
