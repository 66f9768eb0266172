package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.testing.Futures;
import dev.weir.testing.TrustAll;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.UpgradeRejectedException;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.json.JsonObject;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Asks everything with secrets in all places, and looks for them wherever something is shown. */
@Timeout(120)
class SecretsTest {
  /** In every secret but the key. */
  private static final String MARK = "s3cret";

  private static final String DATA = "data-s3cret-0123456789";
  private static final String ADMIN = "admin-s3cret-0123456789";
  private static final String METRICS = "metrics-s3cret-0123456789";
  private static final String WRONG = "wrong-s3cret-0123456789";
  private static final String BASIC =
      Base64.getEncoder().encodeToString(("user:" + MARK).getBytes(StandardCharsets.UTF_8));
  private static final String QUERY = "?access_token=query-s3cret";
  private static final List<String> AUTHORIZATIONS =
      List.of(
          "Bearer " + DATA,
          "Bearer " + ADMIN,
          "Bearer " + METRICS,
          "Bearer " + WRONG,
          "Basic " + BASIC,
          "Bearer s3cret\twith blanks");
  private static final List<String> REQUESTS =
      List.of(
          "GET /",
          "GET /metrics",
          "GET /health/live",
          "GET /health/ready",
          "GET /openapi.json",
          "GET /none",
          "GET /services/work",
          "POST /services/work",
          "POST /services/fail",
          "POST /services/throw",
          "POST /services/none",
          "POST /services/__vertx",
          "POST /services/fail/events",
          "POST /services/memory/events",
          "GET /services/work/ws",
          "GET /admin/services",
          "GET /admin/services/work",
          "GET /admin/services/none",
          "POST /admin/services/work/pause",
          "POST /admin/services/work/resume",
          "PUT /admin/services/work/workers",
          "GET /admin/services/fail/dead-letters",
          "GET /admin/services/fail/dead-letters/1",
          "GET /admin/services/fail/dead-letters/x");

  @TempDir Path directory;
  private final List<String> shown = new ArrayList<>();
  private final Set<Integer> statuses = new TreeSet<>();
  private final Metrics metrics = Metrics.create();
  private final Vertx vertx = metrics.vertx(new VertxOptions()).build();
  private final GatewayOptions options = new GatewayOptions().setPort(0);
  private final TlsOptions tls = new TlsOptions().setReloadIntervalMs(0);
  private LogCapture log;
  private Weir weir;
  private Gateway gateway;
  private TestCertificate certificate;

