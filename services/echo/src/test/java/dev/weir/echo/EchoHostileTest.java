package dev.weir.echo;

import static dev.weir.testing.HostileClient.ascii;
import static dev.weir.testing.HostileClient.frames;
import static dev.weir.testing.HostileClient.http2;
import static dev.weir.testing.HostileClient.pipelined;
import static dev.weir.testing.HostileClient.resetPosts;
import static dev.weir.testing.HostileClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.HostileClient;
import dev.weir.testing.TestCertificates;
import dev.weir.testing.TrustAll;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that send a little and make the program hold much. The program has a small heap; it
 * refuses them, its management port answers meanwhile, and all others are told at once that it is
 * busy, or served, and served afterwards.
 */
@Tag("slow")
class EchoHostileTest {
  /** As many as fit into the range of a window. */
  private static final int WIDE = Integer.MAX_VALUE;

  /**
   * So many of the 3,000 requests of clients that leave must have come over TLS. The program
   * refuses handshakes while the machine is busy.
   */
  private static final int ENOUGH = 500;

  private static final int HANDLED = 200;
  private static final int ACCEPTED = 202;
  private static final int BUSY = 503;

  /** The head of a request that waits as long as a client may, without its last line. */
  private static final String PATIENT =
      "POST /services/"
          + Echo.TWO_WAY
          + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nWeir-Timeout-Ms: 600000\r\n";

  private static final String LONG = ",\"timeoutMs\":600000";

  interface Sender {
    void send(HostileClient client, int times) throws IOException;
  }

  interface Once {
    void send(HostileClient client) throws IOException;
  }

  enum Attack {
    HEADS_WITHOUT_END(client -> client.send(300, ascii(head(3_200)))),
    HEADS_WITHOUT_BODY(
        client -> client.send(300, ascii(head(3_190) + "Content-Length: 9\r\n\r\n"))),
    LARGE_REPLIES_UNREAD(client -> client.send(50, pipelined("/openapi.json", 100_000))),
    SMALL_REPLIES_UNREAD(client -> client.send(20, pipelined("/nowhere", 300_000))),
    REQUESTS_AHEAD(
        client ->
            client.send(
                300,
                ascii(
                    ("POST /services/echo.two-way HTTP/1.1\r\nHost: localhost\r\n"
                            + "Content-Length: 0\r\n\r\n")
                        .repeat(2_000)))),
    STREAMS_WITHOUT_WINDOW(client -> client.send(60, http2("/nowhere", 700, 0, 0))),
    STREAMS_WITH_MANY_HEADERS(client -> client.send(20, http2("/nowhere", 700, 400, 0))),
    STREAMS_UNREAD(client -> client.send(20, http2("/nowhere", 100_000, 0, WIDE))),
    LARGE_STREAMS_UNREAD(client -> client.send(20, http2("/openapi.json", 10_000, 0, WIDE))),
    SMALL_MESSAGES(client -> client.sockets(400, Echo.TWO_WAY, texts(256, ""))),
    PARTS_OF_MESSAGES(client -> client.sockets(1_000, Echo.TWO_WAY, frames(900, 60, false))),
    EMPTY_MESSAGES(client -> client.sockets(150, Echo.TWO_WAY, frames(60_000, 0, true))),
    STREAMS_OF_SOCKETS(
        client -> client.sockets(1_000, Echo.TWO_WAY, texts(32, ",\"stream\":true"))),
    ASK_AND_LEAVE(3_000, number -> ascii(PATIENT + "\r\n")),
    ASK_WITH_A_KEY_AND_LEAVE(
        3_000, number -> ascii(PATIENT + "Idempotency-Key: " + UUID.randomUUID() + "\r\n\r\n")),
    ASK_ON_A_SOCKET_AND_LEAVE(client -> client.leaveSockets(20, 150, Echo.TWO_WAY, texts(1, LONG))),
    ASK_FOR_STREAMS_AND_LEAVE(
        client -> client.leaveSockets(20, 150, Echo.TWO_WAY, texts(1, LONG + ",\"stream\":true"))),
    ASK_FOR_STREAMS_AND_CANCEL(
        client ->
            client.sockets(
                100, Echo.TWO_WAY, texts(100, LONG + ",\"stream\":true", ",\"op\":\"cancel\""))),
    ASK_AND_RESET_STREAMS(
        30,
        number ->
            resetPosts(
                "/services/" + Echo.TWO_WAY,
                100,
                stream ->
                    Map.of(
                        "weir-timeout-ms",
                        "600000",
                        stream % 2 == 0 ? "idempotency-key" : "x",
                        UUID.randomUUID().toString())));

    private final Sender sender;

    Attack(Once once) {
      this.sender =
          (client, times) -> {
            for (int i = 0; i < times; i++) {
              once.send(client);
            }
          };
    }

