package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostCheckTest extends GuardTestBase {
  private static final String OPEN = "/health/live";
  private static final String SOCKET =
      "/services/work/ws HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";

  private final GatewayOptions options = new GatewayOptions();
  private Gateway gateway;

  @Test
  void isReachedOnLoopbackByItsNamesAndByAddressesOnly() throws Exception {
    gateway = start(options);

    for (String host :
        List.of(
            "localhost",
            "localhost:8080",
            "LOCALHOST.",
            "weir.localhost:8080",
            "127.0.0.1",
            "127.0.0.1:8080",
            "10.1.2.3:8080",
            "[::1]:8080",
            "[::1]")) {
      assertThat(status(OPEN, host)).as(host).isEqualTo(200);
    }
    for (String host :
        List.of(
            "evil.example",
            "evil.example:8080",
            "localhost.evil.example",
            "evillocalhost",
            "127.0.0.1.evil.example",
            "")) {
      assertThat(status(OPEN, host)).as(host).isEqualTo(403);
    }
  }

  @Test
  void saysWhyItRefusesAndCountsIt() throws Exception {
    gateway = start(options);

    for (String path : List.of("/", "/metrics", "/services/work", "/admin/services", "/none")) {
      assertThat(answer(path + " HTTP/1.1", "evil.example"))
          .startsWith("HTTP/1.1 403 ")
          .contains("application/problem+json", "see its option allowedHosts");
    }
    assertThat(gateway.guardStats().deniedRequests()).isEqualTo(5);
  }

  @Test
  void isReachedByTheNamesItIsGiven() throws Exception {
    gateway = start(options.setAllowedHosts(List.of("Weir.example")));

    assertThat(status(OPEN, "weir.example:8080")).isEqualTo(200);
    assertThat(status(OPEN, "WEIR.example")).isEqualTo(200);
    assertThat(status(OPEN, "localhost")).isEqualTo(200);
    assertThat(status(OPEN, "evil.example")).isEqualTo(403);
    assertThat(status(OPEN, "a.weir.example")).isEqualTo(403);
  }

  @Test
  void isReachedByAnyNameIfItIsToldSo() throws Exception {
    gateway = start(options.setAllowedHosts(List.of("*")));

    assertThat(status(OPEN, "any.example")).isEqualTo(200);
  }

  @Test
  void isReachedByAnyNameWhereOthersCanReachItUnlessItIsGivenNames() throws Exception {
    gateway = start(options.setHost("0.0.0.0").setUnprotectedAllowed(true));
    assertThat(status(OPEN, "any.example")).isEqualTo(200);

    gateway = start(options.setAllowedHosts(List.of("weir.example")));
    assertThat(status(OPEN, "any.example")).isEqualTo(403);
    assertThat(status(OPEN, "10.42.0.7:8080")).as("a probe of the pod's address").isEqualTo(200);
  }

  @Test
  void looksAtTheAuthorityOfHttp2() throws Exception {
    gateway = start(options);
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));

    assertThat(http2Status(client, "localhost")).isEqualTo(200);
    assertThat(http2Status(client, "evil.example")).isEqualTo(403);
  }

  @Test
  void opensASocketToItsOwnPagesOnly() throws Exception {
    gateway = start(options);
    await(
        weir.<Object>serve(
            "work", new ServiceOptions().setDiskBytes(0), message -> Future.succeededFuture()));

    assertThat(socket("localhost", "http://localhost")).startsWith("HTTP/1.1 101 ");
    assertThat(socket("localhost", "http://evil.example")).startsWith("HTTP/1.1 403 ");
    assertThat(socket("localhost", "null")).startsWith("HTTP/1.1 403 ");
    assertThat(socket("evil.example", "http://evil.example")).startsWith("HTTP/1.1 403 ");
  }

  private int http2Status(HttpClient client, String host) throws Exception {
    HttpClientRequest request =
        await(client.request(HttpMethod.GET, gateway.port(), "127.0.0.1", OPEN));
    request.authority(HostAndPort.create(host, gateway.port()));
    return await(request.send()).statusCode();
  }

  private int status(String path, String host) throws Exception {
    return Integer.parseInt(answer(path + " HTTP/1.1", host).split(" ")[1]);
  }

  private String answer(String target, String host) throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET " + target + "\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
      return client.rest();
    }
  }

  private String socket(String host, String origin) throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send("GET " + SOCKET + "\r\nHost: " + host + "\r\nOrigin: " + origin + "\r\n\r\n");
      return client.line();
    }
  }
}
