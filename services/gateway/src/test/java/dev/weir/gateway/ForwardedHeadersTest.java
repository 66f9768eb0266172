package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A gateway that passes on all headers lets no client set one of Weir or of Vert.x. */
class ForwardedHeadersTest extends GatewayTestBase {
  /** By which Weir and Vert.x talk among themselves, and what they would do. */
  private static final List<String> INTERNAL =
      List.of(
          "weir-stream",
          "weir-stream-credits",
          "weir-stream-timeout-ms",
          "weir-stream-last",
          "weir-durability",
          "weir-deadline-ms",
          "weir-id",
          "weir-fingerprint",
          "weir-anything",
          "__vertx.credit",
          "vertx-anything",
          "vertx.anything",
          "action");

  private static final List<String> CREDENTIALS =
      List.of(
          "authorization",
          "cookie",
          "proxy-authorization",
          "x-api-key",
          "x-auth-token",
          "x-csrf-token",
          "x-forwarded-access-token",
          "x-amzn-oidc-data",
          "x-session-id");

  private static final List<String> OPEN = List.of("x-user", "x-request-id", "accept-language");

  private static final List<String> ALL =
      Stream.of(INTERNAL, CREDENTIALS, OPEN).flatMap(List::stream).toList();

  @Override
  GatewayOptions options() {
    return super.options().setForwardedHeaders(List.of("*", "weir-*", "__*", "vertx*"));
  }

  private static Set<String> names(Stream<?> names) {
    return names
        .map(name -> name.toString().toLowerCase(Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static void assertOnlyOpen(Set<String> reached) {
    assertThat(reached).containsAll(OPEN);
    assertThat(reached).doesNotContainAnyElementsOf(INTERNAL);
    assertThat(reached).doesNotContainAnyElementsOf(CREDENTIALS);
  }

  /** Answers with the names that have reached it. */
  private static Future<JsonArray> seen(ServiceMessage<Object> message) {
    return Future.succeededFuture(new JsonArray(new ArrayList<>(message.headers().names())));
  }

  private HttpClientRequest request(HttpVersion version, String path) {
    HttpClient http =
        vertx.createHttpClient(
            new HttpClientOptions().setProtocolVersion(version).setHttp2ClearTextUpgrade(false));
    HttpClientRequest request =
        Futures.result(
            "a request", http.request(HttpMethod.POST, gateway.port(), "127.0.0.1", path));
    request.putHeader("content-type", "application/json");
    ALL.forEach(name -> request.putHeader(name, "1"));
    // An event whose durability is no durability is refused.
    request.putHeader("weir-durability", "process");
    return request;
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aRequestReachesItsServiceWithoutThem(HttpVersion version) {
    serve("work", memoryOnly(), ForwardedHeadersTest::seen);

    JsonArray reached =
        Futures.result(
            "an answer",
            request(version, "/services/work")
                .send("1")
                .compose(response -> response.body())
                .map(body -> body.toJsonArray()));

    assertOnlyOpen(names(reached.stream()));
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void anEventIsKeptWithoutThem(HttpVersion version) {
    Service service =
        serve(
            "work",
            new ServiceOptions().setMaxAttempts(1),
            message -> Future.failedFuture("on purpose"));

    int status =
        Futures.result(
            "an answer",
            request(version, "/services/work/events")
                .send("1")
                .map(response -> response.statusCode()));

    assertThat(status).isEqualTo(202);
    Await.until("it is dead", () -> service.deadLetters().count() == 1);
    assertOnlyOpen(
        names(
            Futures.result("list", service.deadLetters().list(0, 1))
                .get(0)
                .headers()
                .names()
                .stream()));
  }

  @Test
  void aMessageOfAWebSocketReachesItsServiceWithoutThem() {
    serve("work", memoryOnly(), ForwardedHeadersTest::seen);
    Vertx clientVertx = Vertx.vertx();
    WebSocket socket =
        Futures.result(
            "a socket",
            clientVertx
                .createWebSocketClient()
                .connect(
                    new WebSocketConnectOptions()
                        .setHost("127.0.0.1")
                        .setPort(gateway.port())
                        .setURI("/services/work/ws")
                        .addSubProtocol("weir.v1")));
    Promise<String> answer = Promise.promise();
    socket.textMessageHandler(answer::tryComplete);
    JsonObject headers = new JsonObject();
    ALL.forEach(name -> headers.put(name, "1"));

    socket.writeTextMessage(new JsonObject().put("id", 1).put("headers", headers).encode());

    JsonObject reply = new JsonObject(Futures.result("an answer", answer.future()));
    assertOnlyOpen(names(reply.getJsonArray("body").stream()));
    Futures.result("the client closes", clientVertx.close());
  }
}
