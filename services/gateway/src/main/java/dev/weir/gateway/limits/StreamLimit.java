package dev.weir.gateway.limits;

import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import dev.weir.options.ByteBudget;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds what the streams of HTTP/2 take of the heap besides bodies: the heads of requests in
 * flight, and requests that are refused. A refused stream stays until its client has taken the
 * answer and has ended its body, and many can wait on one connection.
 *
 * <p>A client that keeps to the number of streams it is told, and takes its answers, has an answer
 * to each request and keeps its connection.
 */
final class StreamLimit {
  /** What a stream takes besides its headers. */
  private static final int STREAM_BYTES = 6 << 10;

  /** The same with the headers of a usual request. */
  private static final int USUAL_BYTES = 8 << 10;

  /** Refused streams with a full answer, as a part of the requests in flight. */
  private static final int REFUSED_DIVISOR = 8;

  private final ByteBudget heads;
  private final int maxRefused;

  /** Refused streams that are not closed. */
  private final AtomicInteger refused = new AtomicInteger();

  /**
   * @param heads for the heads of all requests
   */
  StreamLimit(ByteBudget heads, int maxRequests) {
    this.heads = heads;
    this.maxRefused = Math.max(1, maxRequests / REFUSED_DIVISOR);
  }

  /** For the heads of all requests. */
  ByteBudget heads() {
    return heads;
  }

  /** As many as fit on one connection, which has half of the heap for heads. */
  long maxPerConnection() {
    return Math.max(1, heads.limitBytes() / 2 / USUAL_BYTES);
  }

  /** What a request takes of the heap without its body. */
  static long bytes(HttpServerRequest request) {
    long text = request.uri().length();
    int count = 0;
    for (Map.Entry<String, String> header : request.headers()) {
      text += header.getKey().length() + header.getValue().length();
      count++;
    }
    return STREAM_BYTES + HeadBytes.of(text, count);
  }

  /** A stream is refused; {@link #answer} follows, and {@link #closed} at its end. */
  void refused() {
    refused.incrementAndGet();
  }

  /** A refused stream is closed. */
  void closed() {
    refused.decrementAndGet();
  }

  /** True if refused streams wait for clients that do not take their answers. */
  boolean isCrowded() {
    return refused.get() > maxRefused;
  }

  /**
   * Answers a refused request. When many wait already, the answer has no body, for which a client
   * would have to open its window; when more wait, the rest of the request is given up too. Where
   * that does not help either the client takes nothing at all, and its connection is closed.
   */
  void answer(RoutingContext context, WatchedConnection connection) {
    HttpServerRequest request = context.request();
    MultiMap headers = request.headers();
    int waiting = refused.get();
    if (waiting <= maxRefused) {
      Refusal.send(context, ProblemType.OVERLOADED, "too many requests are in flight");
    } else {
      Refusal.brief(request, ProblemType.OVERLOADED);
      if (waiting > 2 * maxRefused) {
        connection.streams.giveUpBody(OpenStreams.id(request));
      }
      if (waiting > 4 * maxRefused) {
        connection.closeNow();
      }
    }
    // They would stay as long as the stream.
    headers.clear();
  }
}
