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
 * The first route: bounds the requests and the bytes of bodies in flight. A body is refused before
 * it is read if there is no room for its announced length. A body counts as it arrives, so that a
 * client which announces much and sends nothing holds nothing.
 */
public final class RequestLimit implements Handler<RoutingContext> {
  /** A body counts twice: the bytes, and the object that is decoded from them. */
  private static final int COPIES = 2;

  private final LimitOptions limits;
  private final long maxBodyBytes;
  private final ByteBudget bodies;
  private final AtomicInteger requests = new AtomicInteger();
  private final LongAdder rejected = new LongAdder();
  private final LongAdder tooMany = new LongAdder();

  private final StreamLimit streams;

  /**
   * @param maxBodyBytes a body that is announced as longer is refused and never held
   * @param bodies what all gateways of the node may hold
   */
  public RequestLimit(LimitOptions limits, long maxBodyBytes, ByteBudget bodies) {
    this.limits = limits;
    this.maxBodyBytes = maxBodyBytes;
    this.bodies = bodies.part(limits.getMaxBodyBytesInFlight());
    this.streams =
        new StreamLimit(
            this.bodies.part(this.bodies.limitBytes() / 2), limits.getMaxRequestsInFlight());
  }

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    boolean socket = request.headers().contains(HttpHeaders.UPGRADE);
    // Null for HTTP/1, which has one request at a time.
    WatchedConnection connection =
        http2 || socket ? WatchedConnection.of(request.connection()) : null;
    ByteBudget budget =
        connection == null ? bodies : connection.shareOf(bodies, COPIES * maxBodyBytes);
    HeldBytes held = new HeldBytes(budget);
    if (http2) {
      if (!enter(context, connection, held)) {
        return;
      }
    } else if (!enter(budget, announcedBytes(request))) {
      rejected.increment();
      Refusal.send(context, ProblemType.OVERLOADED, "too many requests are in flight");
      return;
    }
    held.attach(context);
    if (!http2) {
      held.onLeft(requests::decrementAndGet);
    }
    if (socket && !http2) {
      connection.charge(budget, rejected::increment);
      Runnable leave = ClosingAction.of(connection.channel, () -> leave(held));
      context.addEndHandler(ended -> leave.run());
    } else if (!http2) {
      context.addEndHandler(ended -> leave(held));
    }
    if (RequestCheck.passes(context)) {
      context.next();
    }
  }

  /**
   * Lets a request over HTTP/1 in, until it has ended and no service handles it. The request must
   * not go through a router then, which would set its own handlers.
   *
   * @return null, and nothing is counted, if the request has to be refused
   */
  public HeldBytes enter(HttpServerRequest request) {
    if (requests.incrementAndGet() > limits.getMaxRequestsInFlight()
        || !bodies.hasRoom(announcedBytes(request))) {
      requests.decrementAndGet();
      return null;
    }
    HeldBytes held = new HeldBytes(bodies);
    held.onLeft(requests::decrementAndGet);
    Leaving leaving = new Leaving(held);
    // Vert.x 5.0 calls the first one when the connection is closed, too; 5.1 the second one alone.
    request.response().endHandler(leaving).closeHandler(leaving);
    return held;
  }

  /** Lets a request out, once; on the event loop of its connection. */
  private final class Leaving implements Handler<Void> {
    private final HeldBytes held;
    private boolean left;

    Leaving(HeldBytes held) {
      this.held = held;
    }

    @Override
    public void handle(Void ended) {
      if (!left) {
        left = true;
        leave(held);
      }
    }
  }

  /** For the heads of requests, on every connection. */
  ByteBudget heads() {
    return streams.heads();
  }

  /**
   * Lets a request over HTTP/2 in, or answers it.
   *
   * @return true if it is in
   */
  private boolean enter(RoutingContext context, WatchedConnection connection, HeldBytes held) {
    HttpServerRequest request = context.request();
    if (!connection.channel.isActive()) {
      // It came together with that for which the connection was closed.
      connection.streams.refuseMore();
      return false;
    }
    ByteBudget heads = connection.streams.headsOf(streams.heads());
    long headBytes = StreamLimit.bytes(request);
    boolean fits = heads.tryTake(headBytes);
    boolean entered = fits && enter(held.budget(), announcedBytes(request));
    if (fits && !entered) {
      heads.give(headBytes);
    }
    context.addEndHandler(ended -> held.release());
    if (entered) {
      // Flow control keeps what the client does not take: the request is in flight until then.
      held.onLeft(
          () -> {
            requests.decrementAndGet();
            connection.streams.whenWritten(() -> heads.give(headBytes));
          });
      connection.streams.watch(request, held, held::leave);
      return true;
    }
    rejected.increment();
    streams.refused();
    boolean full = streams.isCrowded() || !fits && !streams.heads().hasRoom(headBytes);
    tooMany.add(full ? 1 : 0);
    connection.streams.watch(request, held, () -> connection.streams.whenWritten(streams::closed));
    streams.answer(context, connection);
    return false;
  }

  /** 0 if the length of the body is not known, or if the body is too long and never held. */
  private long announcedBytes(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length == null) {
      return 0;
    }
    try {
      long bytes = Math.max(0, Long.parseLong(length));
      return bytes > maxBodyBytes ? 0 : bytes;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private boolean enter(ByteBudget budget, long bytes) {
    if (requests.incrementAndGet() > limits.getMaxRequestsInFlight()) {
      requests.decrementAndGet();
      tooMany.increment();
      return false;
    }
    if (!budget.hasRoom(bytes)) {
      requests.decrementAndGet();
      tooMany.add(bodies.hasRoom(bytes) ? 0 : 1);
      return false;
    }
    return true;
  }

  /** The connection is done with a request over HTTP/1. */
  private static void leave(HeldBytes held) {
    held.release();
    held.leave();
  }

  /**
   * Of one HTTP/2 connection: half of all requests at most, so that one does not take all, and as
   * many as the heap has room for. A client that knows the number waits, and is not refused.
   */
  public int maxStreams() {
    int half = (limits.getMaxRequestsInFlight() + 1) / 2;
    return (int) Math.min(streams.maxPerConnection(), Math.min(limits.getMaxHttp2Streams(), half));
  }

  /**
   * How often there was no room for one more request, or for the bytes of one, in all connections
   * together.
   */
  long shortages() {
    return tooMany.sum() + bodies.refusals();
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
