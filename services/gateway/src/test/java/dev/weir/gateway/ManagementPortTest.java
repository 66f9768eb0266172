package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Health, metrics and administration on a port of their own. */
class ManagementPortTest extends GuardTestBase {
  private static final int PROBES = 50;
  private static final List<String> MANAGEMENT =
      List.of("/health/live", "/health/ready", "/metrics", "/");

  private final GatewayOptions options = new GatewayOptions().setManagementPort(0);
  private final LimitOptions limits = new LimitOptions();
  private final Promise<Object> reply = Promise.promise();

  @Test
  void probesAreAnsweredAtTheLimitOfRequests() throws Exception {
    Gateway gateway = start(options.setLimits(limits.setMaxRequestsInFlight(3)));
    serveSlowly();
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      flood.add(new RawClient(gateway.port()).send(POST));
    }
    until("all to be in flight", () -> gateway.guardStats().requestsInFlight() == 3);

    for (int i = 0; i < PROBES; i++) {
      assertThat(status(gateway.port(), POST)).as("a request of the flood").isEqualTo("503");
      assertProbesAreAnswered(gateway);
    }

    reply.complete("done");
    for (RawClient client : flood) {
      assertThat(client.line()).endsWith("200 OK");
      client.close();
    }
  }

  @Test
  void probesAreAnsweredAtTheLimitOfConnections() throws Exception {
    Gateway gateway = start(options.setLimits(limits.setMaxConnections(3)));
    List<RawClient> flood = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      flood.add(new RawClient(gateway.port()));
    }
    until("all to be open", () -> gateway.guardStats().connections() == 3);

    for (int i = 0; i < PROBES; i++) {
      assertThat(status(gateway.port(), POST)).as("a connection of the flood").isEqualTo("none");
      assertProbesAreAnswered(gateway);
    }

    for (RawClient client : flood) {
      client.close();
    }
  }

  @Test
  void eachPortServesItsOwnRoutesOnly() throws Exception {
    Gateway gateway = start(options);
    assertThat(gateway.managementPort()).isNotEqualTo(gateway.port());
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.port(), get(path))).as(path).isEqualTo("404");
    }
    assertThat(status(gateway.port(), get("/admin/services"))).isEqualTo("404");
    assertThat(status(gateway.managementPort(), get("/admin/services"))).isEqualTo("403");
    assertThat(status(gateway.managementPort(), POST)).isEqualTo("404");
    for (int port : List.of(gateway.port(), gateway.managementPort())) {
      assertThat(status(port, get("/openapi.json"))).isEqualTo("200");
    }
  }

  @Test
  void withoutAManagementPortThePortServesAll() throws Exception {
    Gateway gateway = start(new GatewayOptions());
    assertThat(gateway.managementPort()).isEqualTo(gateway.port());
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.port(), get(path))).as(path).isEqualTo("200");
    }
  }

  @Test
  void aTakenManagementPortIsNamedAndThePortIsFreedAgain() throws Exception {
    int port = FreePorts.one();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      options.setPort(port).setManagementPort(taken.getLocalPort());
      assertThatThrownBy(() -> await(Gateway.start(vertx, weir, options)))
          .isInstanceOf(BindException.class)
          .hasMessageStartingWith(
              "port " + taken.getLocalPort() + " cannot be had on host 127.0.0.1: ");
    }
    // A selector of the JDK lets go of a closed port at its next turn only.
    Await.until("the port is free again", () -> isFree(port));
  }

  private static boolean isFree(int port) {
    try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return free.isBound();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void bothPortsCannotBeTheSame() {
    options.setPort(4711).setManagementPort(4711);
    assertThatThrownBy(() -> await(Gateway.start(vertx, weir, options)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("managementPort is 4711, which is port too");
  }

  @Test
  void programsHaveAManagementPortAboveTheirPort() {
    assertThat(ManagementPort.defaultFor(8080)).isEqualTo(9080);
    assertThat(ManagementPort.defaultFor(0)).isZero();
    assertThat(ManagementPort.defaultFor(65_000)).isEqualTo(64_000);
  }

  private static final String POST =
      "POST /services/slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Type: text/plain\r\nContent-Length: 1\r\n\r\nx";

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
  }

  private void serveSlowly() throws Exception {
    await(
        weir.<Object>serve(
            "slow", new ServiceOptions().setDiskBytes(0), message -> reply.future()));
  }

  private void assertProbesAreAnswered(Gateway gateway) throws IOException {
    for (String path : MANAGEMENT) {
      assertThat(status(gateway.managementPort(), get(path))).as(path).isEqualTo("200");
    }
  }

  /** The status of the answer, or "none" if the connection is closed without one. */
  private static String status(int port, String request) throws IOException {
    try (RawClient client = new RawClient(port)) {
      try {
        client.send(request);
      } catch (IOException e) {
        return "none";
      }
      String answer = client.rest();
      return answer.isEmpty() ? "none" : answer.split(" ")[1];
    }
  }
}
