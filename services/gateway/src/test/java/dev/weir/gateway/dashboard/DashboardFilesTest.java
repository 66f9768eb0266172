package dev.weir.gateway.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DashboardFilesTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  /** Over HTTP/2 the JDK's client may wait for ever for a response that has no body. */
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Vertx vertx = Vertx.vertx();
  private HttpServer server;

  @BeforeEach
  void start() {
    Router router = Router.router(vertx);
    new DashboardFiles().mount(router);
    server =
        Futures.result(
            "the server listens",
            vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
  }

  @AfterEach
  void stop() {
    Futures.result("vert.x closes", vertx.close());
  }

  private HttpResponse<String> request(String method, String path, String... headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + "/" + path))
            .timeout(DEADLINE)
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse(null);
  }

  @Test
  void answersWithThePageAndAllItLoads() throws Exception {
    HttpResponse<String> page = request("GET", "");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "content-type")).isEqualTo("text/html; charset=utf-8");
    Matcher loaded = Pattern.compile("(?:src|href)=\"(dashboard/[^\"]+)\"").matcher(page.body());
    int files = 0;
    while (loaded.find()) {
      assertThat(request("GET", loaded.group(1)).statusCode()).as(loaded.group(1)).isEqualTo(200);
      files++;
    }
    assertThat(files).isGreaterThanOrEqualTo(4);
  }

  @Test
  void letsABrowserRunNothingButTheFilesOfTheJar() throws Exception {
    HttpResponse<String> page = request("GET", "");
    assertThat(header(page, "content-security-policy"))
        .startsWith("default-src 'none'; script-src 'self'; style-src 'self'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(header(page, "x-content-type-options")).isEqualTo("nosniff");
    assertThat(header(page, "referrer-policy")).isEqualTo("no-referrer");
    assertThat(page.body()).doesNotContain("style=").doesNotContain("onclick").doesNotContain("//");
  }

  @Test
  void sendsAFileOnceAndThenOnlyThatItIsTheSame() throws Exception {
    HttpResponse<String> first = request("GET", "dashboard/dashboard.js");
    assertThat(header(first, "cache-control")).isEqualTo("no-cache");
    String tag = header(first, "etag");
    HttpResponse<String> again =
        request("GET", "dashboard/dashboard.js", "If-None-Match", "\"other\", W/" + tag);
    assertThat(again.statusCode()).isEqualTo(304);
    assertThat(again.body()).isEmpty();
    assertThat(header(again, "etag")).isEqualTo(tag);
    HttpResponse<String> other =
        request("GET", "dashboard/dashboard.js", "If-None-Match", "\"other\"");
    assertThat(other.statusCode()).isEqualTo(200);
  }

  @Test
  void letsABrowserKeepTheLibrary() throws Exception {
    HttpResponse<String> chart = request("GET", DashboardFiles.CHART_PATH.substring(1));
    assertThat(header(chart, "cache-control")).contains("immutable");
    assertThat(chart.body()).contains("Chart.js v4");
  }

  @Test
  void answersHeadWithoutTheContent() throws Exception {
    HttpResponse<String> page = request("HEAD", "");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(header(page, "etag")).isNotNull();
    assertThat(page.body()).isEmpty();
  }

  @Test
  void hasNoOtherFiles() throws Exception {
    for (String path :
        List.of(
            "dashboard/index.html",
            "dashboard/",
            "dashboard/%2e%2e/DashboardFiles.class",
            "dashboard/..%2f..%2fMETA-INF/MANIFEST.MF")) {
      assertThat(request("GET", path).statusCode()).as(path).isEqualTo(404);
    }
  }
}