    /** Connections that ask and are left. */
    Attack(int connections, IntFunction<byte[]> asked) {
      this.sender = (client, times) -> client.leave(times * connections, asked);
    }

    /**
     * Whether its clients close their connections. They come faster than a program sees that they
     * have gone, so it has as many connections as it may have until then, and closes others.
     */
    boolean leaves() {
      return name().endsWith("_LEAVE") || this == ASK_AND_RESET_STREAMS;
    }
  }

  @TempDir private Path directory;
  private HttpClient http = HttpClient.newHttpClient();

  /** Null without TLS. */
  private SSLContext tls;

  @ParameterizedTest
  @EnumSource
  void survives(Attack attack) throws Exception {
    survives(attack, 1);
  }

  /** 30,000 requests, ten times as many as above. */
  @Tag("soak")
  @ParameterizedTest
  @EnumSource(names = "ASK.*", mode = EnumSource.Mode.MATCH_ALL)
  void survivesManyWhoAskAndLeave(Attack attack) throws Exception {
    survives(attack, 10);
  }

  /** 30,000 requests on 300 connections; each of the others costs a handshake, so it is 3,000. */
  @Tag("soak")
  @ParameterizedTest
  @EnumSource(names = {"ASK_AND_LEAVE", "ASK_WITH_A_KEY_AND_LEAVE", "ASK_AND_RESET_STREAMS"})
  void survivesManyWhoAskAndLeaveOverTls(Attack attack) throws Exception {
    useTls();
    survives(attack, attack == Attack.ASK_AND_RESET_STREAMS ? 10 : 1);
  }

  private void useTls() throws GeneralSecurityException {
    tls = TrustAll.context();
    http = HttpClient.newBuilder().sslContext(tls).build();
  }

  private void survives(Attack attack, int times) throws Exception {
    try (ChildJvm echo = start()) {
      int port = EchoProcess.port(echo);
      int management = EchoProcess.managementPort(echo);
      try (HostileClient client = new HostileClient(port, tls)) {
        attack.sender.send(client, times);
        assertThat(echo.isAlive()).as("%s: %s", attack, echo.lines()).isTrue();
        Await.until("it is alive during " + attack, () -> answers(management, "/health/live"));
        Await.until("it shows figures during " + attack, () -> answers(management, "/metrics"));
        Await.until(
            "all connections of clients that left are closed during " + attack,
            () -> !attack.leaves() || figure(management, "connections") == 0);
        Await.until(
            "the program says that it has read enough requests during " + attack,
            () ->
                tls == null
                    || figure(management, "requests_total")
                            + figure(management, "rejected_requests_total")
                        >= times * ENOUGH);
        assertThat(status(port, "/services/echo.events/events"))
            .as("what an honest client is told during %s", attack)
            .isIn(ACCEPTED, BUSY);
      }
      Await.until("it serves after " + attack, () -> answers(port, "/services/echo.one-way"));
      assertThat(echo.isAlive()).as("%s: %s", attack, echo.lines()).isTrue();
      echo.terminate();
      assertThat(echo.exitCode()).as("exit code; %s", echo.lines()).isZero();
    }
  }

  /** The head of a request with very many headers, without the empty line at its end. */
  private static String head(int headers) {
    return "POST /services/echo.two-way HTTP/1.1\r\nHost: localhost\r\n"
        + "a:b\r\n".repeat(headers);
  }

  private ChildJvm start() throws Exception {
    List<String> args = new ArrayList<>();
    args.add("--http-port=0");
    args.add("--drain-timeout-ms=100");
    args.add("--data=" + directory.resolve("data"));
    args.add("--set=echo.delayMs=3000");
    if (tls != null) {
      TestCertificates.Pem files = TestCertificates.make(directory, "echo");
      args.add("--set=http.tls.certificateFile=" + files.certificate());
      args.add("--set=http.tls.keyFile=" + files.key());
    }
    return EchoProcess.start(Map.of(), List.of("-Xmx64m"), args.toArray(String[]::new));
  }

  private boolean answers(int port, String path) {
    try {
      return status(port, path) == HANDLED;
    } catch (IOException e) {
      return false;
    }
  }

  /** A figure of the port of services; -1 if the program does not say it. */
  private double figure(int management, String name) {
    URI metrics = uri(management, "/metrics");
    try {
      return http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith("weir_gateway_" + name + " "))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
          .sum();
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  private URI uri(int port, String path) {
    return URI.create((tls == null ? "http" : "https") + "://127.0.0.1:" + port + path);
  }

  private int status(int port, String path) throws IOException {
    boolean service = path.startsWith("/services/");
    HttpRequest request =
        HttpRequest.newBuilder(uri(port, path))
            .timeout(Duration.ofSeconds(60))
            .method(
                service ? "POST" : "GET",
                service ? BodyPublishers.ofString("x") : BodyPublishers.noBody())
            .build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }
}
