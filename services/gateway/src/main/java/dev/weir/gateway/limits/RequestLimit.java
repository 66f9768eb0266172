package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** The first of all routes: lets in only as many requests, and bodies, as may be in flight. */
public final class RequestLimit implements Handler<RoutingContext> {
  private final LimitOptions limits;
  private final long maxBodyBytes;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicLong bodyBytes = new AtomicLong();
  private final LongAdder rejected = new LongAdder();

  /**
   * @param maxBodyBytes what a body of unknown length counts
   */
  public RequestLimit(LimitOptions limits, long maxBodyBytes) {
    this.limits = limits;
    this.maxBodyBytes = maxBodyBytes;
  }

  @Override
  public void handle(RoutingContext context) {
    long bytes = bytesOf(context.request());
    if (!enter(bytes)) {
      rejected.increment();
      Refusal.send(context, ProblemType.OVERLOADED, "too many requests are in flight");
      return;
    }
    Runnable leave = leave(context.request(), bytes);
    context.addEndHandler(ended -> leave.run());
    if (context.request().version() == HttpVersion.HTTP_2) {
      watchStream(context);
    }
    context.next();
  }

  private long bytesOf(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null) {
      return Math.min(maxBodyBytes, parse(length));
    }
    boolean chunked = request.headers().contains(HttpHeaders.TRANSFER_ENCODING);
    return chunked || request.version() == HttpVersion.HTTP_2 && !request.isEnded()
        ? maxBodyBytes
        : 0;
  }

  private long parse(String length) {
    try {
      return Math.max(0, Long.parseLong(length));
    } catch (NumberFormatException e) {
      return maxBodyBytes;
    }
  }

  private boolean enter(long bytes) {
    if (requests.incrementAndGet() > limits.getMaxRequestsInFlight()) {
      requests.decrementAndGet();
      return false;
    }
    if (bytes > 0 && bodyBytes.addAndGet(bytes) > limits.getMaxBodyBytesInFlight()) {
      leave(bytes);
      return false;
    }
    return true;
  }

  private Runnable leave(HttpServerRequest request, long bytes) {
    return request.headers().contains(HttpHeaders.UPGRADE)
        ? WatchedConnection.of(request.connection()).atLatestWhenClosed(() -> leave(bytes))
        : () -> leave(bytes);
  }

  private void leave(long bytes) {
    requests.decrementAndGet();
    if (bytes > 0) {
      bodyBytes.addAndGet(-bytes);
    }
  }

  /** The streams of HTTP/2 are not seen by who watches its connection. */
  private void watchStream(RoutingContext context) {
    HttpServerRequest request = context.request();
    WatchedConnection connection = WatchedConnection.of(request.connection());
    connection.progress.requestBegins();
    context.addEndHandler(ended -> connection.progress.requestEnds(connection.nowMs()));
    if (!request.isEnded()) {
      long timer =
          context.vertx().setTimer(limits.getBodyTimeoutMs(), id -> resetIfBodyIsMissing(request));
      context.addEndHandler(ended -> context.vertx().cancelTimer(timer));
    }
  }

  private static void resetIfBodyIsMissing(HttpServerRequest request) {
    if (!request.isEnded()) {
      request.response().reset();
    }
  }

  public int inFlight() {
    return requests.get();
  }

  public long bodyBytesInFlight() {
    return bodyBytes.get();
  }

  public long rejected() {
    return rejected.sum();
  }
}
