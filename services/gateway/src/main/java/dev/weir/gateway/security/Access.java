package dev.weir.gateway.security;

import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who may do what, by the bearer token of the request: handlers to mount before those that do it.
 *
 * <p>Without a data token, data is open, except to pages of other origins; without an admin token,
 * administration is closed. A request with no token or an unknown one is answered with 401, one
 * whose token is for something else with 403.
 */
public final class Access {
  /** In a routing context: the name of the token that let the request in. */
  public static final String PRINCIPAL = "weir.principal";

  private static final String GRANT = "weir.grant";
  private static final String SCHEME = "Bearer ";
  private static final Set<TokenKind> ALL = EnumSet.allOf(TokenKind.class);

  private final Tokens tokens;
  private final boolean metricsOpen;
  private final LongAdder denied;
  private final Grants grants;

  /**
   * @param denied counts the requests that were answered with 401 or 403
   */
  public Access(Tokens tokens, boolean metricsOpen, LongAdder denied) {
    this.tokens = tokens;
    this.metricsOpen = metricsOpen;
    this.denied = denied;
    this.grants = new Grants(tokens);
  }

  /** For the routes that call services. */
  public Handler<RoutingContext> data() {
    return context -> {
      if (!tokens.of(TokenKind.DATA).isEmpty()) {
        require(context, TokenKind.DATA, EnumSet.of(TokenKind.DATA));
      } else if (isOfAnotherOrigin(context.request())) {
        deny(context, ProblemType.FORBIDDEN, "pages of other origins need a data token");
      } else {
        context.next();
      }
    };
  }

  /** For the routes that change something about services, or show what is in their queues. */
  public Handler<RoutingContext> admin() {
    return context -> {
      if (tokens.of(TokenKind.ADMIN).isEmpty()) {
        deny(
            context,
            ProblemType.FORBIDDEN,
            "administration is closed: no admin token is configured");
      } else {
        require(context, TokenKind.ADMIN, EnumSet.of(TokenKind.ADMIN));
      }
    };
  }

  /** For the routes that show figures. */
  public Handler<RoutingContext> metrics() {
    return context -> {
      if (metricsOpen || !tokens.any()) {
        context.next();
      } else {
        require(context, TokenKind.METRICS, ALL);
      }
    };
  }

  /** A page that the user's browser has from elsewhere could call what needs no token. */
  private static boolean isOfAnotherOrigin(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin == null) {
      return false;
    }
    return !origin.endsWith("://" + HostCheck.host(request));
  }

  private void require(RoutingContext context, TokenKind wanted, Set<TokenKind> allowed) {
    String token = token(context);
    if (token == null) {
      challenge(context, "Bearer realm=\"weir\"", "a token for " + wanted.label() + " is needed");
      return;
    }
    byte[] hash = TokenSet.hash(token);
    TokenKind kind = null;
    for (TokenKind each : TokenKind.values()) {
      String name = tokens.of(each).nameOf(hash);
      if (name != null && (kind == null || allowed.contains(each))) {
        kind = each;
        context.put(PRINCIPAL, name);
      }
    }
    if (kind == null) {
      challenge(
          context, "Bearer realm=\"weir\", error=\"invalid_token\"", "the token is not valid");
    } else if (!allowed.contains(kind)) {
      deny(context, ProblemType.FORBIDDEN, "a token for " + kind.label() + " does not allow this");
    } else {
      context.put(GRANT, new Grants.Grant(hash, allowed));
      if (wanted == TokenKind.METRICS) {
        endWhenRevoked(context);
      }
      context.next();
    }
  }

  /** Figures may be streamed. */
  private void endWhenRevoked(RoutingContext context) {
    Runnable forget = whenRevoked(context, () -> context.response().reset());
    context.addEndHandler(ended -> forget.run());
  }

  /**
   * Does something when the token that let a request in is no more valid, at once if it is not. For
   * what goes on after the request; nothing if it needed no token.
   *
   * @param action called once at most, on any thread
   * @return stops that
   */
  public Runnable whenRevoked(RoutingContext context, Runnable action) {
    Grants.Grant grant = context.get(GRANT);
    return grant == null ? () -> {} : grants.watch(grant, action);
  }

  /** Null if there is none; of several headers none counts. */
  private static String token(RoutingContext context) {
    var values = context.request().headers().getAll(HttpHeaders.AUTHORIZATION);
    if (values.size() != 1 || !values.get(0).regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return null;
    }
    return values.get(0).substring(SCHEME.length()).strip();
  }

  private void challenge(RoutingContext context, String challenge, String detail) {
    context.response().putHeader("WWW-Authenticate", challenge);
    deny(context, ProblemType.UNAUTHORIZED, detail);
  }

  /** Answers, and counts it. */
  void deny(RoutingContext context, ProblemType type, String detail) {
    denied.increment();
    Refusal.send(context, type, detail);
  }
}
