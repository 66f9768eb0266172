package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceOptions;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.openapi.contract.OpenAPIContract;
import io.vertx.openapi.contract.Operation;
import io.vertx.openapi.validation.ResponseValidator;
import io.vertx.openapi.validation.ValidatableResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds the served document against what the server does: all it names, and nothing else. */
class OpenApiTest extends GatewayTestBase {
  /** The validator reads JSON of types it knows; it knows vendors' types, but not this one. */
  private static final String KNOWN_PROBLEM_TYPE = "application/vnd.problem+json";

  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  private ResponseValidator validator;
  private OpenAPIContract contract;
  private final Map<String, Set<Integer>> seen = new TreeMap<>();

  @BeforeEach
  void readTheServedDocument() {
    HttpResponse<String> served = get("/openapi.json");
    JsonObject document =
        new JsonObject(served.body().replace(Problem.MEDIA_TYPE, KNOWN_PROBLEM_TYPE));
    contract = Await.result("the document is valid", OpenAPIContract.from(vertx, document));
    validator = ResponseValidator.create(vertx, contract);
    check("getOpenApi", served);
  }

  private HttpResponse<String> get(String path) {
    return send(to(path).GET().build());
  }

  private void check(String operation, HttpResponse<String> response) {
    Map<String, String> headers = new HashMap<>();
    response.headers().map().forEach((name, values) -> headers.put(name, values.get(0)));
    check(operation, response.statusCode(), headers, response.body());
  }

  private void check(String operation, int status, Map<String, String> headers, String body) {
    String type = headers.get("content-type");
    // In a document a type stands for itself with any parameters; not so for the validator.
    type = type == null ? null : type.split(";")[0].replace(Problem.MEDIA_TYPE, KNOWN_PROBLEM_TYPE);
    ValidatableResponse validatable =
        type == null
            ? ValidatableResponse.create(status, headers)
            : ValidatableResponse.create(status, headers, Buffer.buffer(body), type);
    Await.result(
        operation + " answers as the document says: " + status + body,
        validator.validate(validatable, operation));
    seen.computeIfAbsent(operation, name -> new TreeSet<>()).add(status);
  }

  private void request(String path, String body, String... headers) {
    check("request", send(postJson(path, body, headers)));
  }

  private void event(String path, String body, String... headers) {
    check("sendEvent", send(postJson(path, body, headers)));
  }

  @Test
  void theDocumentIsServedAsYamlToo() {
    HttpResponse<String> yaml = get("/openapi.yaml");
    assertThat(yaml.body()).isEqualTo(get("/openapi.json").body());
    assertThat(yaml.headers().firstValue("content-type")).contains("application/yaml");
  }

  @Test
  void everyResponseIsDocumentedAndEveryDocumentedStatusIsSeen() {
    succeed();
    refuseBeforeTheService();
    failInTheService();
    refuseWithoutAToken();
    check("getLive", get("/health/live"));
    check("getReady", get("/health/ready"));
    check("getMetrics", get("/metrics"));
    drain();
    check("getReady", get("/health/ready"));
    seen.computeIfAbsent("openSocket", name -> new TreeSet<>()).add(101);
    Map<String, Set<Integer>> documented = new TreeMap<>();
    for (Operation operation : contract.operations()) {
      documented.put(operation.getOperationId(), statuses(operation));
    }
    assertThat(seen).isEqualTo(documented);
  }

  private static Set<Integer> statuses(Operation operation) {
    Set<Integer> statuses = new TreeSet<>();
    operation.getOpenAPIModel().getJsonObject("responses").fieldNames().stream()
        .filter(name -> Character.isDigit(name.charAt(0)))
        .forEach(status -> statuses.add(Integer.valueOf(status)));
    return statuses;
  }

