package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.User;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.SimpleAuthenticationHandler;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handler of Vert.x-Web says who may call, as one for JWT or OpenID Connect does. */
class AuthenticationTest extends GatewayTestBase {

  /** When the users of this test expire, seconds since 1970. */
  private volatile Number expiry = System.currentTimeMillis() / 1000 + 3600;

  private WebSocketClient sockets;

  @BeforeEach
  void serveByUsers() {
    Futures.result("the gateway without users closes", gateway.close());
    Authentication users =
        Authentication.TOKENS
            .withData(SimpleAuthenticationHandler.create().authenticate(this::user))
            .withAdmin(SimpleAuthenticationHandler.create().authenticate(this::operator));
    gateway = Futures.result("the gateway starts", Gateway.start(vertx, weir, options(), users));
  }

  /** Takes its time, as who asks another server does. */
  private Future<User> user(RoutingContext context) {
    String authorization = context.request().getHeader("Authorization");
    Vertx clock = context.vertx();
    return clock
        .timer(20)
        .map(
            done -> {
              if (authorization == null || !authorization.startsWith("Bearer jwt-of-")) {
                throw new HttpException(401, "s3cret: why it is not good");
              }
              String subject = authorization.substring("Bearer jwt-of-".length());
              return User.create(
                  new JsonObject().put("sub", subject), new JsonObject().put("exp", expiry));
            });
  }

  private Future<User> operator(RoutingContext context) {
    return user(context)
        .map(
            user -> {
              if (!user.subject().equals("operator")) {
                throw new HttpException(403, "s3cret: no operator");
              }
              return user;
            });
  }

