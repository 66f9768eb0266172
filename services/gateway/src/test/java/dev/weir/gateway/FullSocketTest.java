package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.WeirOptions;
import dev.weir.testing.Await;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of HTTP/2 with many requests on a connection that do not read for a while. */
@Timeout(120)
class FullSocketTest extends GatewayTestBase {
  /** The heads of their replies are more than half of what a connection writes ahead. */
  private static final int REQUESTS = 1_000;

  /** More than the buffers of both sockets, all together. */
  private static final int REPLY_BYTES = 20_000;

  private final List<Promise<Object>> waiting = new CopyOnWriteArrayList<>();

  @Override
  WeirOptions weirOptions() {
    return super.weirOptions().setHeapBytes(4L << 30);
  }

  @Test
  void repliesThatAreWrittenWhileTheSocketIsFullReachAClientThatReadsLater() throws Exception {
    Service held =
        serve(
            "held",
            memoryOnly().setWorkers(REQUESTS),
            message -> {
              Promise<Object> reply = Promise.promise();
              waiting.add(reply);
              return reply.future();
            });
    try (RawHttp2 client = new RawHttp2(gateway.port())) {
      byte[] window = ByteBuffer.allocate(4).putInt(REQUESTS * REPLY_BYTES).array();
      client.send(RawHttp2.WINDOW_UPDATE, 0, 0, window);
      for (int request = 0; request < REQUESTS; request++) {
        ask(client, 1 + 2 * request);
      }
      Await.until("all are in handling", () -> waiting.size() == REQUESTS);
      Buffer body = Buffer.buffer(new byte[REPLY_BYTES]);
      // One after the other: replies of one turn are flushed together.
      Iterator<Promise<Object>> replies = waiting.iterator();
      vertx.setPeriodic(
          1,
          timer -> {
            replies.next().complete(body);
            if (!replies.hasNext()) {
              vertx.cancelTimer(timer);
            }
          });
      Await.until("all are handled", () -> held.stats().completed() == REQUESTS);

      int ended = 0;
      while (ended < REQUESTS) {
        RawHttp2.Frame frame = client.next();
        assertThat(frame).as("a frame after %d replies", ended).isNotNull();
        ended += frame.type() == RawHttp2.DATA && frame.flags() == RawHttp2.END_STREAM ? 1 : 0;
      }
    }
  }

  private static void ask(RawHttp2 client, int stream) throws Exception {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.writeBytes(RawHttp2.header(":method", "POST"));
    block.writeBytes(RawHttp2.header(":scheme", "http"));
    block.writeBytes(RawHttp2.header(":path", "/services/held"));
    block.writeBytes(RawHttp2.header(":authority", "localhost"));
    client.send(
        RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, block.toByteArray());
  }
}