  private void succeed() {
    serve("echo", new ServiceOptions(), message -> Future.succeededFuture(message.body()));
    for (String body : new String[] {"{\"a\":1}", "[]", "1", "null"}) {
      request("/services/echo", body, "Idempotency-Key", body);
    }
    for (String type : new String[] {"text/plain", "application/octet-stream"}) {
      check("request", send(post("/services/echo", type, "abc")));
    }
    event("/services/echo/events", "{\"a\":1}", "Weir-Durability", "machine");
  }

  private void refuseBeforeTheService() {
    for (String path : new String[] {"/services/echo", "/services/echo/events"}) {
      String operation = path.endsWith("events") ? "sendEvent" : "request";
      check(operation, send(postJson(path, "{")));
      check(operation, send(postJson(path.replace("echo", "nobody"), "1")));
      check(operation, send(method("PUT", path)));
      check(operation, send(postJson(path, "\"" + "x".repeat(110_000) + "\"")));
      check(operation, send(post(path, "image/png", "1")));
    }
    request("/services/echo", "2", "Idempotency-Key", "1");
    checkRaw("GET /services/%zz/ws HTTP/1.1", "Connection: close");
    check("openSocket", get("/services/__x/ws"));
    check("openSocket", send(method("POST", "/services/echo/ws")));
    check("openSocket", get("/services/echo/ws"));
  }

  private HttpRequest method(String method, String path) {
    return to(path).method(method, BodyPublishers.noBody()).build();
  }

  private void refuseWithoutAToken() {
    GatewayOptions closed =
        options()
            // On a loopback address metrics need no token.
            .setHost("0.0.0.0")
            .setUnprotectedAllowed(true)
            .setTokens(
                new TokenOptions()
                    .setDataTokensFile(tokenFile("data"))
                    .setMetricsTokensFile(tokenFile("metrics")));
    Gateway open = gateway;
    gateway = Await.result("it starts", Gateway.start(vertx, weir, closed));
    String[] other = {"Authorization", "Bearer metrics-" + TOKEN};
    check("request", send(postJson("/services/echo", "1")));
    check("request", send(postJson("/services/echo", "1", other)));
    check("sendEvent", send(postJson("/services/echo/events", "1")));
    check("sendEvent", send(postJson("/services/echo/events", "1", other)));
    check("openSocket", get("/services/echo/ws"));
    check("openSocket", send(to("/services/echo/ws").headers(other).GET().build()));
    check("getMetrics", get("/metrics"));
    Await.result("it closes", gateway.close());
    gateway = open;
  }

  private String tokenFile(String kind) {
    try {
      Path file = directory.resolve(kind + ".tokens");
      Files.writeString(file, "someone:" + kind + "-" + TOKEN);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return file.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void failInTheService() {
    for (FlowFailure failure : FlowFailure.values()) {
      String address = failure.name();
      for (String entry : new String[] {address, "weir.durable/" + address}) {
        vertx.eventBus().consumer(entry, message -> message.fail(failure.code(), "as asked"));
      }
      request("/services/" + address, "1");
      event("/services/" + address + "/events", "1");
    }
    vertx.eventBus().consumer("silent", message -> {});
    request("/services/silent", "1", "Weir-Timeout-Ms", "10");
    vertx
        .eventBus()
        .consumer(
            "weir.durable/silent",
            message -> {
              // As the bus itself tells of a time that is over.
              message.reply(
                  new io.vertx.core.eventbus.ReplyException(
                      io.vertx.core.eventbus.ReplyFailure.TIMEOUT, "Timed out"),
                  new DeliveryOptions());
            });
    event("/services/silent/events", "1");
  }

  private void drain() {
    Await.result("it drains", gateway.drain());
    request("/services/echo", "1");
    event("/services/echo/events", "1");
    checkRaw(
        "GET /services/echo/ws HTTP/1.1",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
  }

  /** For what a well-behaved client does not send. */
  private void checkRaw(String... lines) {
    RawHttp.Response response = RawHttp.send(gateway.port(), lines);
    check("openSocket", response.status(), response.headers(), response.body());
  }
}
