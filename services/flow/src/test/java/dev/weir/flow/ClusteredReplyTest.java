package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.impl.Requester;
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
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service on one node of a clustered bus, the requester on another, and both on the same. */
@Tag("slow")
class ClusteredReplyTest extends FlowTestBase {
  private static final int TIME_MS = 100;

  /** The nodes are those of all tests: they take a second and more to start and to leave. */
  private static Vertx server;

  private static Vertx requester;
  private final Gate gate = new Gate();
  private Weir weir;
  private Service service;

  @BeforeAll
  static void startCluster() {
    String name = "weir-test-" + UUID.randomUUID();
    List<Integer> ports = FreePorts.find(2);
    server = Futures.result("a node", TestCluster.node(name, ports.get(0), ports));
    requester = Futures.result("a node", TestCluster.node(name, ports.get(1), ports));
  }

  @AfterAll
  static void stopCluster() {
    Futures.result("the requester closes", requester.close());
    Futures.result("the server closes", server.close());
  }

  @BeforeEach
  void serveRemote() {
    Futures.result("the single node closes", vertx.close());
    vertx = server;
    weir = weir();
    service = serve(weir, "remote", diskOnly().setWriteThrough(true), gate::handle);
    Await.until("the address is known to the other node", this::answers);
  }

  private boolean answers() {
    Future<Message<Object>> hello = requester.eventBus().request("remote", "hello");
    Await.until("an answer or a failure", () -> hello.isComplete() || !gate.held.isEmpty());
    if (hello.isComplete()) {
      return false;
    }
    gate.open();
    gate.bodies.clear();
    Futures.result("hello", hello);
    return true;
  }

  @AfterEach
  void endHandling() {
    gate.openAll();
  }

  @Override
  void closeVertx() {
    // Its Weirs are closed, and the next test uses it.
  }

