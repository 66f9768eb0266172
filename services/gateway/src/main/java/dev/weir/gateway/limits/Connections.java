package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import dev.weir.gateway.http.FlushTogether;
import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.Http1xServerConnection;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The open connections of a gateway: not too many, and none that is too slow. */
public final class Connections {
  private static final String NAME = "weir-bytes";

  /** What Vert.x calls its own handler, the last of a pipeline. */
  private static final String VERTX = "handler";

  /** Before that one, under TLS. */
  private static final String VERTX_CHUNKED = "chunkedWriter";

  private static final long MAX_SWEEP_MS = 500;
  private static final long NO_TIMER = -1;

  private final Vertx vertx;
  private final LimitOptions limits;
  private final Set<WatchedConnection> open = ConcurrentHashMap.newKeySet();
  private final ConnectionCounts counts;
  private volatile long nowMs = clockMs();
  private long timer = NO_TIMER;

  public Connections(Vertx vertx, LimitOptions limits, ConnectionCounts counts) {
    this.vertx = vertx;
    this.limits = limits;
    this.counts = counts;
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

  /** On the channel's event loop, after the TLS handshake and before the first byte of HTTP. */
  public void admit(Channel channel) {
    WatchedConnection connection = new WatchedConnection(channel, this);
    open.add(connection);
    // Vert.x adds the codecs of HTTP after this: here it is bytes, under TLS too.
    boolean chunked = channel.pipeline().get(VERTX_CHUNKED) != null;
    channel.pipeline().addBefore(chunked ? VERTX_CHUNKED : VERTX, NAME, connection);
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
    if (connection instanceof Http1xServerConnection) {
      HttpWatch.install(watched);
    } else {
      HttpWatch.remove(watched);
      FlushTogether.on(watched.channel);
      watched.progress.becomesHttp2(nowMs);
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
    open.forEach(connection -> connection.closeIfSlow(limits));
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
