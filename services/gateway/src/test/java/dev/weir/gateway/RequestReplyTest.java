package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.NoCopyBody;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceReply;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestReplyTest extends GatewayTestBase {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json                | {\"a\":[1,{\"b\":null}]} | application/json",
        "application/json; charset=utf-8 | [1,\"two\",3.5]          | application/json",
        "application/cloudevents+json    | {\"a\":1}                | application/json",
        "application/json                | 42                       | application/json",
        "application/json                | true                     | application/json",
        "text/plain                      | grüße                    | text/plain; charset=utf-8",
        "TEXT/PLAIN;charset=\"UTF-8\"    | grüße                    | text/plain; charset=utf-8",
        "application/octet-stream        | bytes                    | application/octet-stream"
      })
  void echoesABodyAsTheTypeItHas(String contentType, String body, String replyType) {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    HttpResponse<String> response = send(post("/services/echo", contentType, body));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(response.body()).isEqualTo(body);
    assertThat(response.headers().firstValue("content-type")).contains(replyType);
  }

  @Test
  void handsThePlainTypesOfTheEventBusToAnyConsumer() {
    AtomicReference<Object> seen = new AtomicReference<>();
    vertx
        .eventBus()
        .consumer(
            "plain",
            message -> {
              seen.set(message.body());
              message.reply(null);
            });
    assertThat(send(postJson("/services/plain", "{\"a\":1}")).statusCode()).isEqualTo(204);
    assertThat(seen.get()).isEqualTo(new JsonObject().put("a", 1));
    assertThat(seen.get().getClass()).isEqualTo(JsonObject.class);
    send(postJson("/services/plain", "[1]"));
    assertThat(seen.get()).isEqualTo(new JsonArray().add(1));
    assertThat(seen.get().getClass()).isEqualTo(JsonArray.class);
    send(post("/services/plain", "application/octet-stream", "abc"));
    assertThat(seen.get()).isEqualTo(Buffer.buffer("abc"));
    assertThat(((Buffer) seen.get()).appendString("d").copy()).isEqualTo(Buffer.buffer("abcd"));
    send(post("/services/plain", "application/octet-stream", ""));
    assertThat(seen.get()).isNull();
  }

  @Test
  void aBigBodyArrivesWhole() throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    byte[] body = new byte[100_000];
    new java.util.Random(1).nextBytes(body);
    HttpResponse<byte[]> response =
        client.send(
            to("/services/echo").POST(BodyPublishers.ofByteArray(body)).build(),
            BodyHandlers.ofByteArray());
    assertThat(response.body()).isEqualTo(body);
  }

  @Test
  void anAddressMayHaveAnyCharacters() {
    serve("a/b c+d ü", memoryOnly(), message -> Future.succeededFuture("here"));
    assertThat(send(postJson("/services/a%2Fb%20c+d%20%C3%BC", "1")).body()).isEqualTo("here");
  }

  @Test
  void forwardsNamedHeadersAndNoCredentials() {
    AtomicReference<JsonObject> seen = new AtomicReference<>();
    serve(
        "headers",
        memoryOnly(),
        message -> {
          JsonObject headers = new JsonObject();
          message.headers().forEach(h -> headers.put(h.getKey().toLowerCase(), h.getValue()));
          seen.set(headers);
          return Future.succeededFuture(
              new ServiceReply(
                  "x",
                  new DeliveryOptions()
                      .addHeader("X-Reply", "r")
                      .addHeader("Content-Type", "text/csv")
                      .addHeader("Content-Length", "99")));
        });
    HttpResponse<String> response =
        send(
            postJson(
                "/services/headers",
                "1",
                "X-Request-Id",
                "r1",
                "X-Api-Key",
                "secret",
                "Authorization",
                "Bearer secret",
                "Cookie",
                "secret",
                "Traceparent",
                "00-1",
                "Accept",
                "text/csv"));
    assertThat(response.body()).isEqualTo("x");
    assertThat(response.headers().firstValue("x-reply")).contains("r");
    assertThat(response.headers().firstValue("content-type")).contains("text/csv");
    assertThat(seen.get())
        .isEqualTo(new JsonObject().put("x-request-id", "r1").put("traceparent", "00-1"));
  }

  @Test
  void tellsTheHandlerTheDeadlineTheClientNamed() {
    serve(
        "deadline",
        memoryOnly(),
        message -> Future.succeededFuture(message.headers().get("Weir-Deadline-Ms")));
    long before = System.currentTimeMillis();
    String deadline = send(postJson("/services/deadline", "1", "Weir-Timeout-Ms", "20000")).body();
    assertThat(Long.parseLong(deadline)).isBetween(before + 20_000, before + 60_000);
  }

  @Test
  void speaksHttp2WithoutTls() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    io.vertx.core.http.HttpClient http2 =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    for (int i = 0; i < 3; i++) {
      Buffer body =
          Futures.result(
              "the answer",
              http2
                  .request(HttpMethod.POST, gateway.port(), "127.0.0.1", "/services/echo")
                  .compose(
                      request ->
                          request
                              .putHeader("Content-Type", "application/json")
                              .send(Buffer.buffer("{\"a\":1}")))
                  .compose(
                      response -> {
                        assertThat(response.version()).isEqualTo(HttpVersion.HTTP_2);
                        return response.body();
                      }));
      assertThat(body.toString()).isEqualTo("{\"a\":1}");
    }
  }

  @Test
  void aServiceOfThisNodeGetsTheBytesWithoutACopy() {
    AtomicReference<Buffer> kept = new AtomicReference<>();
    serve(
        "bytes",
        new ServiceOptions(),
        message -> {
          kept.set((Buffer) message.body());
          return Future.succeededFuture();
        });
    Buffer sent = Buffer.buffer("abc");
    Futures.result("reply", vertx.eventBus().request("bytes", NoCopyBody.of(sent)));
    kept.get().setByte(0, (byte) 'x');
    assertThat(sent).isEqualTo(Buffer.buffer("xbc"));
  }
}
