package dev.weir.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import dev.weir.testing.ServedDocument;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the served description against the routes and against their answers. */
class OpenApiTest extends StateTestBase {
  private static final String MERGE = "application/merge-patch+json";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Set<Integer> seen = new TreeSet<>();
  private Router router;
  private String url;
  private ServedDocument document;

  @Override
  DocumentsOptions options() {
    return super.options().setMemoryBytes(DocumentsOptions.MIN_BUDGET_BYTES).setMaxStreams(0);
  }

  @BeforeEach
  void serve() throws Exception {
    FactoryRules rules =
        new FactoryRules()
            .setValidator(
                (current, next) -> {
                  if (next.containsKey("refused")) {
                    throw new RefusedException("no");
                  }
                })
            .addAction("echo", (current, body) -> ActionResult.keep(body))
            .addAction(
                "fail",
                (current, body) -> {
                  throw new IllegalStateException("as the test wants it");
                });
    FactoryOptions options =
        new FactoryOptions()
            .setIndexes(List.of("color"))
            .setMaxDocumentBytes(1_000)
            .setHistoryVersions(2)
            .setChangeLogBytes(10_000);
    factory("cars", options, rules);
    factory("coins", new FactoryOptions().setImmutable(true));
    factory("memory", new FactoryOptions().setPersisted(false));
    router = Router.router(vertx);
    DocumentRoutes.mount(router, documents);
    HttpServer server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    url = "http://127.0.0.1:" + server.actualPort() + "/documents";
    document = new ServedDocument(vertx, send("GET", "/openapi.json", null).body());
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path))
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(body.replace('\'', '"')));
    return client.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  /** Checks that an answer has this status and is as the document says. */
  private void check(
      int status, String operation, String method, String path, String body, String... sent)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(method, path, body, sent);
    assertThat(response.statusCode()).as(operation + ": " + response.body()).isEqualTo(status);
    Map<String, String> headers = new HashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
    document.check(operation, status, headers, response.body());
    seen.add(status);
  }

  @Test
  void namesEachRouteThatIsServedAndNoOther() {
    Set<String> served = new TreeSet<>();
    for (Route route : router.getRoutes()) {
      String path = route.getPath().replaceAll(":([a-z]+)", "{$1}");
      route.methods().forEach(method -> served.add(method + " " + path));
    }
    assertThat(document.routes()).isEqualTo(served);
  }

  @Test
  void answersAreAsTheDocumentSays() throws Exception {
    check(200, "getFigures", "GET", "", null);
    check(200, "getDescription", "GET", "/openapi.json", null);
    write();
    read();
    refuse();
    check(200, "getFigures", "GET", "", null);
    assertThat(seen)
        .containsExactly(200, 201, 204, 304, 400, 404, 405, 409, 412, 413, 415, 422, 500, 503, 507);
  }

  private void write() throws Exception {
    check(201, "putDocument", "PUT", "/cars/a?expiryMs=3600000", "{'color':'red'}");
    check(200, "putDocument", "PUT", "/cars/a", "{'color':'red'}", "if-match", "\"1\"");
    check(201, "createDocument", "POST", "/cars?key=b", "{'color':'red'}");
    check(200, "patchDocument", "PATCH", "/cars/a", "{'km':7}", "content-type", MERGE);
    check(200, "actOnDocument", "POST", "/cars/a/actions/echo", "{'x':1}");
    check(204, "deleteDocument", "DELETE", "/cars/b", null);
  }

  private void read() throws Exception {
    check(200, "getDocument", "GET", "/cars/a", null);
    check(200, "getDocument", "GET", "/cars/a?version=2", null);
    check(304, "getDocument", "GET", "/cars/a", null, "if-none-match", "\"3\"");
    check(200, "listVersions", "GET", "/cars/a/versions", null);
    check(200, "findDocuments", "GET", "/cars?filter=color%3D%27red%27", null);
    check(200, "findDocuments", "GET", "/cars?limit=1&count=true", null);
  }

  private void refuse() throws Exception {
    check(400, "findDocuments", "GET", "/cars?filter=price%3D1", null);
    check(404, "findDocuments", "GET", "/bikes", null);
    check(400, "putDocument", "PUT", "/cars/a", "{");
    check(404, "putDocument", "PUT", "/bikes/a", "{}");
    check(412, "putDocument", "PUT", "/cars/a", "{}", "if-match", "\"1\"");
    check(413, "putDocument", "PUT", "/cars/" + "k".repeat(600), "{}");
    check(413, "putDocument", "PUT", "/cars/a", "{'t':'" + "x".repeat(1_000) + "'}");
    check(422, "putDocument", "PUT", "/cars/a", "{'refused':1}");
    check(201, "putDocument", "PUT", "/coins/a", "{}");
    check(405, "putDocument", "PUT", "/coins/a", "{}");
    check(409, "createDocument", "POST", "/cars?key=a", "{}");
    check(412, "createDocument", "POST", "/cars?key=a", "{}", "if-match", "\"9\"");
    check(415, "patchDocument", "PATCH", "/cars/a", "{}");
    check(404, "patchDocument", "PATCH", "/cars/x", "{}", "content-type", MERGE);
    String patch = "[{'op':'remove','path':'/x'}]";
    check(
        409,
        "patchDocument",
        "PATCH",
        "/cars/a",
        patch,
        "content-type",
        "application/json-patch+json");
    check(404, "deleteDocument", "DELETE", "/cars/x", null);
    check(412, "deleteDocument", "DELETE", "/cars/a", null, "if-match", "\"1\"");
    check(404, "getDocument", "GET", "/cars/a?version=77", null);
    check(400, "getDocument", "GET", "/cars/a?version=x", null);
    check(400, "listVersions", "GET", "/coins/a/versions", null);
    check(404, "listVersions", "GET", "/cars/x/versions", null);
    check(500, "actOnDocument", "POST", "/cars/a/actions/fail", "{}");
    check(400, "actOnDocument", "POST", "/cars/a/actions/fly", "{}");
    check(503, "streamChanges", "GET", "/cars/changes", null);
    String text = "{'t':'" + "x".repeat(900_000) + "'}";
    check(201, "putDocument", "PUT", "/memory/a", text);
    check(507, "putDocument", "PUT", "/memory/b", text);
    check(507, "createDocument", "POST", "/memory", text);
  }

  @Test
  void aStreamIsRefusedAsTheDocumentSays() throws Exception {
    Futures.result("the store closes", documents.close());
    open(super.options());
    factory("cars", new FactoryOptions().setChangeLogBytes(10_000));
    router.clear();
    DocumentRoutes.mount(router, documents);
    check(410, "streamChanges", "GET", "/cars/changes?from=7", null);
    check(400, "streamChanges", "GET", "/cars/changes?from=x", null);
    check(404, "streamChanges", "GET", "/bikes/changes", null);
  }
}
