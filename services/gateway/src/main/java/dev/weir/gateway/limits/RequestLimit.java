package dev.weir.gateway.limits;

import dev.weir.gateway.LimitOptions;
import dev.weir.gateway.http.HeldBytes;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.options.ByteBudget;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * The first route: bounds the requests and the bytes of bodies in flight. A body of announced
 * length is admitted before it is read, any other as it arrives.
 */
public final class RequestLimit implements Handler<RoutingContext> {
  private final LimitOptions limits;
  private final long maxBodyBytes;
  private final ByteBudget bodies;
  private final AtomicInteger requests = new AtomicInteger();
  private final LongAdder rejected = new LongAdder();

  /**
   * @param maxBodyBytes a body that is announced as longer is refused and never held
   * @param bodies what all gateways of the node may hold
   */
  public RequestLimit(LimitOptions limits, long maxBodyBytes, ByteBudget bodies) {
    this.limits = limits;
    this.maxBodyBytes = maxBodyBytes;
    this.bodies = bodies.part(limits.getMaxBodyBytesInFlight());
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    HeldBytes held = new HeldBytes(bodies);
    if (!enter(held, announcedBytes(request))) {
      rejected.increment();
      Refusal.send(context, ProblemType.OVERLOADED, "too many requests are in flight");
      return;
    }
    held.attach(context);
    Runnable leave = leave(request, held);
    context.addEndHandler(ended -> leave.run());
    if (context.request().version() == HttpVersion.HTTP_2) {
      watchStream(context);
    }
    context.next();
  }

  /** 0 if the length of the body is not known. */
  private long announcedBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return 0;
    }
    try {
      return Math.min(maxBodyBytes, Math.max(0, Long.parseLong(length)));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private boolean enter(HeldBytes held, long bytes) {
    if (requests.incrementAndGet() > limits.getMaxRequestsInFlight() || !held.cover(bytes)) {
      requests.decrementAndGet();
      return false;
    }
    return true;
  }

  private Runnable leave(HttpServerRequest request, HeldBytes held) {
    if (!request.headers().contains(HttpHeaders.UPGRADE)) {
      return () -> leave(held);
    }
    WatchedConnection connection = WatchedConnection.of(request.connection());
    connection.charge(bodies, rejected::increment);
    return connection.atLatestWhenClosed(() -> leave(held));
  }

  private void leave(HeldBytes held) {
    requests.decrementAndGet();
    held.release();
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
    return bodies.usedBytes();
  }

  public long rejected() {
    return rejected.sum();
  }
}
