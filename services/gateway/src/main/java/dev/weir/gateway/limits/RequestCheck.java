package dev.weir.gateway.limits;

import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/**
 * Refuses requests that expect what the gateway does not do, and requests over HTTP/2 that a proxy
 * could not hand on over HTTP/1.1 as they are. Those of HTTP/1 are checked while they are decoded.
 */
final class RequestCheck {
  /** A pseudo header of WebSocket over HTTP/2, which the gateway does not speak. */
  private static final String PROTOCOL = ":protocol";

  private RequestCheck() {}

  /** False if the request has been refused. */
  static boolean passes(RoutingContext context) {
    HttpServerRequest request = context.request();
    if (!isExpectationKnown(request)) {
      Refusal.send(context, ProblemType.EXPECTATION_FAILED, "Expect may be 100-continue only");
      return false;
    }
    if (request.version() == HttpVersion.HTTP_2 && !isCertain(request)) {
      Refusal.send(context, ProblemType.BAD_REQUEST, "the request has not one path and one host");
      return false;
    }
    return true;
  }

  private static boolean isExpectationKnown(HttpServerRequest request) {
    String expected = request.getHeader(HttpHeaders.EXPECT);
    return expected == null
        || HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expected)
            && request.headers().getAll(HttpHeaders.EXPECT).size() == 1;
  }

  private static boolean isCertain(HttpServerRequest request) {
    return request.method() != HttpMethod.CONNECT
        && RequestTarget.isPath(request.uri())
        && ("http".equals(request.scheme()) || "https".equals(request.scheme()))
        && !request.headers().contains(PROTOCOL)
        && request.headers().getAll(HttpHeaders.HOST).size() <= 1
        && (request.authority() == null || RequestTarget.isHost(request.authority().toString()));
  }
}
