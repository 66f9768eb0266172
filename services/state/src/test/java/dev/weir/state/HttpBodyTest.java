package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bodies of requests that come slowly, many at a time. */
class HttpBodyTest extends StateTestBase {
  private static final int CONNECTIONS = 30;
  private static final int BODY_BYTES = 100_000;

  private HttpClient client;
  private int port;

  @Override
  DocumentsOptions options() {
    return super.options().setInFlightBytes(DocumentsOptions.MIN_BUDGET_BYTES);
  }

  @BeforeEach
  void serve() {
    factory("cars");
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    port = server.actualPort();
    client = newClient();
  }

  private HttpClient newClient() {
    return vertx.createHttpClient(
        new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(port),
        new PoolOptions().setHttp1MaxSize(CONNECTIONS));
  }

  private HttpClientRequest begin(int key) {
    HttpClientRequest request =
        Futures.result("request", client.request(HttpMethod.PUT, "/documents/cars/" + key));
    request.putHeader("content-length", "" + BODY_BYTES);
    request.write(Buffer.buffer("{\"t\":\"" + "x".repeat(BODY_BYTES - 8)));
    return request;
  }

  @Test
  void bodiesTogetherTakeNoMoreThanTheirBudgetAndGiveItBack() {
    List<HttpClientRequest> requests = new ArrayList<>();
    List<Future<HttpClientResponse>> answers = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      HttpClientRequest request = begin(i);
      requests.add(request);
      answers.add(request.response());
    }
    Await.until(
        "some are refused", () -> answers.stream().filter(Future::isComplete).count() >= 20);
    assertThat(documents.stats().inFlightBytes())
        .isBetween(500_000L, documents.stats().inFlightLimitBytes());
    int refused = 0;
    for (int i = 0; i < CONNECTIONS; i++) {
      if (answers.get(i).isComplete()) {
        refused += answers.get(i).succeeded() ? 1 : 0;
        assertThat(answers.get(i).failed() || answers.get(i).result().statusCode() == 503).isTrue();
        requests.get(i).reset();
      } else {
        requests.get(i).end("\"}");
      }
    }
    assertThat(refused).isPositive();
    Await.until("all has been given back", () -> documents.stats().inFlightBytes() == 0);
    // A connection that was told to close may still be in the pool of the first one.
    client = newClient();
    HttpClientRequest again = begin(CONNECTIONS);
    again.end("\"}");
    assertThat(Futures.result("answer", again.response()).statusCode()).isEqualTo(201);
  }

  @Test
  void aConnectionWhoseBodyIsRefusedIsClosedAfterTheAnswer() throws IOException {
    List<Socket> held = new ArrayList<>();
    try (Socket refused = new Socket("127.0.0.1", port)) {
      for (int i = 0; documents.stats().inFlightBytes() < 900_000; i++) {
        Socket socket = new Socket("127.0.0.1", port);
        held.add(socket);
        int before = i;
        socket.getOutputStream().write(head("held-" + i));
        socket.getOutputStream().write(new byte[BODY_BYTES - 1]);
        Await.until(
            "it is held",
            () -> documents.stats().inFlightBytes() >= (before + 1) * 2L * (BODY_BYTES - 1));
      }
      refused.setSoTimeout(20_000);
      refused.getOutputStream().write(head("refused"));
      refused.getOutputStream().write(new byte[BODY_BYTES - 1]);
      // Ends when the server closes; the body is not sent to its end.
      String answer = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 503 ").containsIgnoringCase("connection: close");
    } finally {
      for (Socket socket : held) {
        socket.close();
      }
    }
    Await.until("all has been given back", () -> documents.stats().inFlightBytes() == 0);
  }

  private static byte[] head(String key) {
    return ("PUT /documents/cars/"
            + key
            + " HTTP/1.1\r\nhost: a\r\ncontent-length: "
            + BODY_BYTES
            + "\r\n\r\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aConnectionThatBreaksGivesItsBodyBack() {
    HttpClientRequest request = begin(0);
    Await.until("it is held", () -> documents.stats().inFlightBytes() >= 2L * BODY_BYTES - 80);
    request.connection().close();
    Await.until("it is given back", () -> documents.stats().inFlightBytes() == 0);
  }

  @Test
  void theStoreShowsItsFactories() {
    done(documents.find("cars").put("a", json("{}")));
    // All on the event loop: who asks for the body of an answer that has come and gone waits in
    // vain.
    JsonObject figures =
        Futures.result(
                "figures",
                client
                    .request(HttpMethod.GET, "/documents")
                    .compose(request -> request.send().compose(HttpClientResponse::body)))
            .toJsonObject();
    assertThat(figures.getLong("residentBytes")).isPositive();
    JsonObject cars = figures.getJsonArray("factories").getJsonObject(0);
    assertThat(cars.getString("name")).isEqualTo("cars");
    assertThat(cars.getLong("residentDocuments")).isEqualTo(1);
    assertThat(cars.getBoolean("persisted")).isTrue();
    assertThat(figures.fieldNames()).contains("fault", "commits", "inFlightLimitBytes");
  }
}
