package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import dev.weir.gateway.http.FlushTogether;
import dev.weir.options.ByteBudget;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The open connections of a gateway: limits their number and closes slow ones. */
public final class Connections {
  private static final String NAME = "weir-bytes";

  /** What Vert.x calls its own handler, the last of a pipeline. */
  private static final String VERTX = "handler";

  /** What Vert.x calls the decoder of HTTP/1. */
  private static final String VERTX_DECODER = "httpDecoder";

  /** Before that one, under TLS. */
  private static final String VERTX_CHUNKED = "chunkedWriter";

  private static final long MAX_SWEEP_MS = 500;
  private static final long NO_TIMER = -1;

  /** While room is short, clients have this part of the time for bodies and unread replies. */
  private static final int SHORTAGE_DIVISOR = 10;

  private static final long MIN_TIMEOUT_MS = 100;

  private final Vertx vertx;
  private final LimitOptions limits;
  private final RequestLimit requests;
  private final Set<WatchedConnection> open = ConcurrentHashMap.newKeySet();
  private final ConnectionCounts counts;
  private final boolean upgradeAllowed;
  private volatile long nowMs = clockMs();
  private long timer = NO_TIMER;
  private long shortagesSeen;

  /**
   * @param requests says when there is no room for others
   * @param upgradeAllowed whether a request of HTTP/1.1 may change its connection to HTTP/2
   */
  public Connections(
      Vertx vertx,
      LimitOptions limits,
      ConnectionCounts counts,
      RequestLimit requests,
      boolean upgradeAllowed) {
    this.vertx = vertx;
    this.limits = limits;
    this.requests = requests;
    this.counts = counts;
    this.upgradeAllowed = upgradeAllowed;
  }

  /** How long a reply over HTTP/2 may wait for its client. */
  private long replyTimeoutMs(boolean shortage) {
    long timeoutMs = limits.getWriteTimeoutMs();
    return shortage ? Math.max(MIN_TIMEOUT_MS, timeoutMs / SHORTAGE_DIVISOR) : timeoutMs;
  }

  /** For the heads of requests. */
  ByteBudget heads() {
    return requests.heads();
  }

  boolean isUpgradeAllowed() {
    return upgradeAllowed;
  }

  /** When it is accepted, before TLS and on any thread; false if there are too many. */
  public boolean arrive(Channel channel) {
    String peer = peer(channel);
    boolean room = counts.enter(peer);
    if (room) {
      channel.closeFuture().addListener(closed -> counts.leave(peer));
    }
    return room;
  }

  /**
   * On the channel's event loop, after the TLS handshake and before the first byte of HTTP.
   *
   * @param server the options of the server that accepted it
   */
  public void admit(Channel channel, HttpServerOptions server, RequestDecoder.Installer decoders) {
    WatchedConnection connection = new WatchedConnection(channel, this, server, decoders);
    open.add(connection);
    // Vert.x adds the codecs of HTTP after this: here it is bytes, under TLS too.
    boolean chunked = channel.pipeline().get(VERTX_CHUNKED) != null;
    channel.pipeline().addBefore(chunked ? VERTX_CHUNKED : VERTX, NAME, connection);
    channel.closeFuture().addListener(closed -> open.remove(connection));
  }

  /**
   * On the channel's event loop, when its first request has been decoded: for a server that shows
   * its connections no earlier.
   */
  void begin(Channel channel, HttpServerOptions server) {
    WatchedConnection connection = new WatchedConnection(channel, this, server, null);
    open.add(connection);
    boolean http1 = channel.pipeline().get(VERTX_DECODER) != null;
    channel.pipeline().addBefore(http1 ? VERTX_DECODER : VERTX, NAME, connection);
    channel.closeFuture().addListener(closed -> open.remove(connection));
  }

  private static String peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getHostString()
        : "";
  }

  /** What went wrong on a connection before there was a request. */
  public void failed(Throwable failure) {
    if (failure instanceof SslHandshakeTimeoutException) {
      slow(Slowness.HEADER);
    }
  }

  /** When it is known what a client speaks; on the connection's event loop. */
  public void speaks(HttpConnection connection) {
    WatchedConnection watched = WatchedConnection.of(connection);
    Http2ConnectionHandler http2 = watched.channel.pipeline().get(Http2ConnectionHandler.class);
    if (http2 == null) {
      HttpWatch.install(watched);
    } else {
      OneHost.install(http2.decoder());
      HttpWatch.remove(watched);
      FlushTogether.on(watched.channel, watched.streams::flushClosed);
      watched.progress.becomesHttp2(nowMs);
      watched.mustLinger();
    }
  }

  public void watch() {
    long shortestMs =
        Math.min(
            Math.min(limits.getHeaderTimeoutMs(), limits.getBodyTimeoutMs()),
            Math.min(limits.getIdleTimeoutMs(), limits.getWriteTimeoutMs()));
    timer = vertx.setPeriodic(Math.min(MAX_SWEEP_MS, shortestMs / 4), id -> sweep());
  }

  private void sweep() {
    nowMs = clockMs();
    long shortages = requests.shortages();
    long replyTimeoutMs = replyTimeoutMs(shortages != shortagesSeen);
    shortagesSeen = shortages;
    open.forEach(connection -> connection.closeIfSlow(limits, replyTimeoutMs));
  }

  /** As of the last look at the connections: near enough for timeouts, and costs nothing. */
  long nowMs() {
    return nowMs;
  }

  private static long clockMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  void slow(Slowness slowness) {
    counts.slow(slowness);
  }

  public void close() {
    vertx.cancelTimer(timer);
  }
}
