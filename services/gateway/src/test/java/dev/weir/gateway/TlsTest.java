package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testing.TrustAll;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest extends GuardTestBase {
  /** The beginning of a ClientHello of 16 KiB. */
  private static final byte[] HALF_HELLO = {22, 3, 1, 0x40, 0, 1, 0, 0x3f, (byte) 0xfc, 3, 3};

  private static TestCertificate first;
  private static TestCertificate second;

  @TempDir Path directory;
  private TlsOptions tls;

  @BeforeAll
  static void makeCertificates(@TempDir Path directory) throws Exception {
    first = TestCertificate.of("first", directory);
    second = TestCertificate.of("second", directory);
  }

  @BeforeEach
  void writeFirst() throws Exception {
    tls =
        new TlsOptions()
            .setCertificateFile(directory.resolve("cert.pem").toString())
            .setKeyFile(directory.resolve("key.pem").toString())
            .setReloadIntervalMs(0);
    first.write(tls);
  }

  @Test
  void servesItsCertificateAndHttp2() throws Exception {
    Gateway gateway = start(new GatewayOptions().setTls(tls));

    HttpResponse<String> response =
        HttpClient.newBuilder()
            .sslContext(TrustAll.context())
            .version(HttpClient.Version.HTTP_2)
            .build()
            .send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.port() + "/none"))
                    .build(),
                HttpResponse.BodyHandlers.ofString());

    assertThat(servedName(gateway)).isEqualTo("CN=first");
    assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    assertThat(response.statusCode()).isEqualTo(404);
  }

  @Test
  void speaksNoTlsOlderThan12() throws Exception {
    Gateway gateway = start(new GatewayOptions().setTls(tls));

    for (String protocol : new String[] {"TLSv1.2", "TLSv1.3"}) {
      try (SSLSocket socket = connect(gateway, protocol)) {
        assertThat(socket.getSession().getProtocol()).isEqualTo(protocol);
      }
    }
    assertThatThrownBy(() -> connect(gateway, "TLSv1.1").close())
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  void usesNewFilesForNewConnectionsAndLeavesOpenOnesAlone() throws Exception {
    Gateway gateway = start(new GatewayOptions().setTls(tls));
    try (SSLSocket open = connect(gateway, "TLSv1.3")) {
      second.write(tls);

      assertThat(await(gateway.reload())).isTrue();

      assertThat(servedName(gateway)).isEqualTo("CN=second");
      assertThat(statusLine(open)).isEqualTo("HTTP/1.1 404 Not Found");
    }
    assertThat(await(gateway.reload())).as("nothing new").isFalse();
  }

  @Test
  @NeedsVertx50
  void closesOnAClientThatTricklesItsHeaders() throws Exception {
    GatewayOptions options =
        new GatewayOptions().setTls(tls).setLimits(new LimitOptions().setHeaderTimeoutMs(3_000));
    Gateway gateway = start(options);

    int clients = 1;
    while (!isClosedForItsHeaders(gateway)) {
      clients++;
      assertThat(clients).as("clients that are late or not closed in order").isLessThan(10);
    }
    int all = clients;
    until("each to be counted", () -> gateway.guardStats().headerTimeouts() == all);
  }

  /** Its handshake may be late, too, on a machine that stands still. */
  private static boolean isClosedForItsHeaders(Gateway gateway) throws Exception {
    try (SSLSocket socket = connect(gateway, "TLSv1.3")) {
      socket.getOutputStream().write("GET /no".getBytes(StandardCharsets.US_ASCII));
      return socket.getInputStream().read() == -1;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  @NeedsVertx50
  void countsConnectionsThatAreInTheirHandshake() throws Exception {
    Gateway gateway =
        start(new GatewayOptions().setTls(tls).setLimits(new LimitOptions().setMaxConnections(2)));

    try (RawClient silent = new RawClient(gateway.port());
        RawClient half = new RawClient(gateway.port())) {
      silent.send(new byte[0]);
      half.send(HALF_HELLO);
      until("both to be counted", () -> gateway.guardStats().connections() == 2);
      try (RawClient third = new RawClient(gateway.port())) {
        assertThat(third.isClosed()).isTrue();
      }
    }
    assertThat(gateway.guardStats().refusedConnections()).isEqualTo(1);
    until("both to be gone", () -> gateway.guardStats().connections() == 0);
    assertThat(servedName(gateway)).isEqualTo("CN=first");
  }

  @Test
  void closesOnAClientThatDoesNotEndItsHandshake() throws Exception {
    GatewayOptions options =
        new GatewayOptions().setTls(tls).setLimits(new LimitOptions().setHeaderTimeoutMs(500));
    Gateway gateway = start(options);

    try (RawClient silent = new RawClient(gateway.port());
        RawClient half = new RawClient(gateway.port())) {
      half.send(HALF_HELLO);
      assertThat(silent.isClosed()).isTrue();
      assertThat(half.isClosed()).isTrue();
    }
    until("both to be gone", () -> gateway.guardStats().connections() == 0);
    until("both to be counted", () -> gateway.guardStats().headerTimeouts() == 2);
  }

  @Test
  void closesOnAClientThatTricklesItsHandshake() throws Exception {
    GatewayOptions options =
        new GatewayOptions().setTls(tls).setLimits(new LimitOptions().setHeaderTimeoutMs(500));
    Gateway gateway = start(options);

    try (RawClient client = new RawClient(gateway.port())) {
      client.send(HALF_HELLO);
      until(
          "the connection to be closed",
          () -> {
            client.trickle();
            return gateway.guardStats().headerTimeouts() == 1;
          });
    }
  }

  @Test
  void noticesNewFilesByItself() throws Exception {
    Gateway gateway = start(new GatewayOptions().setTls(tls.setReloadIntervalMs(50)));

    second.write(tls);

    until("the new certificate", () -> servedName(gateway).equals("CN=second"));
  }

  @Test
  void keepsTheOldCertificateWhileTheNewFilesCannotBeUsed() throws Exception {
    Gateway gateway = start(new GatewayOptions().setTls(tls));

    Files.writeString(Path.of(tls.getCertificateFile()), second.certificate());
    assertThatThrownBy(() -> await(gateway.reload()))
        .hasMessageContaining("cert.pem")
        .hasMessageContaining("the key is not that of the certificate");
    assertThat(servedName(gateway)).isEqualTo("CN=first");

    Files.writeString(Path.of(tls.getCertificateFile()), "garbage");
    assertThatThrownBy(() -> await(gateway.reload())).hasMessageContaining("cert.pem");
    Files.delete(Path.of(tls.getKeyFile()));
    assertThatThrownBy(() -> await(gateway.reload())).hasMessageContaining("key.pem");
    assertThat(servedName(gateway)).isEqualTo("CN=first");

    second.write(tls);
    assertThat(await(gateway.reload())).isTrue();
    assertThat(servedName(gateway)).isEqualTo("CN=second");
  }

  @Test
  void doesNotStartWithFilesThatCannotBeUsed() throws Exception {
    Files.writeString(Path.of(tls.getKeyFile()), second.key());

    assertThatThrownBy(() -> start(new GatewayOptions().setTls(tls)))
        .hasMessageContaining("the key is not that of the certificate");
    assertThatThrownBy(
            () ->
                start(
                    new GatewayOptions()
                        .setTls(
                            new TlsOptions()
                                .setCertificateFile(tls.getCertificateFile())
                                .setReloadIntervalMs(0))))
        .hasMessageContaining("allowed is both certificateFile and keyFile or none");
  }

  private static String servedName(Gateway gateway) throws Exception {
    try (SSLSocket socket = connect(gateway, "TLSv1.3")) {
      X509Certificate served = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return served.getSubjectX500Principal().getName();
    }
  }

  private static SSLSocket connect(Gateway gateway, String protocol) throws Exception {
    SSLSocket socket =
        (SSLSocket) TrustAll.context().getSocketFactory().createSocket("127.0.0.1", gateway.port());
    socket.setSoTimeout(PATIENCE_S * 1000);
    socket.setEnabledProtocols(new String[] {protocol});
    socket.startHandshake();
    return socket;
  }

  private static String statusLine(SSLSocket socket) throws Exception {
    socket
        .getOutputStream()
        .write("GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    byte[] head = socket.getInputStream().readNBytes("HTTP/1.1 404 Not Found".length());
    return new String(head, StandardCharsets.US_ASCII);
  }
}
