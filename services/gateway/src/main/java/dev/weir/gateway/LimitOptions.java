package dev.weir.gateway;

import static dev.weir.flow.OptionReader.range;
import static dev.weir.flow.OptionReader.smallWhole;
import static dev.weir.flow.OptionReader.whole;

import dev.weir.flow.OptionReader;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How much a gateway takes from its clients at the same time, and how long it waits for them. */
public final class LimitOptions {
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

  private int maxHeaderBytes = DEFAULT_MAX_HEADER_BYTES;
  private int maxRequestLineBytes = DEFAULT_MAX_REQUEST_LINE_BYTES;
  private int maxConnections = DEFAULT_MAX_CONNECTIONS;
  private int maxConnectionsPerPeer = DEFAULT_MAX_CONNECTIONS_PER_PEER;
  private int maxRequestsInFlight = DEFAULT_MAX_REQUESTS_IN_FLIGHT;
  private long maxBodyBytesInFlight = DEFAULT_MAX_BODY_BYTES_IN_FLIGHT;
  private int maxHttp2Streams = DEFAULT_MAX_HTTP2_STREAMS;
  private long headerTimeoutMs = DEFAULT_HEADER_TIMEOUT_MS;
  private long bodyTimeoutMs = DEFAULT_BODY_TIMEOUT_MS;
  private long idleTimeoutMs = DEFAULT_IDLE_TIMEOUT_MS;
  private long writeTimeoutMs = DEFAULT_WRITE_TIMEOUT_MS;

  public LimitOptions() {}

  public LimitOptions(LimitOptions other) {
    this(other.toJson());
  }

  /**
   * @param json keys as {@link #toJson()} writes them, each optional
   * @throws IllegalArgumentException naming an unknown key or a bad value
   */
  public LimitOptions(JsonObject json) {
    Map<String, Consumer<Object>> setters = new HashMap<>();
    setters.put("maxHeaderBytes", value -> setMaxHeaderBytes(smallWhole("maxHeaderBytes", value)));
    setters.put(
        "maxRequestLineBytes",
        value -> setMaxRequestLineBytes(smallWhole("maxRequestLineBytes", value)));
    setters.put("maxConnections", value -> setMaxConnections(smallWhole("maxConnections", value)));
    setters.put(
        "maxConnectionsPerPeer",
        value -> setMaxConnectionsPerPeer(smallWhole("maxConnectionsPerPeer", value)));
    setters.put(
        "maxRequestsInFlight",
        value -> setMaxRequestsInFlight(smallWhole("maxRequestsInFlight", value)));
    setters.put(
        "maxBodyBytesInFlight",
        value -> setMaxBodyBytesInFlight(whole("maxBodyBytesInFlight", value)));
    setters.put(
        "maxHttp2Streams", value -> setMaxHttp2Streams(smallWhole("maxHttp2Streams", value)));
    setters.put("headerTimeoutMs", value -> setHeaderTimeoutMs(whole("headerTimeoutMs", value)));
    setters.put("bodyTimeoutMs", value -> setBodyTimeoutMs(whole("bodyTimeoutMs", value)));
    setters.put("idleTimeoutMs", value -> setIdleTimeoutMs(whole("idleTimeoutMs", value)));
    setters.put("writeTimeoutMs", value -> setWriteTimeoutMs(whole("writeTimeoutMs", value)));
    new OptionReader(setters).apply(json);
  }

  public JsonObject toJson() {
    return new JsonObject()
        .put("maxHeaderBytes", maxHeaderBytes)
        .put("maxRequestLineBytes", maxRequestLineBytes)
        .put("maxConnections", maxConnections)
        .put("maxConnectionsPerPeer", maxConnectionsPerPeer)
        .put("maxRequestsInFlight", maxRequestsInFlight)
        .put("maxBodyBytesInFlight", maxBodyBytesInFlight)
        .put("maxHttp2Streams", maxHttp2Streams)
        .put("headerTimeoutMs", headerTimeoutMs)
        .put("bodyTimeoutMs", bodyTimeoutMs)
        .put("idleTimeoutMs", idleTimeoutMs)
        .put("writeTimeoutMs", writeTimeoutMs);
  }

  public int getMaxHeaderBytes() {
    return maxHeaderBytes;
  }

  /**
   * All headers of a request together; more is answered with 431. 256 to 1,048,576. {@value
   * #DEFAULT_MAX_HEADER_BYTES} by default.
   */
  public LimitOptions setMaxHeaderBytes(int maxHeaderBytes) {
    this.maxHeaderBytes = (int) range("maxHeaderBytes", maxHeaderBytes, 256, 1_048_576);
    return this;
  }

  public int getMaxRequestLineBytes() {
    return maxRequestLineBytes;
  }

  /**
   * The first line of a request: method, path and query; more is answered with 414. 64 to
   * 1,048,576. {@value #DEFAULT_MAX_REQUEST_LINE_BYTES} by default.
   */
  public LimitOptions setMaxRequestLineBytes(int maxRequestLineBytes) {
    this.maxRequestLineBytes =
        (int) range("maxRequestLineBytes", maxRequestLineBytes, 64, 1_048_576);
    return this;
  }

