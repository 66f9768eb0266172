package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReplyStreamTest extends FlowTestBase {
  private final List<Object> got = new CopyOnWriteArrayList<>();
  private final Queue<Message<Object>> unacknowledged = new ConcurrentLinkedQueue<>();
  private final List<Future<Void>> writes = new CopyOnWriteArrayList<>();

  private Future<?> handle(ServiceMessage<Object> message) {
    ReplyStream stream = ReplyStream.of(vertx, message);
    writes.add(stream.write("first"));
    writes.add(stream.write(new Object()));
    writes.add(stream.write("third"));
    writes.add(stream.end());
    return writes.get(3);
  }

  /** With one credit the reply waits for room, and with more it is sent at once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10})
  void aReplyWithoutACodecFailsAloneAndTheOthersAndTheEndAreSent(int credits) {
    vertx
        .eventBus()
        .consumer(
            "replies",
            reply -> {
              got.add(reply.headers().contains(ReplyStream.LAST) ? "end" : reply.body());
              unacknowledged.add(reply);
            });
    serve(weir(), "streams", memoryOnly(), this::handle);
    Future<Message<Object>> request =
        vertx
            .eventBus()
            .request(
                "streams",
                null,
                new DeliveryOptions()
                    .addHeader(ReplyStream.ADDRESS, "replies")
                    .addHeader(ReplyStream.CREDITS, Integer.toString(credits))
                    .addHeader(ReplyStream.TIMEOUT_MS, "60000"));
    Await.until(
        () -> "all replies come, " + got + " have",
        () -> {
          Message<Object> next = unacknowledged.poll();
          if (next != null) {
            next.reply(null);
          }
          return got.size() == 3;
        });
    assertThat(got).containsExactly("first", "third", "end");
    assertThat(Futures.failure("the write", writes.get(1)))
        .isInstanceOf(IllegalArgumentException.class);
    Futures.result("the others are written", Future.all(writes.get(0), writes.get(2)));
    Futures.result("the handler ends", request);
  }
}