  @Test
  void aUserMayCallAndBodiesArrive() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    for (int bytes : new int[] {1, 100, 99_000}) {
      String body = "[\"" + "x".repeat(bytes) + "\"]";
      assertThat(
              send(postJson("/services/echo", body, "Authorization", "Bearer jwt-of-alice")).body())
          .isEqualTo(body);
    }
    HttpResponse<String> refused = send(postJson("/services/echo", "1"));
    assertProblem(refused, ProblemType.UNAUTHORIZED);
    assertThat(refused.body()).doesNotContain("s3cret");
    assertThat(gateway.guardStats().deniedRequests()).isEqualTo(1);
  }

  @Test
  void aKeyBelongsToAUser() {
    AtomicInteger handled = new AtomicInteger();
    serve("work", memoryOnly(), message -> Future.succeededFuture(handled.incrementAndGet()));
    for (String user : List.of("alice", "bob", "alice")) {
      send(
          postJson(
              "/services/work",
              "1",
              "Authorization",
              "Bearer jwt-of-" + user,
              "Idempotency-Key",
              "k"));
    }
    assertThat(handled).hasValue(2);
  }

  @Test
  void administrationIsForTheUsersThatItsHandlerLetsIn() {
    try (LogCapture log = new LogCapture()) {
      assertProblem(admin("alice"), ProblemType.FORBIDDEN);
      assertThat(admin("alice").body()).doesNotContain("s3cret");
      assertThat(admin("operator").statusCode()).isEqualTo(200);
      assertThat(log.text()).contains("/admin/services denied to");
    }
  }

  @Test
  void aTokenThatIsAllThatIsKnownOfAUserIsNotLogged() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    Futures.result("the gateway closes", gateway.close());
    Authentication tokens =
        Authentication.TOKENS.withAdmin(
            SimpleAuthenticationHandler.create()
                .authenticate(
                    context -> Future.succeededFuture(User.fromToken("s3cret-access-token"))));
    gateway = Futures.result("it starts", Gateway.start(vertx, weir, options(), tokens));
    try (LogCapture log = new LogCapture()) {
      HttpResponse<String> paused =
          send(to("/admin/services/echo/pause").POST(BodyPublishers.noBody()).build());
      assertThat(paused.statusCode()).isEqualTo(200);
      assertThat(log.text()).contains("paused, by user ").doesNotContain("s3cret");
    }
  }

  /** No token is configured: anybody could look otherwise. */
  @Test
  void figuresOnAnOpenAddressAreForUsersOnly() {
    Futures.result("the gateway closes", gateway.close());
    Authentication users =
        Authentication.TOKENS.withData(
            SimpleAuthenticationHandler.create().authenticate(this::user));
    GatewayOptions open = options().setHost("0.0.0.0").setUnprotectedAllowed(true);
    gateway = Futures.result("it starts", Gateway.start(vertx, weir, open, users));
    for (String path : List.of("/metrics", "/dashboard/events")) {
      assertProblem(send(to(path).build()), ProblemType.UNAUTHORIZED);
    }
    HttpResponse<String> figures =
        send(to("/metrics").header("Authorization", "Bearer jwt-of-alice").build());
    assertThat(figures.statusCode()).isEqualTo(200);
  }

  private HttpResponse<String> admin(String user) {
    return send(to("/admin/services").header("Authorization", "Bearer jwt-of-" + user).build());
  }

  @Test
  void aSocketIsClosedWhenItsUserExpires() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    boolean answered = false;
    for (int inSeconds = 2; !answered; inSeconds *= 2) {
      expiry = System.currentTimeMillis() / 1000 + inSeconds;
      WebSocket socket = connectAsAlice();
      Promise<String> reply = Promise.promise();
      socket.textMessageHandler(reply::tryComplete);
      socket.writeTextMessage("{\"id\":1,\"body\":2}");
      Await.until("it is closed", socket::isClosed);
      assertThat(socket.closeStatusCode()).isEqualTo((short) 1008);
      // The user may have expired before, if the machine stood still.
      answered = reply.future().isComplete();
    }
  }

  static List<Number> ofThePast() {
    return List.of(1_000_000_000, 0, -1, Long.MIN_VALUE, -1e300, Double.NaN);
  }

  @ParameterizedTest
  @MethodSource("ofThePast")
  void aSocketWhoseUserHasExpiredIsClosedAtOnce(Number past) {
    expiry = past;
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    WebSocket socket = connectAsAlice();
    Await.until("it is closed", socket::isClosed);
    assertThat(socket.closeStatusCode()).isEqualTo((short) 1008);
  }

  static List<Number> ofAFarFuture() {
    return List.of(100_000_000_000L, Long.MAX_VALUE / 1000 + 1, Long.MAX_VALUE, 1e300);
  }

  @ParameterizedTest
  @MethodSource("ofAFarFuture")
  void aSocketWhoseUserExpiresInAFarFutureStaysOpen(Number future) {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    expiry = future;
    WebSocket far = connectAsAlice();
    expiry = System.currentTimeMillis() / 1000 + 1;
    WebSocket near = connectAsAlice();
    Await.until("the other one is closed", near::isClosed);
    assertThat(far.isClosed()).isFalse();
    assertThat(reply(far)).isEqualTo("{\"id\":1,\"body\":2}");
  }

  private static String reply(WebSocket socket) {
    Promise<String> reply = Promise.promise();
    socket.textMessageHandler(reply::tryComplete);
    socket.writeTextMessage("{\"id\":1,\"body\":2}");
    return Futures.result("a reply", reply.future());
  }

  private WebSocket connectAsAlice() {
    String token =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString("jwt-of-alice".getBytes(StandardCharsets.US_ASCII));
    return connect("/services/echo/ws", "weir.token." + token);
  }

  @Test
  void aUserGetsATicket() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    HttpResponse<String> answer =
        send(
            to("/tickets")
                .POST(BodyPublishers.noBody())
                .header("Authorization", "Bearer jwt-of-alice")
                .build());
    String ticket = new JsonObject(answer.body()).getString("ticket");
    Futures.result("it closes", connect("/services/echo/ws?ticket=" + ticket).close());
  }

  private WebSocket connect(String path, String... protocols) {
    WebSocketConnectOptions options =
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(gateway.port())
            .setURI(path)
            .addSubProtocol("weir.v1");
    List.of(protocols).forEach(options::addSubProtocol);
    // A client that nobody holds is closed, with its sockets.
    sockets = sockets == null ? vertx.createWebSocketClient() : sockets;
    return Futures.result("a socket", sockets.connect(options));
  }
}