  public int getMaxConnections() {
    return maxConnections;
  }

  /**
   * Open connections; more are closed at once. 1 to 1,000,000. {@value #DEFAULT_MAX_CONNECTIONS} by
   * default.
   */
  public LimitOptions setMaxConnections(int maxConnections) {
    this.maxConnections = (int) range("maxConnections", maxConnections, 1, 1_000_000);
    return this;
  }

  public int getMaxConnectionsPerPeer() {
    return maxConnectionsPerPeer;
  }

  /**
   * Open connections of one address, 0 for as many as there may be at all: behind a proxy all are
   * of one. 0 to 1,000,000. {@value #DEFAULT_MAX_CONNECTIONS_PER_PEER} by default.
   */
  public LimitOptions setMaxConnectionsPerPeer(int maxConnectionsPerPeer) {
    this.maxConnectionsPerPeer =
        (int) range("maxConnectionsPerPeer", maxConnectionsPerPeer, 0, 1_000_000);
    return this;
  }

  public int getMaxRequestsInFlight() {
    return maxRequestsInFlight;
  }

  /**
   * Requests, event streams and WebSockets that are being answered; more get 503 with {@code
   * Retry-After}. 1 to 1,000,000. {@value #DEFAULT_MAX_REQUESTS_IN_FLIGHT} by default.
   */
  public LimitOptions setMaxRequestsInFlight(int maxRequestsInFlight) {
    this.maxRequestsInFlight =
        (int) range("maxRequestsInFlight", maxRequestsInFlight, 1, 1_000_000);
    return this;
  }

  public long getMaxBodyBytesInFlight() {
    return maxBodyBytesInFlight;
  }

  /**
   * The bodies of the requests in flight together; a request that would exceed it gets 503 with
   * {@code Retry-After}. A body of unknown length counts as the longest allowed. 1,024 to 2 to the
   * 50th. {@value #DEFAULT_MAX_BODY_BYTES_IN_FLIGHT} by default.
   */
  public LimitOptions setMaxBodyBytesInFlight(long maxBodyBytesInFlight) {
    this.maxBodyBytesInFlight =
        range("maxBodyBytesInFlight", maxBodyBytesInFlight, 1_024L, 1_125_899_906_842_624L);
    return this;
  }

  public int getMaxHttp2Streams() {
    return maxHttp2Streams;
  }

  /**
   * Requests at the same time on one HTTP/2 connection. 1 to 100,000. {@value
   * #DEFAULT_MAX_HTTP2_STREAMS} by default.
   */
  public LimitOptions setMaxHttp2Streams(int maxHttp2Streams) {
    this.maxHttp2Streams = (int) range("maxHttp2Streams", maxHttp2Streams, 1, 100_000);
    return this;
  }

  public long getHeaderTimeoutMs() {
    return headerTimeoutMs;
  }

  /**
   * From the first byte of a request to the end of its headers, and for a TLS handshake; then the
   * connection is closed. 100 to 86,400,000 ms. {@value #DEFAULT_HEADER_TIMEOUT_MS} by default.
   */
  public LimitOptions setHeaderTimeoutMs(long headerTimeoutMs) {
    this.headerTimeoutMs = range("headerTimeoutMs", headerTimeoutMs, 100, 86_400_000);
    return this;
  }

  public long getBodyTimeoutMs() {
    return bodyTimeoutMs;
  }

  /**
   * From the end of the headers to the end of the body; then the connection is closed. On HTTP/2
   * the stream is reset. 100 to 86,400,000 ms. {@value #DEFAULT_BODY_TIMEOUT_MS} by default.
   */
  public LimitOptions setBodyTimeoutMs(long bodyTimeoutMs) {
    this.bodyTimeoutMs = range("bodyTimeoutMs", bodyTimeoutMs, 100, 86_400_000);
    return this;
  }

  public long getIdleTimeoutMs() {
    return idleTimeoutMs;
  }

  /**
   * How long a connection may be open with no request on it, a WebSocket with nothing sent or
   * received. 100 to 86,400,000 ms. {@value #DEFAULT_IDLE_TIMEOUT_MS} by default.
   */
  public LimitOptions setIdleTimeoutMs(long idleTimeoutMs) {
    this.idleTimeoutMs = range("idleTimeoutMs", idleTimeoutMs, 100, 86_400_000);
    return this;
  }

  public long getWriteTimeoutMs() {
    return writeTimeoutMs;
  }

  /**
   * How long a client may take next to nothing of what waits for it; then the connection is closed.
   * 100 to 86,400,000 ms. {@value #DEFAULT_WRITE_TIMEOUT_MS} by default.
   */
  public LimitOptions setWriteTimeoutMs(long writeTimeoutMs) {
    this.writeTimeoutMs = range("writeTimeoutMs", writeTimeoutMs, 100, 86_400_000);
    return this;
  }

  @Override
  public String toString() {
    return toJson().encode();
  }
}
