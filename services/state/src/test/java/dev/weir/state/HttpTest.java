package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.LargePut;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpTest extends StateTestBase {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final String MERGE = "application/merge-patch+json";

  private String cars;

  @BeforeEach
  void serve() {
    FactoryRules rules =
        new FactoryRules()
            .addAction("echo", (current, body) -> ActionResult.keep(body.put("echo", true)));
    FactoryOptions options = new FactoryOptions().setIndexes(List.of("color"));
    factory("cars", options.setMaxDocumentBytes(1_000).setHistoryVersions(1), rules);
    cars = listen(Router.router(vertx));
  }

  private String listen(Router router) {
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    return "http://127.0.0.1:" + server.actualPort() + "/documents/cars";
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(cars + path))
            .timeout(Duration.ofSeconds(Await.DEADLINE_S))
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }

  /** A problem whose code is its status. */
  private static void assertProblem(HttpResponse<String> response, int status, String detail) {
    assertProblem(response, status, status, detail);
  }

  /**
   * @param code null for none
   */
  private static void assertProblem(
      HttpResponse<String> response, int status, Integer code, String detail) {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    JsonObject problem = new JsonObject(response.body());
    assertThat(problem.getInteger("status")).isEqualTo(status);
    assertThat(problem.getInteger("code")).isEqualTo(code);
    assertThat(problem.getString("type")).startsWith("urn:weir:problem:");
    assertThat(problem.getString("detail")).contains(detail);
  }

  private static String tag(HttpResponse<?> response) {
    return response.headers().firstValue("etag").orElse(null);
  }

  /** A gateway keeps a request in flight by it when the client is gone. */
  @Test
  void namesTheFutureOfEachOperation() throws Exception {
    List<RoutingContext> asked = new CopyOnWriteArrayList<>();
    Router router = Router.router(vertx);
    router
        .route()
        .handler(
            context -> {
              asked.add(context);
              context.next();
            });
    cars = listen(router);
    send("PUT", "/1", "{'color':'red'}");
    send("GET", "/1", null);
    send("GET", "/1/versions", null);
    send("PATCH", "/1", "{'color':'blue'}", "content-type", MERGE);
    send("GET", "?limit=1", null);
    send("POST", "/1/actions/echo", "{}");
    send("DELETE", "/1", null);
    send("GET", "/1", null);
    assertThat(asked).hasSize(8);
    for (RoutingContext each : asked) {
      Await.until(
          "the work of " + each.request().uri() + " is named and done",
          () -> each.get("weir.work") instanceof Future<?> work && work.isComplete());
    }
  }

  @Test
  void aDocumentLivesByHttp() throws Exception {
    HttpResponse<String> created = send("PUT", "/a", "{'color':'red'}");
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(tag(created)).isEqualTo("\"1\"");
    HttpResponse<String> replaced = send("PUT", "/a", "{'color':'blue'}");
    assertThat(replaced.statusCode()).isEqualTo(200);
    assertThat(tag(replaced)).isEqualTo("\"2\"");
    HttpResponse<String> found = send("GET", "/a", null);
    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(found.headers().firstValue("content-type")).contains("application/json");
    assertThat(found.body()).isEqualTo("{\"color\":\"blue\"}");
    assertThat(send("GET", "/a", null, "if-none-match", "\"2\"").statusCode()).isEqualTo(304);
    assertThat(send("GET", "/a", null, "if-none-match", "\"1\"").statusCode()).isEqualTo(200);
    HttpResponse<String> merged =
        send("PATCH", "/a", "{'km':7}", "content-type", MERGE + "; charset=utf-8");
    assertThat(new JsonObject(merged.body())).isEqualTo(json("{'color':'blue','km':7}"));
    HttpResponse<String> patched =
        send(
            "PATCH",
            "/a",
            "[{'op':'remove','path':'/km'}]",
            "content-type",
            "application/json-patch+json");
    assertThat(patched.body()).isEqualTo("{\"color\":\"blue\"}");
    assertThat(send("POST", "/a/actions/echo", "{'x':1}").body()).contains("\"echo\":true");
    assertThat(send("POST", "/a/actions/echo", null).statusCode()).isEqualTo(200);
    assertThat(send("DELETE", "/a", null).statusCode()).isEqualTo(204);
    assertProblem(send("GET", "/a", null), 404, "document a does not exist");
  }

  @Test
  void earlierVersionsAreReadAndListed() throws Exception {
    for (int i = 1; i <= 3; i++) {
      send("PUT", "/a", "{'n':" + i + "}");
    }
    HttpResponse<String> second = send("GET", "/a?version=2", null);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo("{\"n\":2}");
    assertThat(tag(second)).isEqualTo("\"2\"");
    assertThat(send("GET", "/a?version=2", null, "if-none-match", "\"2\"").statusCode())
        .isEqualTo(304);
    assertThat(send("GET", "/a?version=3", null).body()).isEqualTo("{\"n\":3}");
    JsonObject listed = new JsonObject(send("GET", "/a/versions", null).body());
    assertThat(listed.getJsonArray("versions")).hasSize(2);
    JsonObject newest = listed.getJsonArray("versions").getJsonObject(0);
    assertThat(newest.getLong("version")).isEqualTo(3);
    assertThat(newest.getLong("timeMs")).isPositive();
    assertProblem(send("GET", "/a?version=1", null), 404, "version 1 is not kept");
    assertProblem(send("GET", "/a?version=x", null), 400, "version is x, not a whole number");
    assertProblem(send("GET", "/a?version=0", null), 400, "version is 0");
    assertProblem(send("GET", "/b/versions", null), 404, "document b does not exist");
  }

  @Test
  void postCreatesUnderAKeyOfItsOwnOrTheOneThatIsAsked() throws Exception {
    HttpResponse<String> made = send("POST", "", "{'n':1}");
    assertThat(made.statusCode()).isEqualTo(201);
    String location = made.headers().firstValue("location").orElseThrow();
    assertThat(location).startsWith("/documents/cars/");
    String path = location.substring("/documents/cars".length());
    assertThat(send("GET", path, null).body()).isEqualTo("{\"n\":1}");
    HttpResponse<String> named = send("POST", "?key=a%2Fb%20%C3%A4", "{'n':2}");
    assertThat(named.headers().firstValue("location")).contains("/documents/cars/a%2Fb%20%C3%A4");
    assertThat(send("GET", "/a%2Fb%20%C3%A4", null).body()).isEqualTo("{\"n\":2}");
    assertProblem(send("POST", "?key=a%2Fb%20%C3%A4", "{'n':2}"), 409, "exists");
  }

  @Test
  void conditionalRequestsAreKept() throws Exception {
    assertProblem(send("PUT", "/a", "{}", "if-match", "*"), 412, "document a does not exist");
    assertThat(send("PUT", "/a", "{}", "if-none-match", "*").statusCode()).isEqualTo(201);
    assertProblem(send("PUT", "/a", "{}", "if-none-match", "*"), 412, "expected is no document");
    assertThat(send("PUT", "/a", "{'n':2}", "if-match", "\"1\"").statusCode()).isEqualTo(200);
    assertProblem(send("PUT", "/a", "{}", "if-match", "\"1\""), 412, "document a has version 2");
    assertProblem(
        send("PATCH", "/a", "{}", "content-type", MERGE, "if-match", "\"1\""), 412, "version 2");
    assertProblem(send("DELETE", "/a", null, "if-match", "\"1\""), 412, "version 2");
    assertProblem(send("DELETE", "/a", null, "if-match", "1"), 400, "If-Match is 1");
    assertProblem(send("PUT", "/a", "{}", "if-none-match", "\"1\""), 400, "If-None-Match");
    assertThat(send("GET", "/a", null).body()).isEqualTo("{\"n\":2}");
    assertThat(send("DELETE", "/a", null, "if-match", "*").statusCode()).isEqualTo(204);
  }

  @Test
  void whatIsWrongIsAProblemAndChangesNothing() throws Exception {
    send("PUT", "/a", "{'n':1}");
    assertProblem(send("PUT", "/a", "{'n':"), 400, "the body is not a JSON object");
    assertProblem(send("PUT", "/a", "[1]"), 400, "the body is not a JSON object");
    assertProblem(send("PUT", "/a", null), 400, "the body is not a JSON object");
    assertProblem(
        send("PATCH", "/a", "{'op':1}", "content-type", "application/json-patch+json"),
        400,
        "the body is not a JSON array");
    assertProblem(
        send(
            "PATCH",
            "/a",
            "[{'op':'remove','path':'/x'}]",
            "content-type",
            "application/json-patch+json"),
        409,
        DocumentFailure.PATCH_FAILED.code(),
        "operation 0 of the patch failed");
    assertProblem(send("PATCH", "/a", "{}"), 415, null, MERGE);
    assertProblem(send("PUT", "/" + "k".repeat(3_000), "{}"), 413, "the key has 3000 characters");
    assertProblem(send("GET", "?filter=colour%20%3D%201", null), 400, "has no index on colour");
    assertProblem(send("GET", "?limit=x", null), 400, "limit is x");
    assertProblem(send("GET", "?limit=0", null), 400, "limit is 0");
    // Its lowest 32 bits are 101.
    assertProblem(send("GET", "?limit=-4294967195", null), 400, "limit is -4294967195");
    assertProblem(send("GET", "?cursor=x", null), 400, "the cursor is not one of this query");
    assertProblem(send("PUT", "/a?expiryMs=-1", "{}"), 400, "expiryMs is -1");
    assertProblem(send("POST", "/a/actions/fly", "{}"), 400, "has no action fly");
    assertProblem(send("GET", "/../bikes/a", null), 404, "there is no factory");
    assertThat(tag(send("GET", "/a", null))).isEqualTo("\"1\"");
  }

  @Test
  void aBodyOverTheLimitIsRefused() throws Exception {
    send("PUT", "/a", "{'n':1}");
    String large = "{'text':'" + "x".repeat(1_000) + "'}";
    assertProblem(send("PUT", "/a", large), 413, "allowed are 1000");
    URI uri = URI.create(cars);
    LargePut put = new LargePut(uri.getPort(), uri.getPath() + "/a");
    String detail = "the body has more than 66536 bytes";
    put.announced(100 << 20).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
    put.whole(100 << 20).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
    put.chunk(66_537).assertProblem(413, DocumentFailure.TOO_LARGE.code(), detail);
    assertThat(tag(send("GET", "/a", null))).isEqualTo("\"1\"");
  }

  @Test
  void aQueryHasPages() throws Exception {
    for (int i = 0; i < 10; i++) {
      send("PUT", "/" + i, "{'color':'" + (i % 2 == 0 ? "red" : "blue") + "','n':" + i + "}");
    }
    String filter = "?limit=3&filter=" + URLEncoder.encode("color = 'red'", StandardCharsets.UTF_8);
    JsonObject first = new JsonObject(send("GET", filter, null).body());
    assertThat(first.getJsonArray("documents")).hasSize(3);
    assertThat(first.getJsonArray("documents").getJsonObject(0))
        .isEqualTo(json("{'key':'0','version':1,'content':{'color':'red','n':0}}"));
    String next = filter + "&cursor=" + first.getString("cursor");
    JsonObject second = new JsonObject(send("GET", next, null).body());
    assertThat(second.getJsonArray("documents")).hasSize(2);
    assertThat(second.containsKey("cursor")).isFalse();
    assertThat(send("GET", filter + "&count=true", null).body()).isEqualTo("{\"count\":5}");
    JsonObject last = new JsonObject(send("GET", "?sort=color&order=desc&limit=1", null).body());
    assertThat(last.getJsonArray("documents").getJsonObject(0).getString("key")).isEqualTo("8");
  }

  @Test
  void aDocumentThatHasNotTheFormThatIsAcceptedIsAnsweredInItsOwn() throws Exception {
    String large = "{\"n\":" + "9".repeat(400) + "}";
    HttpResponse<String> made = send("PUT", "/a", large, "accept", "application/cbor");
    assertThat(made.statusCode()).isEqualTo(201);
    assertThat(made.headers().firstValue("content-type")).contains("application/json");
    assertThat(made.body()).isEqualTo(large);
    HttpResponse<String> found = send("GET", "/a", null, "accept", "application/cbor");
    assertThat(found.statusCode()).isEqualTo(200);
    assertThat(found.headers().firstValue("content-type")).contains("application/json");
    assertThat(found.body()).isEqualTo(large);
  }

  @Test
  void aHandlerBeforeTheRoutesMayReadTheBody() throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(BodyHandler.create(false));
    cars = listen(router);
    assertThat(send("PUT", "/a", "{'n':1}").statusCode()).isEqualTo(201);
    assertProblem(send("PUT", "/a", null), 400, "the body is not a JSON object");
  }

  @Test
  void anExpiryIsAskedForAndTold() throws Exception {
    HttpResponse<String> made = send("PUT", "/a?expiryMs=3600000", "{}");
    assertThat(made.headers().firstValueAsLong("expires-at-ms").orElse(0))
        .isGreaterThan(System.currentTimeMillis());
  }
}
