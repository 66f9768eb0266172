package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard as a gateway has it. */
class DashboardGatewayTest {
  private static final String TOKEN = "an-admin-token-of-a-test-that-is-long-enough";

  @TempDir Path directory;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private Vertx vertx;
  private Weir weir;
  private Gateway gateway;

  @BeforeEach
  void start() {
    vertx = Vertx.vertx();
    weir = Weir.create(vertx);
    Futures.result(
        "serving orders",
        weir.serve("orders", new ServiceOptions(), message -> Future.succeededFuture("ok")));
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close(10_000));
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }

  private void listen(TokenOptions tokens) {
    GatewayOptions options = new GatewayOptions().setPort(0).setTokens(tokens);
    gateway = Futures.result("the gateway listens", Gateway.start(vertx, weir, options));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + path));
  }

  @Test
  void answersWithThePageAndItsFigures() throws Exception {
    listen(new TokenOptions());
    HttpResponse<String> page = client.send(request("/").build(), BodyHandlers.ofString());
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<title>Weir</title>");
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    try (InputStream body = events.body()) {
      byte[] some = body.readNBytes(300);
      assertThat(new String(some, java.nio.charset.StandardCharsets.UTF_8))
          .startsWith("event: snapshot\ndata: {")
          .contains("\"ready\":true")
          .contains("\"address\":\"orders\"");
    }
  }

  @Test
  void aViewerDoesNotHoldUpTheCloseOfTheGateway() throws Exception {
    listen(new TokenOptions());
    HttpResponse<InputStream> events =
        client.send(request("/dashboard/events").build(), BodyHandlers.ofInputStream());
    long startNs = System.nanoTime();
    Futures.result("the gateway closes", gateway.close(3_600_000));
    assertThat(System.nanoTime() - startNs).isLessThan(3_600_000_000_000L);
    events.body().close();
  }

  @Test
  void isClosedToAdministratorsWithoutAToken() throws Exception {
    listen(new TokenOptions());
    HttpResponse<String> refused =
        client.send(
            request("/admin/services").header("Authorization", "Bearer x").build(),
            BodyHandlers.ofString());
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).contains("no admin token is configured");
  }

  @Test
  void letsAnAdministratorAct() throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), "ops:" + TOKEN + "\n");
    listen(new TokenOptions().setAdminTokensFile(tokens.toString()));
    HttpRequest pause =
        request("/admin/services/orders/pause")
            .header("Authorization", "Bearer " + TOKEN)
            .POST(BodyPublishers.noBody())
            .build();
    assertThat(client.send(pause, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    assertThat(weir.service("orders").stats().paused()).isTrue();
  }
}
