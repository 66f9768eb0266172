package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.TrustAll;
import io.vertx.core.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that are refused while they send, and that read only after they have sent all. A server
 * that closes at once resets their connection: they cannot send, and many then discard the answer.
 */
class RefusedWhileSendingTest extends GatewayTestBase {
  /** More than the buffers of both sockets hold together. */
  private static final int MORE_BYTES = 8 << 20;

  private static final String POST = "POST /services/echo HTTP/1.1\r\nHost: localhost\r\n";

  /** A request that is refused, and as what; all of {@link #MORE_BYTES} belong to it. */
  enum Refused {
    A_BODY_THAT_IS_TOO_LONG(POST + "Content-Length: " + MORE_BYTES + "\r\n\r\n", "413"),
    CHUNKS_THAT_ARE_TOO_MANY(POST + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n", "413"),
    A_BAD_CHUNK(POST + "Transfer-Encoding: chunked\r\n\r\nnone\r\n", "400"),
    A_SECOND_HOST(POST + "Host: a\r\nContent-Length: " + MORE_BYTES + "\r\n\r\n", "400"),
    A_HEADER_THAT_IS_TOO_LONG(POST + "x: ", "431"),
    A_REQUEST_LINE_THAT_IS_TOO_LONG("GET /", "414"),
    AN_EXPECTATION(POST + "Expect: tea\r\nContent-Length: " + MORE_BYTES + "\r\n\r\n", "417"),
    A_PATH_THAT_IS_NOT_THERE(
        POST.replace("services/echo", "nothing") + "Content-Length: " + MORE_BYTES + "\r\n\r\n",
        "404");

    final String begin;
    final String status;

    Refused(String begin, String status) {
      this.begin = begin;
      this.status = status;
    }
  }

  /** A frame that is refused, and the code of the close frame that answers it. */
  enum RefusedFrame {
    TOO_LONG(new int[] {0x82, 0xff, 0, 0, 0, 0, 0x7f, 0, 0, 0, 0, 0, 0, 0}, 1009),
    NOT_MASKED(new int[] {0x82, 10}, 1002),
    WITHOUT_A_BEGINNING(new int[] {0x80, 0x80, 0, 0, 0, 0}, 1002);

    final int[] begin;
    final int code;

    RefusedFrame(int[] begin, int code) {
      this.begin = begin;
      this.code = code;
    }
  }

  @BeforeEach
  void serveEcho() {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
  }

  @ParameterizedTest
  @EnumSource
  void aClientReadsWhyItsRequestIsRefused(Refused refused) throws Exception {
    assumeTrue(refused != Refused.A_SECOND_HOST || NeedsVertx50.Build.hasVertx50());
    try (RawClient client = new RawClient(gateway.port())) {
      assertThat(answer(client, refused)).contains(" " + refused.status + " ");
    }
    awaitNoConnections(gateway);
  }

  @ParameterizedTest
  @EnumSource
  void aClientReadsTheCloseFrameThatAnswersItsFrame(RefusedFrame refused) throws Exception {
    try (RawClient client = webSocket(new RawClient(gateway.port()))) {
      client.send(bytes(refused.begin));
      sendMore(client);
      assertThat(client.rest()).as("a close frame").contains(code(refused.code));
    }
    awaitNoConnections(gateway);
  }

  @Test
  void aClientReadsTheCloseFrameThatAnswersAMessageOfTooManyFrames() throws Exception {
    try (RawClient client = webSocket(new RawClient(gateway.port()))) {
      sendFrames(client);
      assertThat(client.rest()).as("a close frame").contains(code(1009));
    }
    awaitNoConnections(gateway);
  }

  @Test
  void aClientReadsWhyItIsRefusedOverTls() throws Exception {
    TlsOptions files =
        new TlsOptions()
            .setCertificateFile(directory.resolve("cert.pem").toString())
            .setKeyFile(directory.resolve("key.pem").toString());
    TestCertificate.of("weir", directory).write(files);
    Gateway secure =
        Futures.result(
            "the secure gateway starts", Gateway.start(vertx, weir, options().setTls(files)));
    SSLContext tls = TrustAll.context();
    try (RawClient http = new RawClient(secure.port()).startTls(tls);
        RawClient socket = webSocket(new RawClient(secure.port()).startTls(tls))) {
      assertThat(answer(http, Refused.A_BAD_CHUNK)).startsWith("HTTP/1.1 400 ");
      socket.send(bytes(RefusedFrame.TOO_LONG.begin));
      sendMore(socket);
      assertThat(socket.rest()).as("a close frame").contains(code(1009));
    }
    awaitNoConnections(secure);
    Futures.result("the secure gateway closes", secure.close());
  }

  @Test
  void aClientOfHttp2ReadsWhyItsConnectionIsClosed() throws Exception {
    List<Integer> types = new ArrayList<>();
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      // A frame of data belongs to a stream.
      for (int sent = 0; sent < MORE_BYTES; sent += 1 << 14) {
        client.send(RawHttp2.DATA, 0, 0, new byte[1 << 14]);
      }
      for (RawHttp2.Frame frame = client.next(); frame != null; frame = client.next()) {
        types.add(frame.type());
      }
    }
    assertThat(types).contains(RawHttp2.GOAWAY);
    awaitNoConnections(gateway);
  }

  @Test
  void aClientThatSendsForeverIsCutOff() throws Exception {
    try (RawClient client = new RawClient(gateway.port())) {
      client.send(Refused.A_REQUEST_LINE_THAT_IS_TOO_LONG.begin);
      boolean open = true;
      while (open) {
        try {
          client.send(new byte[MORE_BYTES]);
        } catch (IOException e) {
          open = false;
        }
      }
    }
    awaitNoConnections(gateway);
  }

  private static void awaitNoConnections(Gateway of) {
    Await.until("no connection is open", () -> of.guardStats().connections() == 0);
  }

  private static String answer(RawClient client, Refused refused) throws IOException {
    client.send(refused.begin);
    sendMore(client);
    return client.rest();
  }

  private static void sendMore(RawClient client) throws IOException {
    for (int sent = 0; sent < MORE_BYTES; sent += 1 << 16) {
      client.send("x".repeat(1 << 16));
    }
  }

  /** One message. */
  private static void sendFrames(RawClient client) throws IOException {
    byte[] frame = new byte[14 + (1 << 16)];
    frame[1] = (byte) 0xff;
    frame[7] = 1;
    frame[0] = 2;
    for (int sent = 0; sent < MORE_BYTES; sent += frame.length) {
      client.send(frame);
      frame[0] = 0;
    }
  }

  private static RawClient webSocket(RawClient client) throws IOException {
    client.send(
        "GET /services/echo/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    assertThat(client.line()).startsWith("HTTP/1.1 101");
    return client;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** As it stands in a close frame, behind the byte that begins one. */
  private static String code(int code) {
    return new String(bytes(code >> 8, code), StandardCharsets.ISO_8859_1);
  }
}
