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
      String name = failure.name().toLowerCase(Locale.ROOT).replace('_', '-');
      answer(context, status(failure), name, refused.getMessage(), failure.code());
    } else if (cause instanceof IllegalArgumentException) {
      answer(context, 400, "bad-request", cause.getMessage(), 400);
    } else {
      answer(context, 500, "internal", "the request failed", null);
    }
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
      case STORE_FAILED, CLOSED -> 503;
      case MEMORY_FULL -> 507;
      default -> failure.code();
    };
  }

  private static void answer(
      RoutingContext context, int status, String name, String detail, Integer code) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.headWritten()) {
      return;
    }
    JsonObject problem =
        new JsonObject()
            .put("type", "urn:weir:problem:" + name)
            .put("title", name.replace('-', ' '))
            .put("status", status)
            .put("detail", detail)
            .put("instance", context.request().path());
    if (code != null) {
      problem.put("code", code);
    }
    response.setStatusCode(status).putHeader("content-type", MEDIA_TYPE).end(problem.toBuffer());
  }
}
