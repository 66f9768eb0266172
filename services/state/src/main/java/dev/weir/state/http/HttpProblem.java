package dev.weir.state.http;

import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;

/** Failures as RFC 9457 describes them. */
final class HttpProblem {
  private static final String MEDIA_TYPE = "application/problem+json";
  private static final int UNSUPPORTED_MEDIA_TYPE = 415;

  private HttpProblem() {}

  /** Answers with what a failure means. */
  static void answer(RoutingContext context, Throwable cause) {
    if (cause instanceof DocumentException refused) {
      DocumentFailure failure = refused.failure();
      answer(context, status(failure), name(failure), refused.getMessage(), failure.code());
    } else if (cause instanceof IllegalArgumentException) {
      answer(context, 400, "bad-request", cause.getMessage(), 400);
    } else {
      answer(context, 500, "internal", "the request failed", null);
    }
  }

  private static String name(DocumentFailure failure) {
    return failure.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The problem that a failure is, for a stream that has begun. */
  static JsonObject of(RoutingContext context, DocumentException refused) {
    DocumentFailure failure = refused.failure();
    return problem(context, status(failure), name(failure), refused.getMessage())
        .put("code", failure.code());
  }

  static void unsupported(RoutingContext context, String allowed) {
    answer(
        context,
        UNSUPPORTED_MEDIA_TYPE,
        "unsupported-media-type",
        "the content type is not one of " + allowed,
        null);
  }

  /** The status of a failure; codes that HTTP does not know have the nearest one. */
  private static int status(DocumentFailure failure) {
    return switch (failure) {
      case PATCH_FAILED -> 409;
      case CHANGES_GONE -> 410;
      case UNREADABLE -> 500;
      case STORE_FAILED, CLOSED, UNAVAILABLE -> 503;
      case MEMORY_FULL -> 507;
      default -> failure.code();
    };
  }

  private static JsonObject problem(
      RoutingContext context, int status, String name, String detail) {
    return new JsonObject()
        .put("type", "urn:weir:problem:" + name)
        .put("title", name.replace('-', ' '))
        .put("status", status)
        .put("detail", detail)
        .put("instance", context.request().path());
  }

  private static void answer(
      RoutingContext context, int status, String name, String detail, Integer code) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    JsonObject problem = problem(context, status, name, detail);
    if (code != null) {
      problem.put("code", code);
    }
    response.setStatusCode(status).putHeader("content-type", MEDIA_TYPE).end(problem.toBuffer());
  }
}
