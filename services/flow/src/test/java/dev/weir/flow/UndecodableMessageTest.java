package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Durable messages whose codec is not there, or fails, after a restart. */
class UndecodableMessageTest extends FlowTestBase {
  private static final int MESSAGES = 10;

  private final List<Object> texts =
      IntStream.range(0, MESSAGES).mapToObj(i -> (Object) new Text("text " + i)).toList();

  /** Fails for what it wrote. */
  private static final class FailingCodec extends ImmutableCodec<Text> {
    private final Text.Codec codec = new Text.Codec();

    @Override
    public String name() {
      return codec.name();
    }

    @Override
    public int sizeBytes(Text body) {
      return codec.sizeBytes(body);
    }

    @Override
    public void write(Text body, ByteBuffer out) {
      codec.write(body, out);
    }

    @Override
    public Text read(ByteBuffer in) {
      throw new StackOverflowError("on purpose");
    }
  }

  private void restart() {
    closeAll();
    weirsAreClosed();
    vertx = Vertx.vertx();
  }

  private void sendAndStop() {
    Weir weir = weir().registerCodec(Text.class, new Text.Codec());
    Service service =
        serve(weir, "texts", new ServiceOptions(), message -> Future.succeededFuture());
    Futures.result("pause", service.pause());
    for (Object text : texts) {
      Futures.result("send", weir.send("texts", text, Durability.PROCESS));
    }
    restart();
  }

  private void assertDeadLetters(Service service, String reason) {
    Await.until(
        () -> "all are dead letters: " + service.stats(),
        () -> service.stats().deadLetters() == MESSAGES);
    List<Letter> letters = Futures.result("list", service.deadLetters().list(0, MESSAGES));
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(letters.get(i).body()).isEqualTo(Buffer.buffer("text " + i));
      assertThat(letters.get(i).reason()).contains("codec test.text", reason);
    }
  }

  private void assertAllHandledOnceRequeued(Weir weir, Gate gate) {
    Service service = serve(weir, "texts", new ServiceOptions(), gate::handle);
    assertThat(Futures.result("requeue", service.deadLetters().requeueAll())).isEqualTo(MESSAGES);
    Await.until("all are handled", () -> gate.held.size() == MESSAGES);
    assertThat(gate.bodies).containsExactlyInAnyOrderElementsOf(texts);
    gate.openAll();
  }

  @Test
  void messagesWhoseCodecIsNotRegisteredAreKeptUntilItIs() {
    sendAndStop();
    for (int run = 0; run < 2; run++) {
      Gate gate = new Gate();
      Service service = serve(weir(), "texts", new ServiceOptions(), gate::handle);
      assertDeadLetters(service, "register it");
      assertThat(gate.bodies).isEmpty();
      assertThat(service.stats().failed()).isEqualTo(run == 0 ? MESSAGES : 0);
      restart();
    }
    Gate gate = new Gate();
    assertAllHandledOnceRequeued(weir().registerCodec(Text.class, new Text.Codec()), gate);
  }

  @Test
  void messagesWhoseCodecFailsAreKeptUntilItDoesNot() {
    sendAndStop();
    Gate gate = new Gate();
    Service service =
        serve(
            weir().registerCodec(Text.class, new FailingCodec()),
            "texts",
            new ServiceOptions(),
            gate::handle);
    assertDeadLetters(service, "on purpose");
    assertThat(gate.bodies).isEmpty();
    restart();
    assertAllHandledOnceRequeued(weir().registerCodec(Text.class, new Text.Codec()), gate);
  }
}
