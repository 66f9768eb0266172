package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageCodec;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service on one node of a clustered bus, its consumer on another. */
@Tag("slow")
class RemoteClusterTest extends FlowTestBase {
  private static final RemoteConsumerOptions OPTIONS =
      new RemoteConsumerOptions().setLeaseMs(2_000);

  /** The nodes are those of all tests: they take a second and more to start and to leave. */
  private static Vertx owning;

  private static Vertx consuming;

  record Draft(String text) {}

  record Order(String text) {}

  /** A name that is not the default of its class, so that the bus must be told it. */
  private static class DraftCodec implements MessageCodec<Draft, Draft> {
    @Override
    public void encodeToWire(Buffer buffer, Draft draft) {
      buffer.appendString(draft.text());
    }

    @Override
    public Draft decodeFromWire(int position, Buffer buffer) {
      return new Draft(buffer.getString(position, buffer.length()));
    }

    @Override
    public Draft transform(Draft draft) {
      return draft;
    }

    @Override
    public String name() {
      return "test.draft";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Brings another class than it sends. */
  private static final class OrderCodec implements MessageCodec<Draft, Order> {
    @Override
    public void encodeToWire(Buffer buffer, Draft draft) {
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
      return "test.order";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  /** Known to the owner alone. */
  private static final class SecretCodec extends DraftCodec {
    @Override
    public String name() {
      return "test.secret";
    }
  }

  @BeforeAll
  static void startCluster() {
    String name = "weir-test-" + UUID.randomUUID();
    List<Integer> ports = FreePorts.find(2);
    owning = Futures.result("a node", TestCluster.node(name, ports.get(0), ports));
    consuming = Futures.result("a node", TestCluster.node(name, ports.get(1), ports));
    for (Vertx node : List.of(owning, consuming)) {
      node.eventBus().registerCodec(new DraftCodec());
      node.eventBus().registerCodec(new OrderCodec());
    }
  }

  @AfterAll
  static void stopCluster() {
    Futures.result("the consumer closes", consuming.close());
    Futures.result("the owner closes", owning.close());
  }

  private Weir weir;
  private Service service;
  private Weir consumers;

  @BeforeEach
  void own() {
    Futures.result("the single node closes", vertx.close());
    vertx = consuming;
    consumers = weir(new WeirOptions());
    vertx = owning;
    ServiceOptions options = new ServiceOptions().setMaxAttempts(1);
    weir = weir();
    service = Futures.result("serving", weir.remote().serve("orders", options));
  }

  @Override
  void closeVertx() {
    // Its Weirs are closed, and the next test uses it.
  }

  private RemoteConsumer consume(ServiceHandler<Object> handler) {
    RemoteConsumer consumer =
        Futures.result("consuming", consumers.remote().consume("orders", OPTIONS, handler));
    Await.until("the owner knows it", () -> service.remoteConsumers().size() == 1);
    return consumer;
  }

  private static DeliveryOptions codec(String name) {
    return new DeliveryOptions().setCodecName(name);
  }

  @Test
  void bodiesAndRepliesTravelByTheCodecsOfTheBus() {
    consume(
        message ->
            Future.succeededFuture(
                message.body() instanceof Draft draft
                    ? new ServiceReply(new Draft(draft.text() + "!"), codec("test.draft"))
                    : message.body()));
    Message<Draft> reply =
        Futures.result(
            "own codec", owning.eventBus().request("orders", new Draft("a"), codec("test.draft")));
    assertThat(reply.body()).isEqualTo(new Draft("a!"));
    Buffer large = Buffer.buffer(new byte[1 << 20]);
    assertThat(Futures.result("large", owning.eventBus().request("orders", large)).body())
        .isEqualTo(large);
  }

  @Test
  void aMessageThatNoConsumerCanReadBecomesADeadLetterAndOthersGoOn() {
    List<Object> handled = new CopyOnWriteArrayList<>();
    consume(
        message -> {
          handled.add(message.body());
          return Future.succeededFuture();
        });
    weir.registerCodec(Draft.class, new SecretCodec());
    Futures.result("accepted", weir.send("orders", new Draft("a"), Durability.PROCESS));
    Futures.result("accepted", weir.send("orders", "b", Durability.PROCESS));
    Await.until("a dead letter", () -> service.deadLetters().count() == 1);
    assertThat(Futures.result("list", service.deadLetters().list(0, 1)).get(0).reason())
        .startsWith("did not arrive at consumer ");
    Await.until("the other one", () -> handled.contains("b"));
  }

  private record Plan(String text) {}

  /** Has no heap to decode some bodies. */
  private static final class ExhaustedCodec implements MessageCodec<Plan, Plan> {
    private final AtomicInteger left;

    ExhaustedCodec(int times) {
      left = new AtomicInteger(times);
    }

    @Override
    public void encodeToWire(Buffer buffer, Plan plan) {
      buffer.appendString(plan.text());
    }

    @Override
    public Plan decodeFromWire(int position, Buffer buffer) {
      if (left.getAndDecrement() > 0) {
        throw new OutOfMemoryError("for this test");
      }
      return new Plan(buffer.getString(position, buffer.length()));
    }

    @Override
    public Plan transform(Plan plan) {
      return plan;
    }

    @Override
    public String name() {
      return "test.exhausted";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  @Test
  void aMessageThatTheConsumerHasNoHeapToReadIsTriedAgain() {
    Futures.result("closed", service.close());
    ServiceOptions options = new ServiceOptions().setMaxAttempts(3).setBackoffMs(1);
    service = Futures.result("serving", weir.remote().serve("orders", options));
    weir.registerCodec(Plan.class, new ExhaustedCodec(0));
    consumers.registerCodec(Plan.class, new ExhaustedCodec(1));
    List<Object> handled = new CopyOnWriteArrayList<>();
    consume(
        message -> {
          handled.add(message.body());
          return Future.succeededFuture();
        });
    Futures.result("accepted", weir.send("orders", new Plan("a"), Durability.PROCESS));
    Await.until(() -> "it is handled: " + service.stats(), () -> !handled.isEmpty());
    assertThat(handled).containsExactly(new Plan("a"));
    assertThat(service.stats().deadLetters()).isZero();
  }

  @Test
  void aBodyThatItsCodecCannotWriteAgainIsRefusedAtOnce() {
    consume(message -> Future.succeededFuture());
    Throwable refused =
        Futures.failure(
            "refused", owning.eventBus().request("orders", new Draft("a"), codec("test.order")));
    assertFailure(refused, FlowFailure.BAD_REQUEST);
    assertThat(refused).hasMessageContaining("cannot be handed on");
  }

  @Test
  void aClosedConsumerIsGoneAndTheNextOneTakesOver() {
    RemoteConsumer first = consume(message -> Future.succeededFuture("first"));
    assertThat(Futures.result("reply", owning.eventBus().request("orders", "a")).body())
        .isEqualTo("first");
    Futures.result("closed", first.close());
    assertThat(service.remoteConsumers()).isEmpty();
    Future<Message<Object>> waiting = owning.eventBus().request("orders", "b");
    Await.until("it waits", () -> service.stats().waitingInMemory() == 1);
    consume(message -> Future.succeededFuture("second"));
    assertThat(Futures.result("reply", waiting).body()).isEqualTo("second");
  }
}
