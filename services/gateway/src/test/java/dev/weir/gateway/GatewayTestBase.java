package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.http.Problem;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A Vert.x, a Weir with a directory and a gateway for each test, closed after it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
abstract class GatewayTestBase {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @TempDir Path directory;
  Vertx vertx;
  Weir weir;
  Gateway gateway;
  final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() {
    vertx = newVertx();
    weir = Weir.create(vertx, weirOptions());
    gateway = Futures.result("the gateway starts", Gateway.start(vertx, weir, options()));
  }

  Vertx newVertx() {
    return Vertx.vertx();
  }

  WeirOptions weirOptions() {
    return new WeirOptions()
        .setDirectory(directory.toString())
        .setBackupDirectory(directory.resolve("backups").toString());
  }

  GatewayOptions options() {
    return new GatewayOptions().setPort(0).setMaxBodyBytes(100_000).setMaxTimeoutMs(60_000);
  }

  @AfterEach
  void stop() {
    Futures.result("the gateway closes", gateway.close());
    Futures.result("weir closes", weir.close());
    Futures.result("vert.x closes", vertx.close());
  }

  <T> Service serve(String address, ServiceOptions options, ServiceHandler<T> handler) {
    return Futures.result("serving " + address, weir.serve(address, options, handler));
  }

  static ServiceOptions memoryOnly() {
    return new ServiceOptions().setDiskBytes(0);
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + gateway.port() + path);
  }

  HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(DEADLINE);
  }

  HttpRequest post(String path, String contentType, String body, String... headers) {
    HttpRequest.Builder request =
        to(path).header("Content-Type", contentType).POST(BodyPublishers.ofString(body));
    return (headers.length == 0 ? request : request.headers(headers)).build();
  }

  HttpRequest postJson(String path, String body, String... headers) {
    return post(path, "application/json", body, headers);
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError("no response to " + request, e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  /** Checks that it is a problem of that type, and gives its document. */
  static JsonObject assertProblem(HttpResponse<String> response, ProblemType type) {
    assertThat(response.body()).as("%s %s", response.statusCode(), response.body()).isNotEmpty();
    JsonObject problem = new JsonObject(response.body());
    assertThat(problem.getString("type")).as(response.body()).isEqualTo(type.uri);
    assertThat(response.statusCode()).isEqualTo(type.status);
    assertThat(response.headers().firstValue("content-type")).contains(Problem.MEDIA_TYPE);
    assertThat(problem.getInteger("status")).isEqualTo(type.status);
    assertThat(problem.getString("title")).isEqualTo(type.title);
    assertThat(problem.getString("detail")).isNotBlank();
    assertThat(problem.getString("instance")).isEqualTo(response.uri().getRawPath());
    assertThat(response.body()).doesNotContain("\\tat ").doesNotContain("Exception.java");
    return problem;
  }
}
