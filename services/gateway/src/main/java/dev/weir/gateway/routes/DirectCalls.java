package dev.weir.gateway.routes;

import dev.weir.gateway.http.HeldBytes;
import dev.weir.gateway.http.Target;
import dev.weir.gateway.limits.RequestLimit;
import dev.weir.gateway.security.Access;
import dev.weir.gateway.security.HostCheck;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;

/**
 * Calls services for plain requests without a router: a routing context and the matching of routes
 * cost as much as the rest of the gateway. Each request that is not plain, and each that has to be
 * refused, goes to the router, which has the same checks.
 */
public final class DirectCalls implements Handler<HttpServerRequest> {
  /** What the router calls the routes that such a request passes: the token check and the call. */
  private static final String ROUTE = Target.PREFIX + ">" + Target.PREFIX;

  /** The characters of a path that needs no decoding and no normalization. */
  private static final String PLAIN =
      "/-._~:ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private static final boolean[] IS_PLAIN = new boolean[128];

  static {
    PLAIN.chars().forEach(each -> IS_PLAIN[each] = true);
  }

  private final Handler<HttpServerRequest> router;
  private final RequestLimit limit;
  private final HostCheck hosts;
  private final Access access;
  private final ServiceRoutes services;

  /** The path of the last plain request: most requests have the same. Null before the first. */
  private String plain;

  /**
   * @param router handles all other requests
   */
  public DirectCalls(
      Handler<HttpServerRequest> router,
      RequestLimit limit,
      HostCheck hosts,
      Access access,
      ServiceRoutes services) {
    this.router = router;
    this.limit = limit;
    this.hosts = hosts;
    this.access = access;
    this.services = services;
  }

  @Override
  public void handle(HttpServerRequest request) {
    String client = isPlain(request) && hosts.passes(request) ? access.client(request) : null;
    HeldBytes held = client == null ? null : limit.enter(request);
    if (held == null) {
      router.handle(request);
    } else {
      request.routed(ROUTE);
      services.handle(request, request.uri(), client, held);
    }
  }

  private boolean isPlain(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_1_1 || request.method() != HttpMethod.POST) {
      return false;
    }
    String uri = request.uri();
    if (!uri.equals(plain)) {
      if (!isPlain(uri)) {
        return false;
      }
      plain = uri;
    }
    MultiMap headers = request.headers();
    return !headers.contains(HttpHeaders.UPGRADE)
        && !headers.contains(HttpHeaders.EXPECT)
        && !headers.contains(HttpHeaders.ORIGIN);
  }

  /** True for a path below the prefix that is the same when it is normalized. */
  static boolean isPlain(String uri) {
    if (!uri.startsWith(Target.PREFIX)) {
      return false;
    }
    for (int i = Target.PREFIX.length(); i < uri.length(); i++) {
      char c = uri.charAt(i);
      boolean first = uri.charAt(i - 1) == '/';
      if (c >= IS_PLAIN.length || !IS_PLAIN[c] || first && (c == '/' || c == '.')) {
        return false;
      }
    }
    return true;
  }
}
