package dev.weir.gateway.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;

/** Answers requests that the gateway refuses. */
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
    context.response().putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
    HttpServerRequest request = context.request();
    end(request, problem.type().status, problem.toJson(request.path()).toBuffer(), false);
  }

  /** Answers what is no request, of which nothing is known, and closes the connection. */
  public static void malformed(HttpServerRequest request, ProblemType type, String detail) {
    request.response().putHeader(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
    end(request, type.status, Problem.of(type, detail).toJson(null).toBuffer(), true);
  }

  /** Answers a request over HTTP/2 with a head alone, which needs no window of the client. */
  public static void brief(HttpServerRequest request, ProblemType type) {
    request
        .response()
        .setStatusCode(type.status)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S)
        .end();
  }

  /**
   * Ends a response of status 400 or higher.
   *
   * @param close whether to close the connection even if there is no body on it that nobody will
   *     read; a connection of HTTP/2 stays open
   */
  static void end(HttpServerRequest request, int status, Buffer body, boolean close) {
    HttpServerResponse response = request.response();
    response.putHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if ((status == 503 || status == 429) && !response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_S);
    }
    boolean closes =
        (close || BodyReader.isUnread(request)) && request.version() != HttpVersion.HTTP_2;
    if (closes) {
      response.putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
    }
    Future<Void> written = response.setStatusCode(status).end(body);
    if (closes) {
      // The header alone only asks the client to. It still gets to read the answer: the
      // connection is read for a while.
      written.onComplete(done -> request.connection().close());
    }
  }
}
