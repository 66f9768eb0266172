package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Codecs of users that do what codecs of Vert.x do not. */
class OwnCodecTest extends FlowTestBase {
  private record Draft(String text) {}

  private record Order(String text) {}

  /** Sends a draft, and brings an order. */
  private static final class OrderCodec implements MessageCodec<Draft, Order> {
    private final String name;

    OrderCodec() {
      this("test.order");
    }

    OrderCodec(String name) {
      this.name = name;
    }

    @Override
    public void encodeToWire(Buffer buffer, Draft draft) {
      if (draft.text().equals("bad")) {
        throw new AssertionError("on purpose");
      }
      buffer.appendString(draft.text());
    }

    @Override
    public Order decodeFromWire(int position, Buffer buffer) {
      return new Order(buffer.getString(position, buffer.length()));
    }

    @Override
    public Order transform(Draft draft) {
      return new Order(draft.text());
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Brings bytes that are not those of the wire. */
  private static final class ShiftedBytes implements MessageCodec<byte[], byte[]> {
    @Override
    public void encodeToWire(Buffer buffer, byte[] bytes) {
      for (byte each : bytes) {
        buffer.appendByte((byte) (each + 1));
      }
    }

    @Override
    public byte[] decodeFromWire(int position, Buffer buffer) {
      byte[] bytes = buffer.getBytes(position, buffer.length());
      for (int i = 0; i < bytes.length; i++) {
        bytes[i]--;
      }
      return bytes;
    }

    @Override
    public byte[] transform(byte[] bytes) {
      return bytes.clone();
    }

    @Override
    public String name() {
      return "test.shifted";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  private Gate busy(Weir weir, ServiceOptions options) {
    Gate gate = new Gate();
    serve(weir, "orders", options, gate::handle);
    vertx.eventBus().send("orders", "first");
    Await.until("the worker is busy", () -> gate.held.size() == 1);
    return gate;
  }

  private static void openUntil(Gate gate, int messages) {
    Await.until(
        () -> "handled: " + gate.bodies,
        () -> {
          gate.openAll();
          return gate.bodies.size() == messages;
        });
    gate.openAll();
  }

  @Test
  void aBodyThatItsCodecMakesAnotherClassOfWaitsOnDisk() {
    Weir weir = weir().registerCodec(Draft.class, new OrderCodec());
    Gate gate = busy(weir, diskOnly());
    vertx.eventBus().send("orders", new Draft("spilled"));
    Futures.result("accepted", weir.send("orders", new Draft("durable"), Durability.PROCESS));
    Futures.result(
        "accepted over the bus",
        vertx
            .eventBus()
            .request(
                "weir.durable/orders",
                new Draft("over the bus"),
                new DeliveryOptions().addHeader("weir-durability", "PROCESS")));
    openUntil(gate, 4);
    // Plain sends are not ordered against durable ones.
    assertThat(gate.bodies)
        .containsExactlyInAnyOrder(
            "first", new Order("spilled"), new Order("durable"), new Order("over the bus"));
  }

  @Test
  void theNameOfACodecMayBeLong() {
    String name = "n".repeat(0xFFFF);
    Weir weir = weir().registerCodec(Draft.class, new OrderCodec(name));
    Service service = serve(weir, "orders", diskOnly(), message -> Future.succeededFuture());
    Futures.result("paused", service.pause());
    Futures.result("accepted", weir.send("orders", new Draft("durable"), Durability.PROCESS));
    Futures.result("closed", weir.close());

    Gate gate = new Gate();
    weir = weir().registerCodec(Draft.class, new OrderCodec(name));
    serve(weir, "orders", diskOnly(), gate::handle);
    openUntil(gate, 1);
    assertThat(gate.bodies).containsExactly(new Order("durable"));
  }

  @Test
  void aCodecWhoseNameIsTooLongIsRefused() {
    Weir weir = weir();
    OrderCodec codec = new OrderCodec("n".repeat(0x10000));
    assertThatThrownBy(() -> weir.registerCodec(Draft.class, codec))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the codec's name has 65536 bytes, allowed is up to 65535");
    serve(weir, "orders", diskOnly(), message -> Future.succeededFuture());
    vertx.eventBus().registerCodec(codec);
    DeliveryOptions durable =
        new DeliveryOptions().setCodecName(codec.name()).addHeader("weir-durability", "PROCESS");
    assertFailure(
        Futures.failure(
            "refused", vertx.eventBus().request("weir.durable/orders", new Draft("a"), durable)),
        FlowFailure.BAD_REQUEST);
  }

  @Test
  void bytesOfANamedCodecAreWrittenByIt() {
    Weir weir = weir();
    weir.registerCodec(byte[].class, new ShiftedBytes());
    Gate gate = busy(weir, diskOnly());
    DeliveryOptions shifted = new DeliveryOptions().setCodecName("test.shifted");
    vertx.eventBus().send("orders", new byte[] {1, 2}, shifted);
    Futures.result("accepted", weir.send("orders", new byte[] {3, 4}, Durability.PROCESS, shifted));
    openUntil(gate, 3);
    assertThat(gate.bodies)
        .containsExactlyInAnyOrder("first", new byte[] {1, 2}, new byte[] {3, 4});
  }

  @Test
  void aBodyWhoseCodecThrowsAnErrorIsRefusedByTheDurableSendAlone() {
    Weir weir = weir().registerCodec(Draft.class, new OrderCodec());
    Gate gate = busy(weir, new ServiceOptions().setWorkers(1));
    assertFailure(
        Futures.failure("durable", weir.send("orders", new Draft("bad"), Durability.PROCESS)),
        FlowFailure.BAD_REQUEST);
    // It waits in memory, where nobody has to encode it.
    Future<Message<Object>> plain = vertx.eventBus().request("orders", new Draft("bad"));
    openUntil(gate, 2);
    assertThat(gate.bodies).containsExactly("first", new Order("bad"));
    Await.until("it is answered", plain::isComplete);
  }

  @Test
  void twoWeirsOfOneVertxHaveTheSameCodec() {
    Weir first = weir(new WeirOptions().setDirectory(directory.resolve("first").toString()));
    first.registerCodec(Draft.class, new OrderCodec());
    Weir second = weir(new WeirOptions().setDirectory(directory.resolve("second").toString()));
    second.registerCodec(Draft.class, new OrderCodec());
    assertThatThrownBy(() -> second.registerCodec(Draft.class, new OrderCodec()))
        .isInstanceOf(IllegalStateException.class);
    Gate gate = busy(second, diskOnly());
    Futures.result("accepted", second.send("orders", new Draft("durable"), Durability.PROCESS));
    openUntil(gate, 2);
    assertThat(gate.bodies).containsExactly("first", new Order("durable"));
  }

  @Test
  void aWeirThatIsMadeAgainHasItsCodecsAgain() {
    Weir weir = weir().registerCodec(Draft.class, new OrderCodec());
    Service service = serve(weir, "orders", diskOnly(), message -> Future.succeededFuture());
    Futures.result("paused", service.pause());
    Futures.result("accepted", weir.send("orders", new Draft("durable"), Durability.PROCESS));
    Futures.result("closed", weir.close());

    Gate gate = new Gate();
    serve(weir().registerCodec(Draft.class, new OrderCodec()), "orders", diskOnly(), gate::handle);
    openUntil(gate, 1);
    assertThat(gate.bodies).containsExactly(new Order("durable"));
  }

  @Test
  void twoWeirsThatServeOneAddressHaveThreadsOfTheirOwn() {
    CountDownLatch both = new CountDownLatch(2);
    ServiceHandler<Object> handler =
        message -> {
          both.countDown();
          Await.until("both Weirs handle a message", () -> both.getCount() == 0);
          return Future.succeededFuture("done");
        };
    ServiceOptions onWorker = memoryOnly().setWorkers(1).setRunOn(RunOn.WORKER);
    for (int i = 0; i < 2; i++) {
      serve(weir(new WeirOptions()), "orders", onWorker, handler);
    }
    // The bus sends to both in turn.
    Future<Message<Object>> one = vertx.eventBus().request("orders", "one");
    Future<Message<Object>> other = vertx.eventBus().request("orders", "other");
    assertThat(Futures.result("one", one).body()).isEqualTo("done");
    assertThat(Futures.result("other", other).body()).isEqualTo("done");
  }
}
