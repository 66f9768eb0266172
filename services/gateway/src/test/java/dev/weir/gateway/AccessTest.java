package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.gateway.security.Access;
import dev.weir.gateway.security.Protection;
import dev.weir.options.HeapBudget;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccessTest extends GuardTestBase {
  private static final String DATA = "data-0123456789abcdef";
  private static final String ADMIN = "admin-0123456789abcdef";
  private static final String METRICS = "metrics-0123456789abcdef";
  private static final String OTHER = "other-0123456789abcdef";

  @TempDir Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private final TokenOptions options = new TokenOptions().setReloadIntervalMs(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private String host = "127.0.0.1";
  private Guard guard;
  private HttpServer server;

  @Test
  void leavesDataAndFiguresOpenAndAdministrationClosedWithoutTokens() throws Exception {
    serve();

    assertThat(status("/data", null)).isEqualTo(200);
    assertThat(status("/metrics", null)).isEqualTo(200);
    HttpResponse<String> admin = get("/admin", ADMIN);
    assertThat(admin.statusCode()).isEqualTo(403);
    assertThat(admin.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(new JsonObject(admin.body()).getString("detail"))
        .isEqualTo("administration is closed: no admin token is configured");
  }

  @Test
  void isNotOpenToPagesOfOtherOrigins() throws Exception {
    serve();
    String own = "http://127.0.0.1:" + server.actualPort();

    assertThat(status(request("/data").header("Origin", own))).isEqualTo(200);
    assertThat(status(request("/data").header("Origin", "http://a.example"))).isEqualTo(403);
    assertThat(status(request("/data").header("Origin", "null"))).isEqualTo(403);
  }

  @Test
  void letsEachTokenDoWhatItIsForOnly() throws Exception {
    serveAll();

    assertThat(status("/data", DATA)).isEqualTo(200);
    assertThat(status("/admin", ADMIN)).isEqualTo(200);
    assertThat(status("/admin", DATA)).isEqualTo(403);
    assertThat(status("/admin", METRICS)).isEqualTo(403);
    assertThat(status("/data", ADMIN)).isEqualTo(403);
    assertThat(status("/data", METRICS)).isEqualTo(403);
    assertThat(guard.stats().deniedRequests()).isEqualTo(4);
  }

  @Test
  void answersWith401AndAChallengeWithoutAGoodToken() throws Exception {
    serveAll();

    HttpResponse<String> none = get("/data", null);
    HttpResponse<String> unknown = get("/data", OTHER);

    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"weir\"");
    assertThat(unknown.statusCode()).isEqualTo(401);
    assertThat(unknown.headers().firstValue("WWW-Authenticate"))
        .hasValue("Bearer realm=\"weir\", error=\"invalid_token\"");
    assertThat(status("/data", DATA.substring(1))).isEqualTo(401);
    assertThat(status("/data", DATA + "x")).isEqualTo(401);
  }

  @Test
  void takesNoTokenFromTwoHeadersOrAnotherScheme() throws Exception {
    serveAll();

    assertThat(status(request("/data").header("Authorization", "Basic " + DATA))).isEqualTo(401);
    assertThat(
            status(
                request("/data")
                    .header("Authorization", "Bearer " + DATA)
                    .header("Authorization", "Bearer " + OTHER)))
        .isEqualTo(401);
    assertThat(status(request("/data").header("Authorization", "bearer " + DATA))).isEqualTo(200);
  }

  @Test
  void opensFiguresToEveryTokenWhereOthersCanReachThem() throws Exception {
    host = "0.0.0.0";
    serveAll();

    assertThat(status("/metrics", null)).isEqualTo(401);
    assertThat(status("/metrics", OTHER)).isEqualTo(401);
    for (String token : List.of(DATA, ADMIN, METRICS)) {
      assertThat(status("/metrics", token)).isEqualTo(200);
    }
  }

  @Test
  void opensFiguresToAllIfToldSo() throws Exception {
    host = "0.0.0.0";
    options.setMetricsOpen(true);
    serveAll();

    assertThat(status("/metrics", null)).isEqualTo(200);
  }

  @Test
  void acceptsSeveralTokensAndExchangesThemWithoutARestart() throws Exception {
    Path file = file("# both are valid\nold:" + DATA + "\n\n" + OTHER + "\n");
    options.setDataTokensFile(file.toString());
    serve();
    assertThat(get("/data", DATA).body()).isEqualTo("old");
    assertThat(get("/data", OTHER).body()).isEqualTo("line 4");

    Files.writeString(file, OTHER);
    assertThat(await(guard.reload())).isTrue();

    assertThat(status("/data", DATA)).isEqualTo(401);
    assertThat(status("/data", OTHER)).isEqualTo(200);
  }

  @Test
  void noticesNewTokensByItself() throws Exception {
    Path file = file(DATA);
    options.setDataTokensFile(file.toString()).setReloadIntervalMs(50);
    serve();

    Files.writeString(file, OTHER);

    until("the new token", () -> status("/data", OTHER) == 200);
  }

  @Test
  void keepsTheTokensWhileANewFileCannotBeUsed() throws Exception {
    Path file = file(DATA);
    options.setDataTokensFile(file.toString());
    serve();

    for (String bad : List.of("", "short", "with a blank 0123456789")) {
      Files.writeString(file, bad);
      assertThatThrownBy(() -> await(guard.reload())).hasMessageContaining(file.toString());
      assertThat(status("/data", DATA)).isEqualTo(200);
    }
    Files.delete(file);
    assertThatThrownBy(() -> await(guard.reload())).hasMessageContaining(file.toString());
    Files.writeString(file, DATA);
    Files.writeString(file, OTHER);
    assertThat(await(guard.reload())).isTrue();
    assertThat(status("/data", OTHER)).isEqualTo(200);
  }

  @Test
  void takesTokensFromTheEnvironmentBesideThoseOfAFile() throws Exception {
    environment.put("WEIR_DATA_TOKENS", "mine:" + DATA + ", " + OTHER);
    options.setDataTokensFile(file(METRICS).toString());
    serve();

    assertThat(get("/data", DATA).body()).isEqualTo("mine");
    assertThat(status("/data", OTHER)).isEqualTo(200);
    assertThat(status("/data", METRICS)).isEqualTo(200);
  }

  @Test
  void refusesShortTokensWithoutShowingThem() {
    environment.put("WEIR_ADMIN_TOKENS", "secret");

    assertThatThrownBy(this::serve)
        .hasMessage(
            "the token in the environment variable WEIR_ADMIN_TOKENS, entry 1 is of 6 characters,"
                + " allowed is 16 to 1024");
  }

  @Test
  void listensForOthersOnlyWithTlsAndTokensOrIfToldSo() throws Exception {
    GatewayOptions open = new GatewayOptions().setHost("0.0.0.0");

    assertThatThrownBy(
            () ->
                await(
                    Guard.load(
                        vertx, open, HeapBudget.ofJvm(), Authentication.TOKENS, environment::get)))
        .hasMessageContaining(
            "host is 0.0.0.0, which others can reach, without TLS and data tokens");
    environment.put("WEIR_DATA_TOKENS", DATA);
    assertThatThrownBy(
            () ->
                await(
                    Guard.load(
                        vertx, open, HeapBudget.ofJvm(), Authentication.TOKENS, environment::get)))
        .hasMessageContaining("without TLS:");
    await(
        Guard.load(
            vertx,
            open.setUnprotectedAllowed(true),
            HeapBudget.ofJvm(),
            Authentication.TOKENS,
            environment::get));
    for (String loopback : List.of("127.0.0.1", "127.1.2.3", "::1", "localhost")) {
      assertThat(Protection.isLoopback(loopback)).as(loopback).isTrue();
    }
    for (String reachable : List.of("0.0.0.0", "::", "10.0.0.1", "example.org")) {
      assertThat(Protection.isLoopback(reachable)).as(reachable).isFalse();
    }
  }

  @Test
  void writesNoTokenToTheLogNorToPrintedOptions() throws Exception {
    StringBuilder logged = new StringBuilder();
    Handler handler = collector(logged);
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    try {
      Path file = file(DATA);
      options.setDataTokensFile(file.toString());
      environment.put("WEIR_ADMIN_TOKENS", ADMIN);
      serve();
      status("/data", OTHER);
      status("/admin", ADMIN);
      Files.writeString(file, OTHER + "\nshort");
      assertThat(
              guard.reload().toCompletionStage().toCompletableFuture().handle((ok, e) -> e).get())
          .isNotNull();
    } finally {
      root.removeHandler(handler);
    }
    GatewayOptions all = new GatewayOptions().setTokens(options);

    String shown = logged + all.toString() + options + guard.access() + all.toJson();
    assertThat(shown).contains("cannot be used").doesNotContain(DATA, ADMIN, OTHER, "short");
  }

  private static Handler collector(StringBuilder logged) {
    return new Handler() {
      @Override
      public synchronized void publish(LogRecord line) {
        logged.append(new java.util.logging.SimpleFormatter().format(line));
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private Path file(String text) throws Exception {
    return Files.writeString(directory.resolve("tokens"), text);
  }

  private void serveAll() throws Exception {
    environment.put("WEIR_DATA_TOKENS", DATA);
    environment.put("WEIR_ADMIN_TOKENS", ADMIN);
    environment.put("WEIR_METRICS_TOKENS", METRICS);
    serve();
  }

  private void serve() throws Exception {
    GatewayOptions gateway =
        new GatewayOptions().setHost(host).setUnprotectedAllowed(true).setTokens(options);
    guard =
        await(
            Guard.load(
                vertx, gateway, HeapBudget.ofJvm(), Authentication.TOKENS, environment::get));
    Router router = Router.router(vertx);
    router.get("/data").handler(guard.access().data());
    router.get("/admin").handler(guard.access().admin());
    router.get("/metrics").handler(guard.access().metrics());
    router.route().handler(context -> context.end(String.valueOf(Access.principal(context))));
    server = await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
    guard.watch(server);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + path));
  }

  private HttpResponse<String> get(String path, String token) throws Exception {
    HttpRequest.Builder request = request(path);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private int status(String path, String token) throws Exception {
    return get(path, token).statusCode();
  }

  private int status(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).statusCode();
  }
}
