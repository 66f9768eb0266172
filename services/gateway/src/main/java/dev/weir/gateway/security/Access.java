package dev.weir.gateway.security;

import dev.weir.gateway.Authentication;
import dev.weir.gateway.http.Fingerprint;
import dev.weir.gateway.http.ProblemType;
import dev.weir.gateway.http.Refusal;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.AuthenticationHandler;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Handlers that check what a token allows. Mount them before the routes that they protect. A client
 * is known by its bearer token, by a ticket that it got for one, or by an {@link
 * AuthenticationHandler} of the user's.
 *
 * <p>Without a data token, data is open, except to pages of other origins; without an admin token,
 * administration is closed. A request with no token or an unknown one is answered with 401, one
 * whose token is for something else with 403.
 */
public final class Access {
  /** The path below which everything is administration. */
  public static final String ADMIN_PREFIX = "/admin/";

  /** In a routing context: the name of the token that let the request in. */
  static final String PRINCIPAL = "weir.principal";

  private static final String CLIENT = "weir.client";
  private static final String GRANT = "weir.grant";
  private static final String USER = "weir.user";
  private static final String TICKET = "ticket";
  private static final Set<TokenKind> ALL = EnumSet.allOf(TokenKind.class);

  private final Tokens tokens;
  private final Authentication users;
  private final boolean metricsOpen;
  private final Tickets tickets;
  private final Cors cors;
  private final LongAdder denied;
  private final DenialLog log = new DenialLog();
  private final Grants grants;

  /**
   * @param denied counts the requests that were answered with 401 or 403
   */
  public Access(
      Tokens tokens,
      Authentication users,
      boolean metricsOpen,
      Tickets tickets,
      Cors cors,
      LongAdder denied) {
    this.tokens = tokens;
    this.users = users;
    this.metricsOpen = metricsOpen;
    this.tickets = tickets;
    this.cors = cors;
    this.denied = denied;
    this.grants = new Grants(tokens);
  }

  /** For the routes that call services. */
  public Handler<RoutingContext> data() {
    return context -> {
      if (context.request().headers().contains(HttpHeaders.UPGRADE)) {
        BearerToken.moveToHeader(context.request());
      }
      if (isByTicket(context)) {
        redeem(context, TokenKind.DATA, EnumSet.of(TokenKind.DATA), true);
      } else if (users.data() != null) {
        users.data().handle(context);
      } else if (!tokens.of(TokenKind.DATA).isEmpty()) {
        require(context, TokenKind.DATA, EnumSet.of(TokenKind.DATA));
      } else if (isOfAnotherOrigin(context.request())) {
        deny(context, ProblemType.FORBIDDEN, "pages of other origins need a data token");
      } else {
        context.next();
      }
    };
  }

  /**
   * Who calls a service by a request that is no WebSocket and has no {@code Origin}.
   *
   * @return as {@link #client(RoutingContext)}; null if {@link #data} has to decide, which also
   *     refuses
   */
  public String client(HttpServerRequest request) {
    if (users.data() != null || cors.isConfigured()) {
      return null;
    }
    TokenSet allowed = tokens.of(TokenKind.DATA);
    if (allowed.isEmpty()) {
      return "";
    }
    String token = BearerToken.of(request);
    TokenSet.Token known = token == null ? null : allowed.find(TokenSet.hash(token));
    return known == null ? null : known.client();
  }

