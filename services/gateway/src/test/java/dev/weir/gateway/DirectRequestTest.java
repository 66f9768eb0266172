package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceOptions;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.RequestOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests with a query go through the router, plain ones do not. Each case is run both ways, and
 * shows that both have the same checks and limits.
 */
class DirectRequestTest extends GuardTestBase {
  private static final String PLAIN = "/services/slow";
  private static final String ROUTED = "/services/slow?routed";

  /** Answered soon, whatever the service does. */
  private static final String SOON = "Weir-Timeout-Ms: 1000\r\n";

  private static final String TOKEN = "data-0123456789abcdef";

  @TempDir Path directory;
  private final GatewayOptions options = new GatewayOptions();
  private final List<Promise<Object>> waiting = new CopyOnWriteArrayList<>();
  private Gateway gateway;

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void aRequestIsInFlightUntilItIsAnswered(String path) throws Exception {
    options.setLimits(new LimitOptions().setMaxRequestsInFlight(1));
    serve();

    try (RawClient first = new RawClient(gateway.port());
        RawClient second = new RawClient(gateway.port())) {
      first.send(post(path, "localhost", ""));
      until("the first to be in handling", () -> waiting.size() == 1);
      assertThat(gateway.guardStats().requestsInFlight()).isEqualTo(1);
      assertThat(second.send(post(path, "localhost", "")).line()).contains("503");
      waiting.get(0).complete(Buffer.buffer("done"));
      assertThat(first.line()).isEqualTo("HTTP/1.1 200 OK");
    }
    until("nothing to be in flight", () -> gateway.guardStats().requestsInFlight() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight()).isZero();
    assertThat(gateway.guardStats().rejectedRequests()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void aRequestWhoseClientIsGoneIsInFlightUntilItIsAnswered(String path) throws Exception {
    options.setLimits(new LimitOptions().setMaxRequestsInFlight(1));
    serve();

    try (RawClient client = new RawClient(gateway.port())) {
      client.send(post(path, "localhost", ""));
      until("it to be in handling", () -> waiting.size() == 1);
      client.reset();
    }
    until("its connection to be gone", () -> gateway.guardStats().connections() == 0);
    assertThat(status(path, "localhost", SOON)).contains("503");
    assertThat(waiting).as("what its service handles").hasSize(1);
    waiting.get(0).complete(Buffer.buffer("late"));
    until("nothing to be in handling", () -> gateway.inFlight() == 0);
    until("nothing to be in flight", () -> gateway.guardStats().requestsInFlight() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight()).isZero();
  }

  @Test
  void aStreamThatItsClientResetsIsInFlightUntilItIsAnswered() throws Exception {
    options.setLimits(new LimitOptions().setMaxRequestsInFlight(1));
    serve();
    HttpClient client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));

    HttpClientRequest gone = await(client.request(toSlow()));
    gone.send("body");
    until("it to be in handling", () -> waiting.size() == 1);
    gone.reset();
    // On the same connection, so the server has read the reset before.
    HttpClientRequest next = await(client.request(toSlow().putHeader("Weir-Timeout-Ms", "1000")));
    assertThat(await(next.send("body")).statusCode()).isEqualTo(503);
    waiting.get(0).complete(Buffer.buffer("late"));
    until("nothing to be in flight", () -> gateway.guardStats().requestsInFlight() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight()).isZero();
    assertThat(waiting).as("what its service has handled").hasSize(1);
  }

  private RequestOptions toSlow() {
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setHost("127.0.0.1")
        .setPort(gateway.port())
        .setURI(PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void aRequestWhoseBodyIsCutOffIsNotInFlight(String path) throws Exception {
    serve();

    try (RawClient client = new RawClient(gateway.port())) {
      client.send(post(path, "localhost", "").replace("Length: 4", "Length: 9"));
      until("it to be in flight", () -> gateway.guardStats().bodyBytesInFlight() == 4);
      client.reset();
    }
    until("nothing to be in flight", () -> gateway.guardStats().requestsInFlight() == 0);
    until("nothing to be in handling", () -> gateway.inFlight() == 0);
    assertThat(gateway.guardStats().bodyBytesInFlight()).isZero();
    assertThat(waiting).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void aTokenIsNeeded(String path) throws Exception {
    Path tokens = Files.writeString(directory.resolve("tokens"), TOKEN);
    options.setTokens(new TokenOptions().setDataTokensFile(tokens.toString()));
    serve();

    assertThat(status(path, "localhost", "")).contains("401");
    assertThat(status(path, "localhost", "Authorization: Bearer " + TOKEN + "x\r\n"))
        .contains("401");
    assertThat(status(path, "localhost", "Authorization: Basic " + TOKEN + "\r\n")).contains("401");
    String header = "Authorization: Bearer " + TOKEN + "\r\n";
    assertThat(status(path, "localhost", header + header)).contains("401");
    assertThat(gateway.guardStats().deniedRequests()).isEqualTo(4);
    assertThat(waiting).isEmpty();
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(post(path, "localhost", header));
      until("it to be in handling", () -> waiting.size() == 1);
      waiting.get(0).complete(Buffer.buffer("done"));
      assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void theHostIsCheckedForEachRequest(String path) throws Exception {
    serve();

    for (int i = 0; i < 2; i++) {
      assertThat(status(path, "evil.example", "")).contains("403");
      assertThat(status(path, "a:b:c", "")).contains("400");
      assertThat(waiting).hasSize(i);
      try (RawClient client = new RawClient(gateway.port())) {
        client.send(post(path, "localhost", ""));
        int handled = i + 1;
        until("it to be in handling", () -> waiting.size() == handled);
        waiting.get(i).complete(Buffer.buffer("done"));
        assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {PLAIN, ROUTED})
  void aPageOfAnotherOriginIsRefused(String path) throws Exception {
    serve();

    assertThat(status(path, "localhost", "Origin: http://evil.example\r\n")).contains("403");
    assertThat(waiting).isEmpty();
  }

  private void serve() throws Exception {
    await(
        weir.serve(
            "slow",
            new ServiceOptions().setDiskBytes(0),
            message -> {
              Promise<Object> answer = Promise.promise();
              waiting.add(answer);
              return answer.future();
            }));
    gateway = start(options);
  }

  /** The first line of the answer to a request that is not handled. */
  private String status(String path, String host, String headers) throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      return client.send(post(path, host, headers)).line();
    }
  }

  private static String post(String path, String host, String headers) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: "
        + host
        + "\r\nContent-Length: 4\r\n"
        + headers
        + "\r\nbody";
  }
}
