package dev.weir.gateway.limits;

import dev.weir.gateway.http.HeldBytes;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * A request over HTTP/2, from its headers until its stream is closed, which is when the client has
 * taken the whole reply. Flow control keeps a reply in the server for as long as the client likes,
 * and the connection itself shows nothing of it. Used on the event loop of the connection.
 */
final class StreamWatch {
  private static final long NONE = -1;

  private final HttpServerRequest request;
  private final HeldBytes held;
  private final Runnable closed;
  private final long startMs;

  /** What of the reply had gone to the flow control at the last look. */
  private long writtenBytes;

  /** Since when the client has not taken what waits for it; {@link #NONE} if nothing waits. */
  private long unreadSinceMs = NONE;

  /** When the client was too slow; {@link #NONE} before. */
  private long slowSinceMs = NONE;

  /**
   * @param closed run once when the stream is closed
   */
  StreamWatch(HttpServerRequest request, HeldBytes held, long nowMs, Runnable closed) {
    this.request = request;
    this.held = held;
    this.startMs = nowMs;
    this.closed = closed;
  }

  boolean isClosed() {
    return request.response().closed();
  }

  void close() {
    closed.run();
  }

  int id() {
    return OpenStreams.id(request);
  }

  /**
   * Null if the client is quick enough. Given once only: the stream is reset then, and stays for a
   * moment until that is written.
   */
  Slowness slowness(long nowMs, long bodyTimeoutMs, long replyTimeoutMs) {
    if (slowSinceMs != NONE) {
      return null;
    }
    Slowness slowness = look(nowMs, bodyTimeoutMs, replyTimeoutMs);
    slowSinceMs = slowness == null ? NONE : nowMs;
    return slowness;
  }

  /** True if not even the reset was taken: the client takes nothing at all. */
  boolean isStuck(long nowMs, long replyTimeoutMs) {
    return slowSinceMs != NONE && nowMs - slowSinceMs > replyTimeoutMs;
  }

  private Slowness look(long nowMs, long bodyTimeoutMs, long replyTimeoutMs) {
    if (!request.isEnded() && nowMs - startMs > bodyTimeoutMs) {
      return Slowness.BODY;
    }
    HttpServerResponse response = request.response();
    boolean unread =
        response.ended()
            || held.isReplyHeld()
            || response.headWritten() && response.writeQueueFull();
    if (!unread) {
      unreadSinceMs = NONE;
    } else if (unreadSinceMs == NONE || response.bytesWritten() != writtenBytes) {
      writtenBytes = response.bytesWritten();
      unreadSinceMs = nowMs;
    } else if (nowMs - unreadSinceMs > replyTimeoutMs) {
      return Slowness.WRITE;
    }
    return null;
  }
}