  /** Guards the routes that change services or show the contents of their queues. */
  public Handler<RoutingContext> admin() {
    return context -> {
      if (users.admin() != null) {
        users.admin().handle(context);
      } else if (tokens.of(TokenKind.ADMIN).isEmpty()) {
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
      AuthenticationHandler handler = metricsHandler();
      if (isByTicket(context)) {
        redeem(context, TokenKind.METRICS, ALL, users.metrics() == null);
      } else if (handler != null) {
        handler.handle(context);
      } else if ((metricsOpen || !tokens.any()) && !isOfAnotherOrigin(context.request())) {
        context.next();
      } else if (tokens.any()) {
        require(context, TokenKind.METRICS, ALL);
      } else {
        deny(context, ProblemType.FORBIDDEN, "pages of other origins need a token");
      }
    };
  }

  /** Who may call services may look, as with tokens; null where tokens decide, or anybody may. */
  private AuthenticationHandler metricsHandler() {
    boolean asForData = users.metrics() == null && !metricsOpen && !tokens.any();
    return asForData ? users.data() : users.metrics();
  }

  /** For the route that gives tickets: to whom a token or a user's handler knows. */
  public Handler<RoutingContext> ticket() {
    return context -> {
      if (users.data() != null) {
        users.data().handle(context);
      } else if (tokens.any()) {
        require(context, TokenKind.DATA, ALL);
      } else {
        deny(context, ProblemType.FORBIDDEN, "no token is configured, so there are no tickets");
      }
    };
  }

  /** A ticket for the client that {@link #ticket} let in; null if the client has too many. */
  public String newTicket(RoutingContext context) {
    Grants.Grant grant = context.get(GRANT);
    Tickets.Holder holder =
        new Tickets.Holder(client(context), grant == null ? null : grant.hash(), user(context));
    return tickets.issue(holder, nowMs());
  }

  /** A page that the user's browser has from elsewhere could call what needs no token. */
  private boolean isOfAnotherOrigin(HttpServerRequest request) {
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    return origin != null
        && !origin.endsWith("://" + HostCheck.host(request))
        && !cors.names(origin);
  }

  static boolean isAdmin(RoutingContext context) {
    return context.normalizedPath().startsWith(ADMIN_PREFIX);
  }

  // ---- by ticket

  /** Tickets are for what a browser opens without headers: WebSockets and streams of events. */
  private static boolean isByTicket(RoutingContext context) {
    String query = context.request().query();
    return query != null
        && context.request().method() == HttpMethod.GET
        && ("&" + query).contains("&" + TICKET + "=");
  }

  /** Null if it cannot be read. */
  private static String ticket(HttpServerRequest request) {
    try {
      return request.getParam(TICKET);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private void redeem(
      RoutingContext context, TokenKind wanted, Set<TokenKind> allowed, boolean usersToo) {
    String ticket = ticket(context.request());
    Tickets.Holder holder = ticket == null ? null : tickets.redeem(ticket, nowMs());
    if (holder == null) {
      challenge(context, "Bearer realm=\"weir\"", "the ticket is not valid, or was used before");
    } else if (holder.tokenHash() != null) {
      letIn(context, holder.tokenHash(), wanted, allowed);
    } else if (usersToo) {
      context.put(CLIENT, holder.client()).put(USER, holder.user());
      endWhenRevoked(context, wanted);
      context.next();
    } else {
      deny(context, ProblemType.FORBIDDEN, "the ticket does not allow this");
    }
  }

  // ---- by token

  private void require(RoutingContext context, TokenKind wanted, Set<TokenKind> allowed) {
    String token = BearerToken.of(context.request());
    if (token == null) {
      challenge(context, "Bearer realm=\"weir\"", "a token for " + wanted.label() + " is needed");
    } else {
      letIn(context, TokenSet.hash(token), wanted, allowed);
    }
  }

  private void letIn(
      RoutingContext context, byte[] hash, TokenKind wanted, Set<TokenKind> allowed) {
    TokenKind kind = null;
    for (TokenKind each : TokenKind.values()) {
      TokenSet.Token token = tokens.of(each).find(hash);
      if (token != null && (kind == null || allowed.contains(each))) {
        kind = each;
        context.put(PRINCIPAL, token.name()).put(CLIENT, token.client());
      }
    }
    if (kind == null) {
      challenge(
          context, "Bearer realm=\"weir\", error=\"invalid_token\"", "the token is not valid");
    } else if (!allowed.contains(kind)) {
      deny(context, ProblemType.FORBIDDEN, "a token for " + kind.label() + " does not allow this");
    } else {
      context.put(GRANT, new Grants.Grant(hash, allowed));
      endWhenRevoked(context, wanted);
      context.next();
    }
  }

  // ---- who it is

  /**
   * A name that no other client has, by the token or the user that let the request in; empty if
   * neither did.
   */
  public static String client(RoutingContext context) {
    String client = context.get(CLIENT);
    if (client != null) {
      return client;
    }
    User user = context.user();
    return user == null
        ? ""
        : Fingerprint.ofClient(("user " + subject(user)).getBytes(StandardCharsets.UTF_8));
  }

  /** The name of the token or of the user that let the request in, for the log; or null. */
  public static String principal(RoutingContext context) {
    User user = user(context);
    if (user == null) {
      return context.get(PRINCIPAL);
    }
    // What else is known of a user may be its access token.
    return user.subject() == null
        ? "user " + Fingerprint.ofClient(subject(user).getBytes(StandardCharsets.UTF_8))
        : user.subject();
  }

  private static User user(RoutingContext context) {
    User user = context.get(USER);
    return user == null ? context.user() : user;
  }

  private static String subject(User user) {
    return user.subject() == null ? user.principal().encode() : user.subject();
  }

  // ---- until when

  /** Figures may be streamed. */
  private void endWhenRevoked(RoutingContext context, TokenKind wanted) {
    if (wanted == TokenKind.METRICS) {
      Runnable forget = whenRevoked(context, () -> context.response().reset());
      context.addEndHandler(ended -> forget.run());
    }
  }

  /**
   * Runs an action when the token of a request is revoked or its user's authentication expires; at
   * once if that has already happened. For work that outlives the request. Does nothing if the
   * request needed no token.
   *
   * @param action called once at most, on any thread
   * @return cancels the watch
   */
  public Runnable whenRevoked(RoutingContext context, Runnable action) {
    Grants.Grant grant = context.get(GRANT);
    if (grant != null) {
      return grants.watch(grant, action);
    }
    User user = user(context);
    return user == null ? () -> {} : UserExpiry.watch(context.vertx(), user, action);
  }

  /** By a clock that nobody sets. */
  private static long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
  }

  // ---- refusals

  private void challenge(RoutingContext context, String challenge, String detail) {
    context.response().putHeader("WWW-Authenticate", challenge);
    deny(context, ProblemType.UNAUTHORIZED, detail);
  }

  /** Answers for a handler of the user's that has refused a request, and counts it. */
  public void refused(RoutingContext context) {
    if (context.statusCode() == ProblemType.UNAUTHORIZED.status) {
      deny(context, ProblemType.UNAUTHORIZED, "the request is not authenticated");
    } else {
      deny(context, ProblemType.FORBIDDEN, "this is not allowed to the user");
    }
  }

  /** Answers, and counts it. What would administer is logged. */
  void deny(RoutingContext context, ProblemType type, String detail) {
    denied.increment();
    if (isAdmin(context)) {
      log.denied(context.request(), principal(context), detail);
    }
    Refusal.send(context, type, detail);
  }
}
