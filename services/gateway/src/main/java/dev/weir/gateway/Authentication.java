package dev.weir.gateway;

import dev.weir.options.Checks;
import io.vertx.ext.web.handler.AuthenticationHandler;

/**
 * Replaces the gateway's static tokens by handlers of Vert.x-Web, for example for JWT or OpenID
 * Connect. A kind of route without a handler uses the tokens. Immutable.
 *
 * <p>A handler that lets a request in sets the user of its context. The subject of the user names
 * the client: its idempotency keys and the lines of the log. Where a user may not do everything,
 * the handler checks the scopes too, as {@code JWTAuthHandler.withScope} does.
 *
 * @param data for calls of services; null for the data tokens
 * @param admin for administration; null for the admin tokens
 * @param metrics for figures, also on a loopback address; null for the tokens. Without one and
 *     without any token, the handler for calls opens figures too, but for a loopback address or
 *     {@link TokenOptions#setMetricsOpen}.
 */
public record Authentication(
    AuthenticationHandler data, AuthenticationHandler admin, AuthenticationHandler metrics) {
  /** Static tokens everywhere. */
  public static final Authentication TOKENS = new Authentication(null, null, null);

  /** A copy with another handler for calls of services. */
  public Authentication withData(AuthenticationHandler handler) {
    return new Authentication(Checks.notNull("data", handler), admin, metrics);
  }

  /** A copy with another handler for administration. */
  public Authentication withAdmin(AuthenticationHandler handler) {
    return new Authentication(data, Checks.notNull("admin", handler), metrics);
  }

  /** A copy with another handler for figures. */
  public Authentication withMetrics(AuthenticationHandler handler) {
    return new Authentication(data, admin, Checks.notNull("metrics", handler));
  }
}
