package dev.weir.gateway;

import dev.weir.flow.JsonOptions;
import dev.weir.options.Option;
import dev.weir.options.OptionSet;
import io.vertx.core.json.JsonObject;

/** How much a gateway takes from its clients at the same time, and how long it waits for them. */
public final class LimitOptions extends JsonOptions<LimitOptions> {
  /** {@value}. */
  public static final int DEFAULT_MAX_HEADER_BYTES = 16_384;

  /** {@value}. */
  public static final int DEFAULT_MAX_REQUEST_LINE_BYTES = 8_192;

  /** {@value}. */
  public static final int DEFAULT_MAX_CONNECTIONS = 10_000;

  /** {@value}. */
  public static final int DEFAULT_MAX_CONNECTIONS_PER_PEER = 0;

  /** {@value}. */
  public static final int DEFAULT_MAX_REQUESTS_IN_FLIGHT = 10_000;

  /** {@value}. */
  public static final long DEFAULT_MAX_BODY_BYTES_IN_FLIGHT = 268_435_456L;

  /** {@value}. */
  public static final int DEFAULT_MAX_HTTP2_STREAMS = 1_000;

  /** {@value}. */
  public static final long DEFAULT_HEADER_TIMEOUT_MS = 10_000;

  /** {@value}. */
  public static final long DEFAULT_BODY_TIMEOUT_MS = 60_000;

  /** {@value}. */
  public static final long DEFAULT_IDLE_TIMEOUT_MS = 60_000;

  /** {@value}. */
  public static final long DEFAULT_WRITE_TIMEOUT_MS = 30_000;

  private static final OptionSet OPTIONS = new OptionSet();
  private static final Option<Integer> MAX_HEADER_BYTES =
      OPTIONS
          .integer("maxHeaderBytes", DEFAULT_MAX_HEADER_BYTES, 256, 1_048_576)
          .does("Size of all headers of a request.");
  private static final Option<Integer> MAX_REQUEST_LINE_BYTES =
      OPTIONS
          .integer("maxRequestLineBytes", DEFAULT_MAX_REQUEST_LINE_BYTES, 64, 1_048_576)
          .does("Size of the request line.");
  private static final Option<Integer> MAX_CONNECTIONS =
      OPTIONS
          .integer("maxConnections", DEFAULT_MAX_CONNECTIONS, 1, 1_000_000)
          .does("Connections that may be open.");
  private static final Option<Integer> MAX_CONNECTIONS_PER_PEER =
      OPTIONS
          .integer("maxConnectionsPerPeer", DEFAULT_MAX_CONNECTIONS_PER_PEER, 0, 1_000_000)
          .does("Connections of one address; 0 for no limit.");
  private static final Option<Integer> MAX_REQUESTS_IN_FLIGHT =
      OPTIONS
          .integer("maxRequestsInFlight", DEFAULT_MAX_REQUESTS_IN_FLIGHT, 1, 1_000_000)
          .does("Requests that may be unanswered.");
  private static final Option<Long> MAX_BODY_BYTES_IN_FLIGHT =
      OPTIONS
          .whole(
              "maxBodyBytesInFlight",
              DEFAULT_MAX_BODY_BYTES_IN_FLIGHT,
              1_024L,
              1_125_899_906_842_624L)
          .does("Bytes of the bodies of unanswered requests.");
  private static final Option<Integer> MAX_HTTP2_STREAMS =
      OPTIONS
          .integer("maxHttp2Streams", DEFAULT_MAX_HTTP2_STREAMS, 1, 100_000)
          .does("Concurrent streams of one HTTP/2 connection.");
  private static final Option<Long> HEADER_TIMEOUT_MS =
      OPTIONS
          .whole("headerTimeoutMs", DEFAULT_HEADER_TIMEOUT_MS, 100, 86_400_000)
          .does("Time for the headers of a request, and for a TLS handshake.");
  private static final Option<Long> BODY_TIMEOUT_MS =
      OPTIONS
          .whole("bodyTimeoutMs", DEFAULT_BODY_TIMEOUT_MS, 100, 86_400_000)
          .does("Time for the body of a request.");
  private static final Option<Long> IDLE_TIMEOUT_MS =
      OPTIONS
          .whole("idleTimeoutMs", DEFAULT_IDLE_TIMEOUT_MS, 100, 86_400_000)
          .does("How long a connection may be open without a request.");
  private static final Option<Long> WRITE_TIMEOUT_MS =
      OPTIONS
          .whole("writeTimeoutMs", DEFAULT_WRITE_TIMEOUT_MS, 100, 86_400_000)
          .does("How long a client may leave what waits for it unread.");

  public LimitOptions() {
    super(OPTIONS);
  }

