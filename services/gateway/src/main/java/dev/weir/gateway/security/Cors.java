package dev.weir.gateway.security;

import dev.weir.gateway.CorsOptions;
import dev.weir.gateway.GatewayOptions;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells browsers which pages of other origins may call services, and answers what browsers ask
 * before they call. Cookies are of no use to a gateway, so no answer allows them.
 */
public final class Cors implements Handler<RoutingContext> {
  private static final List<String> KNOWN_HEADERS =
      List.of(
          "authorization",
          "content-type",
          "idempotency-key",
          "weir-timeout-ms",
          "weir-durability",
          "weir-key",
          "weir-delay-ms",
          "weir-expires-in-ms",
          "weir-priority",
          "weir-read",
          "weir-max-attempts");

  private final List<String> origins;
  private final boolean any;
  private final String headers;
  private final String maxAge;

  public Cors(GatewayOptions options) {
    CorsOptions cors = options.getCors();
    origins = cors.getOrigins().stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList();
    any = origins.contains(CorsOptions.ANY);
    headers =
        Stream.of(KNOWN_HEADERS, options.getForwardedHeaders(), cors.getHeaders())
            .flatMap(List::stream)
            .filter(name -> !name.contains("*"))
            .distinct()
            .collect(Collectors.joining(", "));
    maxAge = Integer.toString(cors.getMaxAgeSeconds());
  }

  /** True if pages of any other origin may call. */
  boolean isConfigured() {
    return !origins.isEmpty();
  }

  /** True if the options name an origin. */
  boolean names(String origin) {
    return origins.contains(origin.toLowerCase(Locale.ROOT));
  }

  @Override
  public void handle(RoutingContext context) {
    if (origins.isEmpty() || Access.isAdmin(context)) {
      context.next();
      return;
    }
    HttpServerResponse response = context.response();
    String origin = context.request().getHeader(HttpHeaders.ORIGIN);
    response.headers().add(HttpHeaders.VARY, "origin");
    if (origin == null || !any && !names(origin)) {
      context.next();
      return;
    }
    response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    if (isQuestion(context)) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, "GET, POST")
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, headers)
          .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, maxAge)
          .setStatusCode(204)
          .end();
    } else {
      response.putHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, "*");
      context.next();
    }
  }

  /** A browser asks before it sends the request itself. */
  private static boolean isQuestion(RoutingContext context) {
    return context.request().method() == HttpMethod.OPTIONS
        && context.request().headers().contains(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD);
  }
}