  @BeforeEach
  void start() throws Exception {
    log = new LogCapture();
    weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.resolve("store") + ""));
    metrics.bind(weir);
    certificate = TestCertificate.of("weir", directory);
    certificate.write(
        tls.setCertificateFile(directory.resolve("cert.pem").toString())
            .setKeyFile(directory.resolve("key.pem").toString()));
    options
        .setTls(tls)
        .setTokens(
            new TokenOptions()
                .setReloadIntervalMs(0)
                .setDataTokensFile(tokens("data", "someone:" + DATA))
                .setAdminTokensFile(tokens("admin", ADMIN))
                .setMetricsTokensFile(tokens("metrics", METRICS)));
    Health health = Health.of(weir, new HealthOptions());
    gateway = Futures.result("the start", Gateway.start(vertx, weir, options, metrics, health));
    ServiceOptions memory = new ServiceOptions().setDiskBytes(0);
    ServiceOptions once = new ServiceOptions().setMaxAttempts(1);
    serve("work", memory, Future.succeededFuture("ok"));
    serve("memory", memory, Future.succeededFuture());
    serve("fail", once, Future.failedFuture("no stock"));
    Futures.result(
        "serving throw",
        weir.<Object>serve(
            "throw",
            memory,
            message -> {
              throw new IllegalStateException("broken");
            }));
  }

  private String tokens(String kind, String line) throws Exception {
    return Files.writeString(directory.resolve(kind + ".tokens"), line + "\n").toString();
  }

  private void serve(String address, ServiceOptions service, Future<Object> reply) {
    Futures.result("serving " + address, weir.<Object>serve(address, service, message -> reply));
  }

  @AfterEach
  void stop() {
    log.close();
    Futures.result("the gateway closes", gateway.close());
    Futures.result("the Weir closes", weir.close());
    metrics.close();
    Futures.result("Vert.x closes", vertx.close());
  }

  @Test
  void areShownNowhere() throws Exception {
    askAll(client(HttpClient.Version.HTTP_2), AUTHORIZATIONS);
    // Who is refused with a body unread needs a new connection each time: one token will do.
    askAll(client(HttpClient.Version.HTTP_1_1), List.of("Bearer " + ADMIN));
    watchTheDashboard();
    openSockets();
    speakPlainText();
    reloadWhatCannotBeUsed();
    HttpClient client = client(HttpClient.Version.HTTP_1_1);
    ask(client, "GET /metrics", "Bearer " + METRICS);
    ask(client, "GET /admin/services/fail/dead-letters/1", "Bearer " + ADMIN);
    shown.add(options + " " + options.toJson() + " " + gateway + " " + tls);
    Futures.result("the gateway closes", gateway.close());

    assertThat(statuses).as("seen").contains(200, 202, 400, 401, 403, 404, 405, 426, 500, 501);
    String all = String.join("\n", shown);
    assertThat(all)
        .contains("weir_gateway_denied_requests_total", "event: snapshot", "urn:weir:problem:");
    assertThat(log.text()).contains("cannot be used", "by line 1 at");
    for (String secret : secrets()) {
      assertThat(all.contains(secret)).as(() -> "shown: " + around(all, secret)).isFalse();
      String logged = log.text();
      assertThat(logged.contains(secret)).as(() -> "logged: " + around(logged, secret)).isFalse();
    }
  }

  /** As text and as bytes, which some exceptions show. */
  private List<String> secrets() {
    Stream<String> key =
        certificate.key().lines().filter(line -> !line.startsWith("-----") && line.length() > 8);
    return Stream.concat(
            key,
            Stream.of(MARK, BASIC, HexFormat.of().formatHex(MARK.getBytes(StandardCharsets.UTF_8))))
        .toList();
  }

  private static String around(String text, String secret) {
    int at = text.indexOf(secret);
    return text.substring(Math.max(0, at - 300), Math.min(text.length(), at + 300));
  }

  private static HttpClient client(HttpClient.Version version) throws Exception {
    return HttpClient.newBuilder().sslContext(TrustAll.context()).version(version).build();
  }

  private void askAll(HttpClient client, List<String> authorizations) throws Exception {
    for (String authorization : authorizations) {
      for (String request : REQUESTS) {
        ask(client, request, authorization);
      }
    }
  }

  private void ask(HttpClient client, String methodAndPath, String authorization) throws Exception {
    String method = methodAndPath.substring(0, methodAndPath.indexOf(' '));
    HttpRequest request =
        to(methodAndPath.substring(method.length() + 1), authorization)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "k")
            .method(method, BodyPublishers.ofString(method.equals("PUT") ? "{" : "{\"a\":1}"))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    statuses.add(response.statusCode());
    shown.add(response.headers().map() + "\n" + response.body());
  }

  private HttpRequest.Builder to(String path, String authorization) {
    return HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.port() + path + QUERY))
        .header("Authorization", authorization)
        .header("Cookie", "session=cookie-s3cret")
        .header("Proxy-Authorization", "Bearer proxy-s3cret")
        .header("X-Api-Key", "key-s3cret")
        .header("X-Forwarded-Access-Token", "forwarded-s3cret")
        .header("X-Anything", "anything-s3cret");
  }

  private void watchTheDashboard() throws Exception {
    HttpRequest request = to("/dashboard/events", "Bearer " + METRICS).build();
    HttpResponse<InputStream> events =
        client(HttpClient.Version.HTTP_1_1).send(request, BodyHandlers.ofInputStream());
    StringBuilder event = new StringBuilder();
    try (InputStream body = events.body()) {
      // The history may come before.
      while (event.indexOf("event: snapshot") < 0
          || event.lastIndexOf("\n\n") < event.length() - 2) {
        event.append((char) body.read());
      }
    }
    shown.add(event.toString());
  }

  private void openSockets() {
    WebSocketClient sockets =
        vertx.createWebSocketClient(
            new WebSocketClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));
    Throwable refused =
        Futures.failure("the refusal", sockets.connect(socket("/services/work/ws", WRONG)));
    shown.add(((UpgradeRejectedException) refused).getBody().toString());
    for (String service : List.of("work", "fail", "none")) {
      Promise<String> answer = Promise.promise();
      WebSocket socket =
          Futures.result("a socket", sockets.connect(socket("/services/" + service + "/ws", DATA)));
      socket.textMessageHandler(answer::tryComplete);
      JsonObject headers = new JsonObject().put("authorization", "Bearer " + DATA);
      socket.writeTextMessage(new JsonObject().put("id", 1).put("headers", headers).encode());
      shown.add(Futures.result("an answer of " + service, answer.future()));
      Futures.result("its close", socket.close());
    }
  }

  private WebSocketConnectOptions socket(String path, String token) {
    return new WebSocketConnectOptions()
        .setHost("localhost")
        .setPort(gateway.port())
        .setURI(path + QUERY)
        .addHeader("Authorization", "Bearer " + token);
  }

  /** To the port for TLS. */
  private void speakPlainText() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(
          "GET /"
              + QUERY
              + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
              + DATA
              + "\r\n\r\n");
      shown.add(client.rest());
    }
  }

  private void reloadWhatCannotBeUsed() throws Exception {
    tokens("data", "s3cret");
    tokens("admin", "name:bad s3cret-0123456789");
    Files.writeString(
        Path.of(tls.getKeyFile()),
        "-----BEGIN PRIVATE KEY-----\ns3crets3crets3crets3cret\n-----END PRIVATE KEY-----\n");
    shown.add(String.valueOf(Futures.failure("the reload", gateway.reload())));
  }
}
