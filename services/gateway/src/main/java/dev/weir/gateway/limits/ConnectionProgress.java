package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Measures how far a client has come on its connection, to detect a slow one. Changed on the
 * connection's event loop; another thread may see a state that is a moment old. All times are of
 * the same clock.
 */
final class ConnectionProgress {
  private static final long NONE = -1;

  private enum Protocol {
    HTTP1,
    HTTP2,
    WEB_SOCKET
  }

  private Protocol protocol = Protocol.HTTP1;
  private int requests;
  private long headSinceMs = NONE;
  private long bodySinceMs = NONE;
  private long idleSinceMs;

  /** Makes changes of the fields above visible: a request costs no barrier for each of them. */
  private final AtomicInteger changes = new AtomicInteger();

  ConnectionProgress(long nowMs) {
    idleSinceMs = nowMs;
  }

  /** Called after each change. */
  private void publish() {
    changes.setRelease(changes.getPlain() + 1);
  }

  void becomesHttp2(long nowMs) {
    becomes(Protocol.HTTP2, nowMs);
  }

  void becomesWebSocket(long nowMs) {
    becomes(Protocol.WEB_SOCKET, nowMs);
  }

  boolean isWebSocket() {
    return protocol == Protocol.WEB_SOCKET;
  }

  /** True while there are open streams of HTTP/2; any thread. */
  boolean hasStreams() {
    changes.getAcquire();
    return protocol == Protocol.HTTP2 && requests > 0;
  }

  boolean isHttp2() {
    return protocol == Protocol.HTTP2;
  }

  /** Requests without an answer. */
  int requests() {
    return requests;
  }

  /** What has come of a head waits here: the client is not slow. */
  void headWaits() {
    headSinceMs = NONE;
    publish();
  }

  private void becomes(Protocol next, long nowMs) {
    protocol = next;
    requests = 0;
    headSinceMs = NONE;
    bodySinceMs = NONE;
    idleSinceMs = nowMs;
    publish();
  }

  /** Only what may begin a request starts a clock: the rest is watched as head or body. */
  void bytesCame(long nowMs) {
    if (protocol == Protocol.HTTP1) {
      if (requests == 0 && headSinceMs == NONE && bodySinceMs == NONE) {
        headSinceMs = nowMs;
        publish();
      }
    } else {
      frame(nowMs);
    }
  }

  /** A frame of a WebSocket, in or out. Those of HTTP/2 say nothing: a ping is no request. */
  void frame(long nowMs) {
    if (protocol == Protocol.WEB_SOCKET && idleSinceMs != nowMs) {
      idleSinceMs = nowMs;
      publish();
    }
  }

  void headCame(long nowMs) {
    headSinceMs = NONE;
    bodySinceMs = nowMs;
    requests++;
    publish();
  }

  void bodyCame(long nowMs) {
    bodySinceMs = NONE;
    idleSinceMs = nowMs;
    publish();
  }

  /** Somebody here does not read on, so that the client cannot send on. */
  void bodyMustWait(long nowMs) {
    if (bodySinceMs != NONE) {
      bodySinceMs = nowMs;
      publish();
    }
  }

  /** An HTTP/2 request: the streams themselves are not seen here. */
  void requestBegins() {
    requests++;
    publish();
  }

  /** A response has ended, on HTTP/2 its stream is closed. */
  void requestEnds(long nowMs) {
    requests = Math.max(0, requests - 1);
    idleSinceMs = nowMs;
    publish();
    bodyMustWait(nowMs);
  }

  /** True if a body is on its way. */
  boolean isBodyToCome() {
    return bodySinceMs != NONE;
  }

  /** True if a body is on its way and no earlier request waits for its response. */
  boolean isInFirstRequest() {
    return requests == 1 && bodySinceMs != NONE;
  }

  /** Null if the client is quick enough; any thread. */
  Slowness slowness(long nowMs, LimitOptions limits) {
    changes.getAcquire();
    if (over(headSinceMs, nowMs, limits.getHeaderTimeoutMs())) {
      return Slowness.HEADER;
    }
    // With more than one request the body's bytes wait here until the first has its response.
    if (requests <= 1 && over(bodySinceMs, nowMs, limits.getBodyTimeoutMs())) {
      return Slowness.BODY;
    }
    boolean idle = requests == 0 && headSinceMs == NONE && bodySinceMs == NONE;
    return idle && over(idleSinceMs, nowMs, limits.getIdleTimeoutMs()) ? Slowness.IDLE : null;
  }

  private static boolean over(long sinceMs, long nowMs, long timeoutMs) {
    return sinceMs != NONE && nowMs - sinceMs > timeoutMs;
  }
}
