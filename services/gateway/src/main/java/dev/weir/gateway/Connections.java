package dev.weir.gateway;

import io.netty.channel.Channel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.Http1xServerConnection;
import java.net.InetSocketAddress;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The open connections of a gateway: not too many, and none that is too slow. */
final class Connections {
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
  private final AtomicInteger count = new AtomicInteger();
  private final Map<String, Integer> perPeer = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();
  private final Map<Slowness, LongAdder> slow = new EnumMap<>(Slowness.class);
  private volatile long nowMs = clockMs();
  private long timer = NO_TIMER;

  Connections(Vertx vertx, LimitOptions limits) {
    this.vertx = vertx;
    this.limits = limits;
    for (Slowness slowness : Slowness.values()) {
      slow.put(slowness, new LongAdder());
    }
  }

  /** On the channel's event loop, before its first byte is read. */
  boolean admit(Channel channel) {
    String peer = peer(channel);
    if (!add(peer)) {
      refused.increment();
      return false;
    }
    WatchedConnection connection = new WatchedConnection(channel, peer, this);
    open.add(connection);
    // Vert.x adds the codecs of HTTP after this: here it is bytes, under TLS too.
    boolean chunked = channel.pipeline().get(VERTX_CHUNKED) != null;
    channel.pipeline().addBefore(chunked ? VERTX_CHUNKED : VERTX, NAME, connection);
    channel.closeFuture().addListener(closed -> remove(connection));
    return true;
  }

  private static String peer(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress address
        ? address.getHostString()
        : "";
  }

  private boolean add(String peer) {
    if (count.incrementAndGet() > limits.getMaxConnections()) {
      count.decrementAndGet();
      return false;
    }
    int most = limits.getMaxConnectionsPerPeer();
    if (most > 0 && perPeer.merge(peer, 1, Integer::sum) > most) {
      forget(peer);
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  private void remove(WatchedConnection connection) {
    open.remove(connection);
    if (limits.getMaxConnectionsPerPeer() > 0) {
      forget(connection.peer);
    }
    count.decrementAndGet();
  }

  private void forget(String peer) {
    perPeer.computeIfPresent(peer, (key, n) -> n == 1 ? null : n - 1);
  }

  /** When it is known what a client speaks; on the connection's event loop. */
  void speaks(HttpConnection connection) {
    WatchedConnection watched = WatchedConnection.of(connection);
    if (connection instanceof Http1xServerConnection) {
      HttpWatch.install(watched);
    } else {
      HttpWatch.remove(watched);
      FlushTogether.on(watched.channel);
      watched.progress.becomesHttp2(nowMs);
    }
  }

  void watch() {
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
    slow.get(slowness).increment();
  }

  int open() {
    return count.get();
  }

  long refused() {
    return refused.sum();
  }

  long slowlyUsed(Slowness slowness) {
    return slow.get(slowness).sum();
  }

  void close() {
    vertx.cancelTimer(timer);
  }
}
