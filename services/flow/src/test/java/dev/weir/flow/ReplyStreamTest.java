package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
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
    Future<Message<Object>> request = request(credits);
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

  @Test
  void repliesThatAWorkerThreadWritesComeInOrder() {
    int all = 20_000;
    List<Object> numbers = new ArrayList<>();
    Promise<Void> ended = Promise.promise();
    vertx
        .eventBus()
        .consumer(
            "replies",
            reply -> {
              reply.reply(null);
              if (reply.headers().contains(ReplyStream.LAST)) {
                ended.complete();
              } else {
                numbers.add(reply.body());
              }
            });
    serve(
        weir(),
        "streams",
        memoryOnly().setRunOn(RunOn.WORKER),
        message -> {
          ReplyStream stream = ReplyStream.of(vertx, message);
          AtomicInteger ahead = new AtomicInteger();
          for (int i = 0; i < all; i++) {
            ahead.incrementAndGet();
            stream.write(i).onComplete(written -> ahead.decrementAndGet());
            // So that this thread adds replies as long as the event loop sends some.
            while (ahead.get() > 200 && got.isEmpty()) {
              Thread.onSpinWait();
            }
          }
          return stream.end();
        });
    Future<Message<Object>> request = request(64);
    request.onFailure(got::add);
    Futures.result("the stream ends", ended.future());
    assertThat(numbers).isEqualTo(IntStream.range(0, all).boxed().toList());
    Futures.result("the handler ends", request);
  }

  private Future<Message<Object>> request(int credits) {
    return vertx
        .eventBus()
        .request(
            "streams",
            null,
            new DeliveryOptions()
                .addHeader(ReplyStream.ADDRESS, "replies")
                .addHeader(ReplyStream.CREDITS, Integer.toString(credits))
                .addHeader(ReplyStream.TIMEOUT_MS, "60000"));
  }
}
