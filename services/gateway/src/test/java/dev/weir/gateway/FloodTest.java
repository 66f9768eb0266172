package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import io.vertx.core.Future;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Clients that send much that costs them little. */
class FloodTest extends GatewayTestBase {
  private static final int PINGS = 300_000;
  private static final int PING_BYTES = 100;

  /** A few chunks of the allocator. The pongs would be 30 MB. */
  private static final long MAX_GROWTH_BYTES = 16 << 20;

  private static final int STREAMS = 20_000;
  private static final int RST_CANCEL = 8;

  /** Of an upload of 16 MB. */
  private static final int LATE_FRAMES = 1_000;

  @Test
  void pingsOfAClientThatDoesNotReadAreNotKept() throws Exception {
    serve("echo", memoryOnly(), message -> Future.succeededFuture(message.body()));
    try (RawClient client = new RawClient(gateway.port(), 4096)) {
      client.send(
          "GET /services/echo/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
              + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
      assertThat(client.line()).startsWith("HTTP/1.1 101");
      long before = directBytes();
      byte[] ping = new byte[6 + PING_BYTES];
      ping[0] = (byte) 0x89;
      ping[1] = (byte) (0x80 | PING_BYTES);
      byte[] many = new byte[ping.length * 1_000];
      for (int i = 0; i < 1_000; i++) {
        System.arraycopy(ping, 0, many, i * ping.length, ping.length);
      }
      long most = 0;
      for (int sent = 0; sent < PINGS; sent += 1_000) {
        client.send(many);
        most = Math.max(most, directBytes() - before);
      }
      assertThat(most).as("bytes that wait for the client").isLessThan(MAX_GROWTH_BYTES);
    }
    assertThat(send(postJson("/services/echo", "{}")).statusCode()).isEqualTo(200);
  }

  @Test
  void aClientThatResetsItsStreamsAtOnceIsCutOff() throws Exception {
    byte[] head = head();
    byte[] cancel = ByteBuffer.allocate(4).putInt(RST_CANCEL).array();
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      assertThat(
              isCutOff(
                  client,
                  i -> {
                    int stream = 1 + 2 * i;
                    int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
                    client.send(RawHttp2.HEADERS, flags, stream, head);
                    client.send(RawHttp2.RST_STREAM, 0, stream, cancel);
                  }))
          .isTrue();
    }
    assertServesOn();
  }

  @Test
  void aClientThatContinuesItsHeadersWithoutEndIsCutOff() throws Exception {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_STREAM, 1, head());
      assertThat(isCutOff(client, i -> client.send(RawHttp2.CONTINUATION, 0, 1, new byte[0])))
          .isTrue();
    }
    assertServesOn();
  }

  @Test
  void dataOnItsWayToAClosedStreamDoesNotEndTheConnection() throws Exception {
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head());
      client.send(RawHttp2.RST_STREAM, 0, 1, ByteBuffer.allocate(4).putInt(RST_CANCEL).array());
      for (int i = 0; i < LATE_FRAMES; i++) {
        client.send(RawHttp2.DATA, 0, 1, new byte[10]);
      }
      int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
      client.send(RawHttp2.HEADERS, flags, 3, head());
      RawHttp2.Frame frame = client.next();
      while (frame != null && (frame.type() != RawHttp2.HEADERS || frame.stream() != 3)) {
        frame = client.next();
      }
      assertThat(frame).as("the answer to the next request").isNotNull();
    }
  }

  private interface Sender {
    void send(int i) throws IOException;
  }

  /** Sends until the server closes, and reads what it has said. */
  private static boolean isCutOff(RawHttp2 client, Sender sender) throws IOException {
    try {
      for (int i = 0; i < STREAMS; i++) {
        sender.send(i);
      }
    } catch (IOException e) {
      return true;
    }
    RawHttp2.Frame frame = client.next();
    while (frame != null && frame.type() != RawHttp2.GOAWAY) {
      frame = client.next();
    }
    return true;
  }

  private void assertServesOn() {
    assertThat(send(to("/health/live").build()).statusCode()).isEqualTo(200);
    Await.until("none in flight", () -> gateway.guardStats().requestsInFlight() == 0);
  }

  private static byte[] head() {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (String header :
        Arrays.asList(
            ":method GET", ":scheme http", ":path /health/ready", ":authority localhost")) {
      String[] parts = header.split(" ");
      block.writeBytes(RawHttp2.header(parts[0], parts[1]));
    }
    return block.toByteArray();
  }

  private static long directBytes() {
    return ((ByteBufAllocatorMetricProvider) VertxByteBufAllocator.POOLED_ALLOCATOR)
        .metric()
        .usedDirectMemory();
  }
}
