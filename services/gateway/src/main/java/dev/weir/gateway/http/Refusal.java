package dev.weir.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** Answers requests that are not let in. */
public final class Refusal {
  private Refusal() {}

  /** After this time a client may try again. */
  private static final String RETRY_AFTER_S = "1";

  /** Ends the response, and the connection if there is a body on it that nobody will read. */
  public static void send(RoutingContext context, ProblemType type, String detail) {
    send(context, Problem.of(type, detail));
  }

  /** Does the same with a problem. */
  public static void send(RoutingContext context, Problem problem) {
    ProblemType type = problem.type();
    HttpServerRequest request = context.request();
    HttpServerResponse response = context.response();
    boolean close = BodyReader.isUnread(request) && request.version() != HttpVersion.HTTP_2;
    if (close) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    if ((type.status == 503 || type.status == 429)
        && !response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S);
    }
    Future<Void> written =
        response
            .setStatusCode(type.status)
            .putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE)
            .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
            .end(problem.toJson(request.path()).toBuffer());
    if (close) {
      // The header alone only asks the client to.
      LingeringClose.after(written, request);
    }
  }
}
