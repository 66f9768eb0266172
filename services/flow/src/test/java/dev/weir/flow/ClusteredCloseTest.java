package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes of a clustered bus serve an address, a third one sends, and a service closes. */
@Tag("slow")
@Timeout(300)
class ClusteredCloseTest {
  private static final int NODES = 3;
  private static final int ENOUGH = 100;
  private static final int CLOSINGS = 3;

  private final List<Vertx> nodes = new ArrayList<>();

  @BeforeEach
  void startNodes() {
    String name = "weir-test-" + UUID.randomUUID();
    List<Integer> ports = FreePorts.find(NODES);
    for (int port : ports) {
      nodes.add(Futures.result("a node", TestCluster.node(name, port, ports)));
    }
  }

  @AfterEach
  void closeNodes() {
    nodes.forEach(node -> Futures.result("a node closes", node.close()));
  }

  private Service serve(int node, String reply) {
    return Futures.result(
        "a service",
        Weir.create(nodes.get(node))
            .serve("shared", new ServiceOptions(), message -> Future.succeededFuture(reply)));
  }

  private Future<Message<String>> request() {
    return nodes
        .get(NODES - 1)
        .eventBus()
        .request("shared", "a request", new DeliveryOptions().setSendTimeout(10_000));
  }

  private static boolean isOfTheService(Throwable failure) {
    return failure instanceof ReplyException reply
        && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE;
  }

  /** What was sent while a service closed and was not answered. */
  private Queue<String> lostWhileOneCloses(Service stays) {
    Service closes = serve(0, "first");
    AtomicLong sent = new AtomicLong();
    AtomicLong ended = new AtomicLong();
    Queue<String> lost = new ConcurrentLinkedQueue<>();
    Vertx sender = nodes.get(NODES - 1);
    long timer =
        sender.setPeriodic(
            1,
            tick -> {
              sent.incrementAndGet();
              request()
                  .onFailure(
                      failure -> {
                        if (!isOfTheService(failure)) {
                          lost.add(failure.toString());
                        }
                      })
                  .onComplete(done -> ended.incrementAndGet());
            });
    Await.until("both are sent to", () -> closes.stats().completed() > ENOUGH);

    Futures.result("the service closes", closes.close());

    long before = stays.stats().completed();
    Await.until("the other one is sent to", () -> stays.stats().completed() > before + ENOUGH);
    sender.cancelTimer(timer);
    Await.until("all requests have ended", () -> ended.get() == sent.get());
    return lost;
  }

  @Test
  void everyRequestIsAnsweredWhileOneOfTwoNodesClosesItsService() {
    Service stays = serve(1, "second");
    Queue<String> lost = lostWhileOneCloses(stays);
    // A machine that stands still for longer than others get to hear of it may lose one.
    for (int i = 1; i < CLOSINGS && !lost.isEmpty(); i++) {
      lost = lostWhileOneCloses(stays);
    }
    assertThat(lost).as("of the last of %d closings", CLOSINGS).isEmpty();
  }

  @Test
  void anotherConsumerOfTheNodeIsStillReachedAfterTheServiceHasClosed() {
    Service closes = serve(0, "service");
    serve(1, "service");
    MessageConsumer<Object> plain =
        nodes.get(0).eventBus().consumer("shared", message -> message.reply("consumer"));
    Futures.result("it is registered", plain.completion());

    Futures.result("the service closes", closes.close());

    Await.until(
        "the consumer is reached",
        () -> Futures.result("a reply", request()).body().equals("consumer"));
  }
}