  private void spilledRequestsAreAnswered(Vertx from) {
    List<Future<Message<Object>>> replies = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      replies.add(
          from.eventBus().request("remote", "m" + i, new DeliveryOptions().addHeader("n", "" + i)));
    }
    Await.until("all but the first wait on disk", () -> service.stats().waitingOnDisk() == 19);
    for (int i = 0; i < 20; i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      assertThat(gate.held.peek().message().headers().get("n")).isEqualTo("" + i);
      gate.open();
      assertThat(Futures.result("reply", replies.get(i)).body()).isEqualTo("m" + i);
    }
  }

  @Test
  void aRequestFromAnotherNodeIsAnsweredFromDisk() {
    spilledRequestsAreAnswered(requester);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestOfAnotherNodeThatNamesItsTimeIsNotHandledAfterIt(int memoryMessages) {
    Gate slow = new Gate();
    Service slowService =
        serve(weir, "slow", diskOnly().setMemoryMessages(memoryMessages), slow::handle);
    Weir remote = Weir.create(requester);
    Await.until("the address is known to the other node", () -> answers(slow));
    DeliveryOptions shortTime = new DeliveryOptions().setSendTimeout(TIME_MS);
    requester.eventBus().request("slow", "held");
    Await.until("the worker is busy", () -> !slow.held.isEmpty());
    Throwable given = Futures.failure("given up", remote.request("slow", "named", shortTime));
    assertThat(((ReplyException) given).failureType()).isEqualTo(ReplyFailure.TIMEOUT);
    Futures.failure("given up", requester.eventBus().request("slow", "plain", shortTime));
    Future<Message<Object>> fresh = remote.request("slow", "fresh", new DeliveryOptions());

    Await.until(
        "all wait",
        () -> slowService.stats().waitingInMemory() + slowService.stats().waitingOnDisk() == 3);
    // The service counts the time from when the request came, which may be just now.
    long allWaitNs = System.nanoTime();
    Await.until(
        "the time of the named one is over there too",
        () -> System.nanoTime() - allWaitNs > TimeUnit.MILLISECONDS.toNanos(TIME_MS + 20));
    Await.until(
        "all are handled",
        () -> {
          slow.openAll();
          return fresh.isComplete();
        });
    assertThat(slow.bodies).containsExactly("held", "plain", "fresh");
    assertThat(slowService.stats().expired()).isEqualTo(1);
    Futures.result("remote closes", remote.close());
  }

  /** Prints what docs/architecture/flow.md has. */
  @Tag("soak")
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatRequestsCostThatNobodyWaitsFor(boolean named) {
    int all = 200;
    AtomicInteger handled = new AtomicInteger();
    serve(
        weir,
        "slow",
        memoryOnly().setWorkers(1),
        message -> {
          handled.incrementAndGet();
          return server.timer(20, TimeUnit.MILLISECONDS).map("done");
        });
    Weir remote = Weir.create(requester);
    Await.until(
        "the address is known to the other node",
        () -> {
          Future<?> hello = requester.eventBus().request("slow", "hello");
          Await.until("an end", hello::isComplete);
          return hello.succeeded();
        });
    handled.set(0);
    DeliveryOptions impatient = new DeliveryOptions().setSendTimeout(500);
    for (int i = 0; i < all; i++) {
      if (named) {
        remote.request("slow", i, impatient);
      } else {
        requester.eventBus().request("slow", i, impatient);
      }
    }
    long startNs = System.nanoTime();

    Futures.result("a fresh one", remote.request("slow", "fresh", new DeliveryOptions()));

    long waitedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
    System.out.printf("named %s: handled %d, waited %d ms%n", named, handled.get() - 1, waitedMs);
    if (named) {
      assertThat(handled).hasValueLessThan(all);
    } else {
      assertThat(handled).hasValue(all + 1);
    }
    Futures.result("remote closes", remote.close());
  }

  private boolean answers(Gate other) {
    Future<Message<Object>> hello = requester.eventBus().request("slow", "hello");
    Await.until("an answer or a failure", () -> hello.isComplete() || !other.held.isEmpty());
    other.openAll();
    other.bodies.clear();
    Await.until("an end", hello::isComplete);
    return hello.succeeded();
  }

  @Test
  void aRequestFromTheSameNodeIsAnsweredFromDisk() {
    spilledRequestsAreAnswered(vertx);
  }

  @Test
  void makesNoObjectOfWhatAnotherNodeHasSerialized() {
    requester.eventBus().serializableChecker(className -> true);
    SerializationTest.Gadget.MADE.set(0);
    Object gadget = new SerializationTest.Gadget();

    Throwable cause = Futures.failure("refused", requester.eventBus().request("remote", gadget));

    assertFailure(cause, FlowFailure.BAD_REQUEST);
    assertThat(SerializationTest.Gadget.MADE).hasValue(0);
  }

  /** Writes, and does not read what another node wrote. */
  private static final class OneWayCodec implements MessageCodec<Text, Text> {
    @Override
    public void encodeToWire(Buffer wire, Text body) {
      wire.appendString(body.value());
    }

    @Override
    public Text decodeFromWire(int position, Buffer wire) {
      throw new StackOverflowError("on purpose");
    }

    @Override
    public Text transform(Text body) {
      return body;
    }

    @Override
    public String name() {
      return "test.one-way";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestOfAnotherNodeWhoseBodyCannotBeDecodedOnArrivalIsAnsweredAtOnce(int memoryMessages) {
    Gate slow = new Gate();
    Service slowService =
        serve(weir, "slow", diskOnly().setMemoryMessages(memoryMessages), slow::handle);
    Await.until("the address is known to the other node", () -> answers(slow));
    OneWayCodec codec = new OneWayCodec();
    for (Vertx node : List.of(server, requester)) {
      node.eventBus().registerCodec(codec);
    }
    try {
      requester.eventBus().request("slow", "held");
      Await.until("the worker is busy", () -> !slow.held.isEmpty());
      DeliveryOptions oneWay = new DeliveryOptions().setCodecName(codec.name());

      Throwable cause =
          Futures.failure("refused", requester.eventBus().request("slow", new Text("a"), oneWay));

      assertFailure(cause, FlowFailure.BAD_REQUEST);
      Await.until("it is counted", () -> slowService.stats().rejected() == 1);
      slow.openAll();
      Await.until("the next one is answered", () -> answers(slow));
    } finally {
      for (Vertx node : List.of(server, requester)) {
        node.eventBus().unregisterCodec(codec.name());
      }
    }
  }

  @Test
  void aFailureReachesTheOtherNodeWithItsCode() {
    requester.eventBus().request("remote", "busy");
    Await.until("the worker is busy", () -> !gate.held.isEmpty());
    Future<Message<Object>> waiting = requester.eventBus().request("remote", "waits");
    Await.until("it waits on disk", () -> service.stats().waitingOnDisk() == 1);
    Futures.result("close", service.close(0));
    assertFailure(Futures.failure("request", waiting), FlowFailure.SERVICE_CLOSED);
  }

  @Test
  void aDurableSendFromAnotherNodeCompletesWhenItIsDurable() {
    Weir remote = Weir.create(requester);
    Futures.result(
        "accepted",
        remote.send(
            "remote", "kept", Durability.PROCESS, new DeliveryOptions().addHeader("h", "v")));
    Await.until("started", () -> !gate.held.isEmpty());
    assertThat(gate.held.peek().message().headers().get("h")).isEqualTo("v");
    assertThat(gate.held.peek().message().headers().size()).isEqualTo(1);
    assertThat(gate.bodies).containsExactly("kept");
    gate.open();
    Await.until("completed", () -> service.stats().waitingOnDisk() == 0);
    Futures.result("remote closes", remote.close());
  }

  @Test
  void theWayToReplyDoesNotHoldTheBodyOfTheRequest() {
    for (Vertx from : List.of(requester, vertx)) {
      List<WeakReference<Object>> messages = new CopyOnWriteArrayList<>();
      List<Requester> requesters = new CopyOnWriteArrayList<>();
      String address = "holder-" + (from == vertx);
      Futures.result(
          "consumer",
          vertx
              .eventBus()
              .consumer(
                  address,
                  message -> {
                    messages.add(new WeakReference<>(message));
                    messages.add(new WeakReference<>(message.body()));
                    requesters.add(Requester.light(vertx.eventBus(), message));
                  })
              .completion());
      List<Future<Message<Object>>> replies = new ArrayList<>();
      Await.until(
          "the request arrives",
          () -> {
            if (requesters.isEmpty() && replies.stream().allMatch(Future::failed)) {
              replies.add(from.eventBus().request(address, Buffer.buffer(new byte[1 << 20])));
            }
            return !requesters.isEmpty();
          });
      Await.until(
          "message and body are garbage",
          () -> {
            System.gc();
            return messages.stream().allMatch(reference -> reference.get() == null);
          });
      requesters.get(0).reply("answered", null);
      Await.until("answered", () -> replies.stream().anyMatch(Future::succeeded));
    }
  }
}
