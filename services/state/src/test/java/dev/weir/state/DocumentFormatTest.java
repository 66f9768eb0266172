package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.util.List;
import org.junit.jupiter.api.Test;

class DocumentFormatTest extends StateTestBase {
  private static final JsonObject CAR = json("{'color':'red','km':7,'owner':{'name':'Ann'}}");
  private static final Buffer BINARY = DocumentBody.of(CAR, DocumentFormat.CBOR).buffer();

  private record Answer(int status, String type, Buffer body) {}

  private HttpClient serve() {
    Router router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    return vertx.createHttpClient(
        new HttpClientOptions().setDefaultHost("127.0.0.1").setDefaultPort(server.actualPort()));
  }

  private static Answer ask(
      HttpClient client, HttpMethod method, String path, Buffer body, String... headers) {
    return Futures.result(
        method + " " + path,
        client
            .request(method, path)
            .compose(
                request -> {
                  for (int i = 0; i < headers.length; i += 2) {
                    request.putHeader(headers[i], headers[i + 1]);
                  }
                  return request
                      .send(body)
                      .compose(
                          response ->
                              response
                                  .body()
                                  .map(
                                      read ->
                                          new Answer(
                                              response.statusCode(),
                                              response.getHeader("content-type"),
                                              read)));
                }));
  }

  @Test
  void aBodyIsKeptAsItCame() {
    factory("cars");
    DocumentFactory cars = documents.find("cars");
    Buffer spaced = Buffer.buffer("{ \"n\" : 1.50 }");

    done(cars.put("json", DocumentBody.parse(spaced, DocumentFormat.JSON), WriteOptions.DEFAULT));
    done(cars.put("cbor", DocumentBody.parse(BINARY, DocumentFormat.CBOR), WriteOptions.DEFAULT));
    reopen();
    cars = factory("cars");

    assertThat(done(cars.get("json")).buffer()).isEqualTo(spaced);
    Document binary = done(cars.get("cbor"));
    assertThat(binary.format()).isEqualTo(DocumentFormat.CBOR);
    assertThat(binary.buffer(DocumentFormat.CBOR)).isEqualTo(BINARY);
    assertThat(binary.json()).isEqualTo(CAR);
    assertThat(binary.buffer()).isEqualTo(CAR.toBuffer());
  }

  @Test
  void aBinaryDocumentIsIndexedPatchedAndQueriedAsAnyOther() {
    DocumentFactory cars =
        factory("cars", new FactoryOptions().setIndexes(List.of("color", "owner.name")));
    done(cars.create("a", DocumentBody.parse(BINARY, DocumentFormat.CBOR), WriteOptions.DEFAULT));
    done(cars.create("b", json("{'color':'blue'}")));

    assertThat(done(cars.query(new Query().setFilter("owner.name = 'Ann'"))).documents())
        .extracting(Document::key)
        .containsExactly("a");
    done(cars.merge("a", json("{'km':8}")));
    done(
        cars.patch(
            "a", new JsonArray().add(json("{'op':'replace','path':'/color','value':'blue'}"))));
    Document patched = done(cars.get("a"));
    assertThat(patched.json()).isEqualTo(CAR.copy().put("km", 8).put("color", "blue"));
    assertThat(done(cars.count(new Query().setFilter("color = 'blue'")))).isEqualTo(2);
  }

  @Test
  void overHttpTheTypesOfBodyAndAnswerAreTold() {
    factory("cars");
    HttpClient client = serve();

    Answer made =
        ask(
            client,
            HttpMethod.PUT,
            "/documents/cars/a",
            BINARY,
            "content-type",
            "application/cbor");
    assertThat(made).isEqualTo(new Answer(201, "application/cbor", BINARY));
    Answer json = ask(client, HttpMethod.GET, "/documents/cars/a", Buffer.buffer());
    assertThat(json).isEqualTo(new Answer(200, "application/json", CAR.toBuffer()));
    Answer binary =
        ask(
            client,
            HttpMethod.GET,
            "/documents/cars/a",
            Buffer.buffer(),
            "accept",
            "application/cbor");
    assertThat(binary).isEqualTo(new Answer(200, "application/cbor", BINARY));
    Answer replaced =
        ask(
            client,
            HttpMethod.PUT,
            "/documents/cars/a",
            CAR.toBuffer(),
            "accept",
            "application/cbor");
    assertThat(replaced).isEqualTo(new Answer(200, "application/cbor", BINARY));
    Answer bad =
        ask(
            client,
            HttpMethod.PUT,
            "/documents/cars/a",
            CAR.toBuffer(),
            "content-type",
            "application/cbor");
    assertThat(bad.status()).isEqualTo(400);
    assertThat(bad.body().toJsonObject().getString("detail")).contains("CBOR");
  }

  @Test
  void onTheEventBusABufferIsCborIfItsHeaderSaysSo() {
    factory("cars");
    DeliveryOptions put =
        new DeliveryOptions()
            .addHeader("action", "put")
            .addHeader("key", "a")
            .addHeader("content-type", "application/cbor");

    Message<Buffer> reply =
        Futures.result("put", vertx.eventBus().<Buffer>request("documents.cars", BINARY, put));

    assertThat(reply.body()).isEqualTo(BINARY);
    assertThat(reply.headers().get("content-type")).isEqualTo("application/cbor");
    put.addHeader("accept", "application/json");
    Message<JsonObject> json =
        Futures.result("put", vertx.eventBus().<JsonObject>request("documents.cars", BINARY, put));
    assertThat(json.body()).isEqualTo(CAR);
  }
}