  public LimitOptions(LimitOptions other) {
    super(other);
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public LimitOptions(JsonObject json) {
    super(OPTIONS, json);
  }

  public int getMaxHeaderBytes() {
    return get(MAX_HEADER_BYTES);
  }

  /**
   * All headers of a request together; more is answered with 431, and so are very many headers for
   * which the heap has no room. 256 to 1,048,576. {@value #DEFAULT_MAX_HEADER_BYTES} by default.
   */
  public LimitOptions setMaxHeaderBytes(int maxHeaderBytes) {
    return set(MAX_HEADER_BYTES, maxHeaderBytes);
  }

  public int getMaxRequestLineBytes() {
    return get(MAX_REQUEST_LINE_BYTES);
  }

  /**
   * The first line of a request: method, path and query; more is answered with 414. 64 to
   * 1,048,576. {@value #DEFAULT_MAX_REQUEST_LINE_BYTES} by default.
   */
  public LimitOptions setMaxRequestLineBytes(int maxRequestLineBytes) {
    return set(MAX_REQUEST_LINE_BYTES, maxRequestLineBytes);
  }

  public int getMaxConnections() {
    return get(MAX_CONNECTIONS);
  }

  /**
   * Open connections; more are closed at once. 1 to 1,000,000. {@value #DEFAULT_MAX_CONNECTIONS} by
   * default.
   */
  public LimitOptions setMaxConnections(int maxConnections) {
    return set(MAX_CONNECTIONS, maxConnections);
  }

  public int getMaxConnectionsPerPeer() {
    return get(MAX_CONNECTIONS_PER_PEER);
  }

  /**
   * Open connections of one address, 0 for as many as there may be at all: behind a proxy all are
   * of one. 0 to 1,000,000. {@value #DEFAULT_MAX_CONNECTIONS_PER_PEER} by default.
   */
  public LimitOptions setMaxConnectionsPerPeer(int maxConnectionsPerPeer) {
    return set(MAX_CONNECTIONS_PER_PEER, maxConnectionsPerPeer);
  }

  public int getMaxRequestsInFlight() {
    return get(MAX_REQUESTS_IN_FLIGHT);
  }

  /**
   * Requests, event streams and WebSockets that are being answered; more get 503 with {@code
   * Retry-After}. A request that a service handles counts until its reply or its timeout, even if
   * its client is gone. On HTTP/2 a request counts until its client has taken the reply. 1 to
   * 1,000,000. {@value #DEFAULT_MAX_REQUESTS_IN_FLIGHT} by default.
   */
  public LimitOptions setMaxRequestsInFlight(int maxRequestsInFlight) {
    return set(MAX_REQUESTS_IN_FLIGHT, maxRequestsInFlight);
  }

  public long getMaxBodyBytesInFlight() {
    return get(MAX_BODY_BYTES_IN_FLIGHT);
  }

  /**
   * The bodies of the requests in flight together; a request that would exceed it gets 503 with
   * {@code Retry-After}. Bodies of messages on WebSockets count too, and replies until the client
   * has taken them; a body counts as far as it has come. The requests of one HTTP/2 connection or
   * WebSocket together have half of it at most. A body larger than all of it gets 413. 1,024 to 2
   * to the 50th. {@value #DEFAULT_MAX_BODY_BYTES_IN_FLIGHT} by default, and at most a share of
   * {@link dev.weir.flow.WeirOptions#setHeapBytes}.
   */
  public LimitOptions setMaxBodyBytesInFlight(long maxBodyBytesInFlight) {
    return set(MAX_BODY_BYTES_IN_FLIGHT, maxBodyBytesInFlight);
  }

  public int getMaxHttp2Streams() {
    return get(MAX_HTTP2_STREAMS);
  }

  /**
   * Requests at the same time on one HTTP/2 connection; at most half of {@link
   * #setMaxRequestsInFlight}, and what the heap has room for. 1 to 100,000. {@value
   * #DEFAULT_MAX_HTTP2_STREAMS} by default.
   */
  public LimitOptions setMaxHttp2Streams(int maxHttp2Streams) {
    return set(MAX_HTTP2_STREAMS, maxHttp2Streams);
  }

  public long getHeaderTimeoutMs() {
    return get(HEADER_TIMEOUT_MS);
  }

  /**
   * From the first byte of a request to the end of its headers, and for a TLS handshake; then the
   * connection is closed. 100 to 86,400,000 ms. {@value #DEFAULT_HEADER_TIMEOUT_MS} by default.
   */
  public LimitOptions setHeaderTimeoutMs(long headerTimeoutMs) {
    return set(HEADER_TIMEOUT_MS, headerTimeoutMs);
  }

  public long getBodyTimeoutMs() {
    return get(BODY_TIMEOUT_MS);
  }

  /**
   * From the end of the headers to the end of the body; then the connection is closed. On HTTP/2
   * the stream is reset. 100 to 86,400,000 ms. {@value #DEFAULT_BODY_TIMEOUT_MS} by default.
   */
  public LimitOptions setBodyTimeoutMs(long bodyTimeoutMs) {
    return set(BODY_TIMEOUT_MS, bodyTimeoutMs);
  }

  public long getIdleTimeoutMs() {
    return get(IDLE_TIMEOUT_MS);
  }

  /**
   * How long a connection may be open with no request on it, a WebSocket with nothing sent or
   * received. 100 to 86,400,000 ms. {@value #DEFAULT_IDLE_TIMEOUT_MS} by default.
   */
  public LimitOptions setIdleTimeoutMs(long idleTimeoutMs) {
    return set(IDLE_TIMEOUT_MS, idleTimeoutMs);
  }

  public long getWriteTimeoutMs() {
    return get(WRITE_TIMEOUT_MS);
  }

  /**
   * How long a client may take next to nothing of what waits for it; then the connection is closed.
   * On HTTP/2 the stream is reset whose client does not take 32 KiB of a reply in this time, or in
   * a tenth of it while others are refused for want of room. 100 to 86,400,000 ms. {@value
   * #DEFAULT_WRITE_TIMEOUT_MS} by default.
   */
  public LimitOptions setWriteTimeoutMs(long writeTimeoutMs) {
    return set(WRITE_TIMEOUT_MS, writeTimeoutMs);
  }
}
