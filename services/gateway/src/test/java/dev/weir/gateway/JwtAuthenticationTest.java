package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.auth.JWTOptions;
import io.vertx.ext.auth.PubSecKeyOptions;
import io.vertx.ext.auth.jwt.JWTAuth;
import io.vertx.ext.auth.jwt.JWTAuthOptions;
import io.vertx.ext.web.handler.JWTAuthHandler;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The handler of Vert.x-Web for JSON web tokens says who may call, in place of static tokens. */
class JwtAuthenticationTest extends GatewayTestBase {
  private static final String ISSUER = "https://issuer.example";

  private final JWTOptions issued = new JWTOptions().setIssuer(ISSUER).setAudience(List.of("weir"));
  private JWTAuth issuer;

  private JWTAuth auth(String secret) {
    return JWTAuth.create(
        vertx,
        new JWTAuthOptions()
            .setJWTOptions(issued)
            .addPubSecKey(new PubSecKeyOptions().setAlgorithm("HS256").setBuffer(secret)));
  }

  @BeforeEach
  void serveByTokens() {
    Futures.result("the gateway without users closes", gateway.close());
    issuer = auth("a secret of the issuer, of 32 bytes or more");
    Authentication users =
        Authentication.TOKENS
            .withData(JWTAuthHandler.create(issuer))
            .withAdmin(JWTAuthHandler.create(issuer).withScope("weir.admin"));
    gateway = Futures.result("the gateway starts", Gateway.start(vertx, weir, options(), users));
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
  }

  private String token(JWTAuth by, String subject, int seconds, String scope) {
    long expiry = System.currentTimeMillis() / 1000 + seconds;
    return by.generateToken(
        new JsonObject().put("sub", subject).put("scope", scope).put("exp", expiry), issued);
  }

  private String token(String subject) {
    return token(issuer, subject, 3600, "");
  }

  private HttpResponse<String> call(String token) {
    return send(postJson("/services/echo", "[1]", "Authorization", "Bearer " + token));
  }

  @Test
  void aTokenOfTheIssuerLetsItsUserCall() {
    HttpResponse<String> answer = call(token("alice"));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("[1]");
  }

  @Test
  void anyOtherTokenIsRefused() {
    String expired = token(issuer, "alice", -60, "");
    String ofAnother = token(auth("a secret of somebody else, also 32 bytes"), "alice", 3600, "");
    String good = token("alice");
    String changed = good.substring(0, good.lastIndexOf('.')) + ".AAAA";
    String unsigned =
        Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString("{\"alg\":\"none\"}".getBytes(StandardCharsets.US_ASCII))
            + good.substring(good.indexOf('.'), good.lastIndexOf('.') + 1);
    for (String token : List.of(expired, ofAnother, changed, unsigned, "no.token", "x")) {
      HttpResponse<String> refused = call(token);
      assertProblem(refused, ProblemType.UNAUTHORIZED);
      assertThat(refused.body()).doesNotContain(token);
    }
    assertProblem(send(postJson("/services/echo", "1")), ProblemType.UNAUTHORIZED);
    assertThat(gateway.guardStats().deniedRequests()).isEqualTo(7);
  }

  @Test
  void administrationTakesTheScopeOfAnAdministrator() {
    HttpResponse<String> refused =
        send(to("/admin/services").header("Authorization", "Bearer " + token("alice")).build());
    assertProblem(refused, ProblemType.FORBIDDEN);
    String operator = token(issuer, "olga", 3600, "weir.admin");
    HttpResponse<String> shown =
        send(to("/admin/services").header("Authorization", "Bearer " + operator).build());
    assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
  }

  @Test
  void theSubjectOfTheTokenOwnsTheIdempotencyKeys() {
    AtomicInteger handled = new AtomicInteger();
    serve("work", memoryOnly(), message -> Future.succeededFuture(handled.incrementAndGet()));
    // Two tokens of Alice: of another time, and so of other bytes.
    for (String token :
        List.of(token("alice"), token("bob"), token(issuer, "alice", 1800, "other"))) {
      send(
          postJson(
              "/services/work", "1", "Authorization", "Bearer " + token, "Idempotency-Key", "k"));
    }
    assertThat(handled).hasValue(2);
  }

  private Future<WebSocket> connect(WebSocketClient sockets, String token) {
    String encoded =
        Base64.getUrlEncoder()
            .withoutPadding()
            .encodeToString(token.getBytes(StandardCharsets.US_ASCII));
    return sockets.connect(
        new WebSocketConnectOptions()
            .setHost("127.0.0.1")
            .setPort(gateway.port())
            .setURI("/services/echo/ws")
            .addSubProtocol("weir.v1")
            .addSubProtocol("weir.token." + encoded));
  }

  @Test
  void aBrowserOpensASocketByTheTokenUntilItExpires() {
    WebSocketClient sockets = vertx.createWebSocketClient();
    Future<WebSocket> opening = connect(sockets, token(issuer, "alice", 1, ""));
    // Where this machine stands still meanwhile, a token may be over before it arrives.
    for (int seconds = 2; seconds < 60; seconds *= 2) {
      Await.until("it is open or refused", opening::isComplete);
      if (opening.failed()) {
        opening = connect(sockets, token(issuer, "alice", seconds, ""));
      }
    }
    WebSocket socket = Futures.result("a socket", opening);
    Await.until("it is closed when the token expires", socket::isClosed);
    assertThat(socket.closeStatusCode()).isEqualTo((short) 1008);
  }

  @Test
  void aTicketOfTheUserOpensASocket() {
    HttpResponse<String> answer =
        send(
            to("/tickets")
                .POST(BodyPublishers.noBody())
                .header("Authorization", "Bearer " + token("alice"))
                .build());
    String ticket = new JsonObject(answer.body()).getString("ticket");
    WebSocketClient sockets = vertx.createWebSocketClient();
    WebSocket socket =
        Futures.result(
            "a socket",
            sockets.connect(
                new WebSocketConnectOptions()
                    .setHost("127.0.0.1")
                    .setPort(gateway.port())
                    .setURI("/services/echo/ws?ticket=" + ticket)
                    .addSubProtocol("weir.v1")));
    Promise<String> reply = Promise.promise();
    socket.textMessageHandler(reply::tryComplete);
    socket.writeTextMessage("{\"id\":1,\"body\":2}");
    assertThat(Futures.result("a reply", reply.future())).isEqualTo("{\"id\":1,\"body\":2}");
  }
}
