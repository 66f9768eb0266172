package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A service and its consumers on the event bus of one Vert.x, each with a Weir of its own. */
class RemoteConsumerTest extends FlowTestBase {
  /** A lease that no test waits for. */
  private static final RemoteConsumerOptions OPTIONS = new RemoteConsumerOptions();

  /** For a consumer that must look often for its owners. */
  private static final long SHORT_LEASE_MS = 2_000;

  private final Gate gate = new Gate();

  /** Must not be named by a service, an owner or a consumer of it: they are behind the bus. */
  record Order(String item, int pieces) {}

  private Service own(Weir weir, ServiceOptions options) {
    return Futures.result("serving", weir.remote().serve("orders", options));
  }

  private RemoteConsumer consume(int credits, ServiceHandler<?> handler) {
    return consume(weir(new WeirOptions()), credits, handler);
  }

  private static RemoteConsumer consume(Weir weir, int credits, ServiceHandler<?> handler) {
    RemoteConsumerOptions options = new RemoteConsumerOptions(OPTIONS).setCredits(credits);
    RemoteConsumer consumer =
        Futures.result("consuming", weir.remote().consume("orders", options, handler));
    Await.until("the owner knows it", () -> consumer.owners() == 1);
    return consumer;
  }

  private static void send(Weir weir, String body) {
    Futures.result("accepted", weir.send("orders", body, Durability.PROCESS));
  }

  @Test
  void messagesWaitWithoutAConsumerAndAreHandledInOrderWhenOneComes() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions().setMemoryMessages(2));
    IntStream.range(0, 10).forEach(i -> vertx.eventBus().send("orders", "plain" + i));
    Await.until("they have arrived", () -> service.stats().accepted() == 10);
    IntStream.range(0, 10).forEach(i -> send(weir, "durable" + i));
    Await.until(
        "all wait",
        () -> service.stats().waitingInMemory() + service.stats().waitingOnDisk() == 20);
    assertThat(service.stats().workers()).isZero();
    assertThat(service.remoteConsumers()).isEmpty();

    List<String> handled = new CopyOnWriteArrayList<>();
    List<Integer> deliveries = new CopyOnWriteArrayList<>();
    consume(
        1,
        (ServiceMessage<String> message) -> {
          handled.add(message.body());
          deliveries.add(message.deliveryCount());
          return Future.succeededFuture();
        });
    Await.until("all are handled", () -> service.stats().completed() == 20);
    assertThat(handled.subList(0, 10))
        .containsExactlyElementsOf(IntStream.range(0, 10).mapToObj(i -> "plain" + i).toList());
    assertThat(handled.subList(10, 20))
        .containsExactlyElementsOf(IntStream.range(0, 10).mapToObj(i -> "durable" + i).toList());
    assertThat(deliveries).containsOnly(1);
    assertThat(service.stats().failed()).isZero();
    assertThat(service.stats().retried()).isZero();
  }

  @Test
  void limitsHoldWhileThereIsNoConsumer() {
    own(weir(), memoryOnly().setMemoryMessages(3));
    List<Future<Message<Object>>> requests = new ArrayList<>();
    IntStream.range(0, 4).forEach(i -> requests.add(vertx.eventBus().request("orders", "r" + i)));
    assertFailure(Futures.failure("refused", requests.get(3)), FlowFailure.SERVICE_FULL);

    consume(10, message -> Future.succeededFuture(message.body()));
    for (int i = 0; i < 3; i++) {
      assertThat(Futures.result("reply", requests.get(i)).body()).isEqualTo("r" + i);
    }
  }

  @Test
  void aConsumerNeverHasMoreMessagesThanCreditsAndTwoShareThem() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    Gate other = new Gate();
    RemoteConsumer first = consume(3, gate::handle);
    RemoteConsumer second = consume(4, other::handle);
    IntStream.range(0, 50).forEach(i -> send(weir, "m" + i));
    Await.until("the credits are used", () -> gate.held.size() + other.held.size() == 7);
    assertThat(gate.held).hasSize(3);
    assertThat(other.held).hasSize(4);
    assertThat(first.inHandling()).isEqualTo(3);
    assertThat(service.stats().workers()).isEqualTo(7);
    assertThat(service.stats().busyWorkers()).isEqualTo(7);
    assertThat(service.remoteConsumers())
        .extracting(RemoteConsumerStats::credits, RemoteConsumerStats::out)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(3, 3), org.assertj.core.groups.Tuple.tuple(4, 4));

    // As long as enough wait, each is given as many again as it has answered.
    for (int round = 2; round <= 7; round++) {
      gate.openAll();
      other.openAll();
      Await.until(
          "the credits are used again",
          () -> gate.held.size() + other.held.size() == 7 && other.held.size() == 4);
      assertThat(first.inHandling()).isEqualTo(3);
      assertThat(second.inHandling()).isEqualTo(4);
    }
    assertThat(gate.bodies).hasSize(21);
    assertThat(other.bodies).hasSize(28);
    gate.openAll();
    other.openAll();
    Await.until("the last one is out", () -> gate.held.size() + other.held.size() == 1);
    gate.openAll();
    other.openAll();
    Await.until("all are handled", () -> service.stats().completed() == 50);
    assertThat(service.remoteConsumers().stream().mapToLong(RemoteConsumerStats::answered).sum())
        .isEqualTo(50);
  }

  @Test
  void workersLimitWhatAllConsumersHaveTogether() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions().setWorkers(2));
    consume(5, gate::handle);
    IntStream.range(0, 4).forEach(i -> send(weir, "m" + i));
    Await.until("two are out", () -> gate.held.size() == 2);
    Futures.result("more workers", service.setWorkers(3));
    Await.until("three are out", () -> gate.held.size() == 3);
    assertThat(service.stats().waitingOnDisk()).isEqualTo(1);
    gate.openAll();
    Await.until("the last one is out", () -> gate.held.size() == 1);
    gate.openAll();
    Await.until("all are handled", () -> service.stats().completed() == 4);
  }

  @Test
  void aRequesterGetsReplyAndFailureOfTheConsumerAsFromAnyService() {
    own(weir(), new ServiceOptions());
    consume(
        10,
        (ServiceMessage<String> message) -> {
          assertThat(message.isRequest()).isTrue();
          return switch (message.body()) {
            case "reply" ->
                Future.succeededFuture(
                    new ServiceReply(
                        new JsonObject().put("h", message.headers().get("h")),
                        new DeliveryOptions().addHeader("r", "v")));
            case "refuse" ->
                Future.failedFuture(
                    new ReplyException(
                        io.vertx.core.eventbus.ReplyFailure.RECIPIENT_FAILURE, 409, "taken"));
            case "unsendable" -> Future.succeededFuture(new Object());
            default -> throw new IllegalStateException("broken");
          };
        });
    Message<JsonObject> reply =
        Futures.result(
            "reply",
            vertx
                .eventBus()
                .request("orders", "reply", new DeliveryOptions().addHeader("h", "there")));
    assertThat(reply.body()).isEqualTo(new JsonObject().put("h", "there"));
    assertThat(reply.headers().get("r")).isEqualTo("v");
    assertThat(reply.headers().size()).isEqualTo(1);
    assertCode("refuse", 409, "taken");
    assertCode("throw", 500, "java.lang.IllegalStateException: broken");
    assertCode("unsendable", 500, "java.lang.IllegalStateException: the reply cannot be sent: ");
  }

  private void assertCode(String body, int code, String text) {
    Throwable failure = Futures.failure(body, vertx.eventBus().request("orders", body));
    assertThat(((ReplyException) failure).failureCode()).isEqualTo(code);
    assertThat(failure).hasMessageStartingWith(text);
  }

  @Test
  void theConsumerSeesTheMessageAsALocalHandlerDoes() {
    Weir weir = weir();
    own(weir, new ServiceOptions());
    List<ServiceMessage<Object>> seen = new CopyOnWriteArrayList<>();
    consume(
        1,
        message -> {
          seen.add(message);
          return Future.succeededFuture();
        });
    Futures.result(
        "accepted",
        weir.send(
            "orders",
            "a",
            Durability.PROCESS,
            new DeliveryOptions().addHeader("h", "v"),
            MessageOptions.NONE.withId("id-1").withKey("k")));
    Await.until("it came", () -> seen.size() == 1);
    ServiceMessage<Object> message = seen.get(0);
    assertThat(message.address()).isEqualTo("orders");
    assertThat(message.body()).isEqualTo("a");
    assertThat(message.headers().entries()).hasSize(1);
    assertThat(message.headers().get("h")).isEqualTo("v");
    assertThat(message.id()).isEqualTo("id-1");
    assertThat(message.isNamed()).isTrue();
    assertThat(message.key()).isEqualTo("k");
    assertThat(message.isRequest()).isFalse();
    assertThat(message.deliveryCount()).isEqualTo(1);
  }

  @Test
  void aFailureIsTriedAgainAndBecomesADeadLetterWithItsReason() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions().setMaxAttempts(3).setBackoffMs(1));
    AtomicInteger attempts = new AtomicInteger();
    consume(
        5,
        message -> {
          attempts.incrementAndGet();
          return Future.failedFuture(
              message.body().equals("bad")
                  ? new ReplyException(
                      io.vertx.core.eventbus.ReplyFailure.RECIPIENT_FAILURE,
                      FlowFailure.BAD_REQUEST.code(),
                      "no order")
                  : new IllegalStateException("no stock"));
        });
    send(weir, "ten");
    Await.until("it is given up", () -> service.deadLetters().count() == 1);
    assertThat(attempts).hasValue(3);
    assertThat(service.stats().retried()).isEqualTo(2);
    send(weir, "bad");
    Await.until("it is refused", () -> service.deadLetters().count() == 2);
    assertThat(attempts).hasValue(4);
    assertThat(Futures.result("list", service.deadLetters().list(0, 10)))
        .extracting(ServiceDeadLetters.Letter::reason)
        .containsExactly(
            "java.lang.IllegalStateException: no stock", "(RECIPIENT_FAILURE,400) no order");
  }

  @Test
  void oneMessageOfAKeyIsOutAtATimeOverAllConsumers() {
    Weir weir = weir();
    own(weir, new ServiceOptions().setOrder(DeliveryOrder.KEY));
    Gate other = new Gate();
    consume(5, gate::handle);
    consume(5, other::handle);
    for (int i = 0; i < 5; i++) {
      for (String key : List.of("a", "b")) {
        Futures.result(
            "accepted",
            weir.send(
                "orders",
                key + i,
                Durability.PROCESS,
                new DeliveryOptions(),
                MessageOptions.NONE.withKey(key)));
      }
    }
    List<Object> handled = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Await.until("the next one", () -> !gate.held.isEmpty() || !other.held.isEmpty());
      assertThat(gate.held.size() + other.held.size()).isLessThanOrEqualTo(2);
      Gate next = gate.held.isEmpty() ? other : gate;
      handled.add(next.held.peek().message().body());
      next.open();
    }
    assertThat(handled.stream().filter(body -> body.toString().startsWith("a")))
        .containsExactly("a0", "a1", "a2", "a3", "a4");
    assertThat(handled.stream().filter(body -> body.toString().startsWith("b")))
        .containsExactly("b0", "b1", "b2", "b3", "b4");
  }

  @Test
  void closingAConsumerLetsItFinishWhatItHasAndGivesItNoMore() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    RemoteConsumer closing = consume(3, gate::handle);
    IntStream.range(0, 6).forEach(i -> send(weir, "m" + i));
    Await.until("three are out", () -> gate.held.size() == 3);

    Future<Void> closed = closing.close();
    Await.until("the owner knows", () -> service.remoteConsumers().get(0).credits() == 0);
    gate.open();
    Await.until("it is answered", () -> service.stats().completed() == 1);
    assertThat(closed.isComplete()).isFalse();
    assertThat(gate.held).hasSize(2);
    gate.openAll();
    Futures.result("closed", closed);
    assertThat(service.stats().completed()).isEqualTo(3);
    assertThat(service.remoteConsumers()).isEmpty();

    Gate next = new Gate();
    consume(3, next::handle);
    Await.until("the others have the rest", () -> next.held.size() == 3);
    assertThat(next.bodies).containsExactly("m3", "m4", "m5");
    next.openAll();
    Await.until("all", () -> service.stats().completed() == 6);
    assertThat(gate.bodies).containsExactly("m0", "m1", "m2");
  }

  @Test
  void whatAClosedConsumerHasNotFinishedGoesToTheNextOneFirstAndInOrder() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    RemoteConsumer closing = consume(3, gate::handle);
    Future<Message<Object>> request = vertx.eventBus().request("orders", "r0");
    Await.until("it is out", () -> gate.held.size() == 1);
    IntStream.range(1, 6).forEach(i -> send(weir, "m" + i));
    Await.until("three are out", () -> gate.held.size() == 3);
    Futures.result("closed", closing.close(0));
    assertThat(service.remoteConsumers()).isEmpty();

    List<Object> handled = new CopyOnWriteArrayList<>();
    consume(
        1,
        message -> {
          handled.add(message.body());
          return Future.succeededFuture("again");
        });
    assertThat(Futures.result("reply", request).body()).isEqualTo("again");
    Await.until("all", () -> service.stats().completed() == 6);
    assertThat(handled).containsExactly("r0", "m1", "m2", "m3", "m4", "m5");
    assertThat(service.stats().failed()).isZero();
    // What comes late counts for nothing.
    gate.openAll();
    send(weir, "last");
    Await.until("the last one", () -> service.stats().completed() == 7);
  }

  @Test
  void aConsumerComesBackToAServiceThatIsOpenedAgain() {
    Weir weir = weir();
    Service before = own(weir, new ServiceOptions());
    RemoteConsumer consumer =
        Futures.result(
            "consuming",
            weir(new WeirOptions())
                .remote()
                .consume(
                    "orders",
                    new RemoteConsumerOptions(OPTIONS).setLeaseMs(SHORT_LEASE_MS),
                    gate::handle));
    send(weir, "held");
    Await.until("it is out", () -> gate.held.size() == 1);
    Futures.result("closed", before.close(0));
    Await.until("the consumer knows", () -> consumer.owners() == 0);

    Service after = own(weir, new ServiceOptions());
    Await.until("the message comes again", () -> gate.held.size() == 2);
    assertThat(gate.held).extracting(held -> held.message().deliveryCount()).contains(2);
    gate.openAll();
    Await.until("it is handled", () -> after.stats().completed() == 1);
    assertThat(consumer.owners()).isEqualTo(1);
  }

  @Test
  void aServiceWithoutConsumersClosesAtOnceAndKeepsWhatWaits() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions().setDrainTimeoutMs(300_000));
    send(weir, "kept");
    Future<Message<Object>> request = vertx.eventBus().request("orders", "r");
    Await.until("both wait", () -> service.stats().accepted() == 2);
    Futures.result("closed", service.close());
    assertFailure(Futures.failure("request", request), FlowFailure.SERVICE_CLOSED);
    own(weir, new ServiceOptions());
    consume(1, gate::handle);
    Await.until("it is there", () -> gate.held.size() == 1);
    assertThat(gate.bodies).containsExactly("kept");
    gate.openAll();
  }

  @Test
  void aConsumerOfAVerticleEndsWithItAfterWhatItHas() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    Weir consuming = weir(new WeirOptions());
    String deployment =
        Futures.result(
            "deploy",
            vertx.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return consuming.remote().consume("orders", OPTIONS, gate::handle);
                  }
                }));
    send(weir, "held");
    Await.until("it is out", () -> gate.held.size() == 1);
    Future<Void> undeployed = vertx.undeploy(deployment);
    Await.until("the owner knows", () -> service.remoteConsumers().get(0).credits() == 0);
    assertThat(undeployed.isComplete()).isFalse();
    gate.openAll();
    Futures.result("undeploy", undeployed);
    Await.until("answered", () -> service.stats().completed() == 1);
    assertThat(service.remoteConsumers()).isEmpty();
  }

  @Test
  void aServiceOfAVerticleIsHandedOnByAllItsInstancesAndDrainsThroughItsConsumers() {
    Weir weir = weir();
    String deployment =
        Futures.result(
            "deploy",
            vertx.deployVerticle(
                () ->
                    new VerticleBase() {
                      @Override
                      public Future<?> start() {
                        return weir.remote().serve("orders", new ServiceOptions());
                      }
                    },
                new io.vertx.core.DeploymentOptions().setInstances(2)));
    Service service = weir.service("orders");
    consume(2, gate::handle);
    IntStream.range(0, 4).forEach(i -> send(weir, "m" + i));
    Await.until("two are out", () -> gate.held.size() == 2);
    Future<Void> undeployed = vertx.undeploy(deployment);
    Await.until(
        "all are handled",
        () -> {
          gate.openAll();
          return undeployed.isComplete();
        });
    Futures.result("undeploy", undeployed);
    assertThat(service.stats().completed()).isEqualTo(4);
    assertThat(gate.bodies).containsExactly("m0", "m1", "m2", "m3");
  }

  @Test
  void aTypedHandlerTakesAndGivesObjects() {
    own(weir(), new ServiceOptions());
    Weir consuming = weir(new WeirOptions());
    Futures.result(
        "consuming",
        consuming
            .remote()
            .consume(
                "orders",
                Order.class,
                OPTIONS,
                message ->
                    Future.succeededFuture(
                        new Order(message.body().item(), message.body().pieces() + 1))));
    Message<JsonObject> reply =
        Futures.result(
            "reply",
            vertx
                .eventBus()
                .request("orders", new JsonObject().put("item", "nail").put("pieces", 9)));
    assertThat(reply.body()).isEqualTo(new JsonObject().put("item", "nail").put("pieces", 10));
    assertCode("{}x", 400, "the body is no valid Order");
  }

  @Test
  void aConsumerGoesOnAfterAMessageThatNoOwnerHasSent() {
    List<String> hellos = new CopyOnWriteArrayList<>();
    Futures.result(
        "hears of consumers",
        vertx
            .eventBus()
            .<String>consumer("weir.remote/orders", hello -> hellos.add(hello.body()))
            .completion());
    RemoteConsumerOptions options = new RemoteConsumerOptions().setLeaseMs(500);
    Futures.result(
        "consuming", weir(new WeirOptions()).remote().consume("orders", options, gate::handle));
    Await.until("it says that it is there", () -> !hellos.isEmpty());

    vertx
        .eventBus()
        .send(hellos.get(0), null, new DeliveryOptions().addHeader("weir-remote", "message"));

    int before = hellos.size();
    Await.until("it says so again and again", () -> hellos.size() >= before + 3);
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    send(weir, "m0");
    Await.until("it handles a message", () -> gate.held.size() == 1);
    gate.openAll();
    Await.until("it is settled", () -> service.stats().completed() == 1);
  }

  @Test
  void aMistakeIsToldByItsName() {
    Weir weir = weir();
    assertThatThrownBy(() -> new RemoteConsumerOptions().setCredits(0))
        .hasMessage("credits is 0, allowed is 1 to 1000000");
    assertThatThrownBy(() -> new RemoteConsumerOptions().setLeaseMs(1))
        .hasMessage("leaseMs is 1, allowed is 500 to 3600000");
    assertThatThrownBy(() -> new RemoteConsumerOptions(new JsonObject().put("credit", 1)))
        .hasMessageContaining("credit");
    assertThat(
            Futures.failure(
                "runOn",
                weir.remote().serve("orders", new ServiceOptions().setRunOn(RunOn.WORKER))))
        .hasMessage("runOn is WORKER, allowed is EVENT_LOOP for a service of consumers elsewhere");
    assertThat(Futures.failure("blank", weir.remote().serve(" ", new ServiceOptions())))
        .hasMessage("address is blank, allowed is any other text");
    assertThat(Futures.failure("blank", weir.remote().consume(" ", OPTIONS, gate::handle)))
        .hasMessage("address is blank, allowed is any other text");
    assertThat(Futures.failure("no handler", weir.remote().consume("orders", OPTIONS, null)))
        .hasMessageContaining("handler");
    own(weir, new ServiceOptions());
    assertThat(Futures.failure("twice", weir.remote().serve("orders", new ServiceOptions())))
        .hasMessage("address orders is served already");
    Futures.result("closed", weir.close());
    assertThat(Futures.failure("closed", weir.remote().consume("orders", OPTIONS, gate::handle)))
        .hasMessage("this Weir is closed");
  }

  @Test
  void twoOwnersOfOneAddressShareTheCreditsOfAConsumer() {
    Weir first = weir();
    Weir second = weir(new WeirOptions().setDirectory(directory.resolve("second").toString()));
    List<Service> services =
        List.of(own(first, new ServiceOptions()), own(second, new ServiceOptions()));
    RemoteConsumer consumer =
        Futures.result(
            "consuming",
            weir(new WeirOptions())
                .remote()
                .consume(
                    "orders",
                    new RemoteConsumerOptions(OPTIONS).setCredits(4).setLeaseMs(2 * SHORT_LEASE_MS),
                    gate::handle));
    Await.until(
        "each owner has its share",
        () -> services.stream().allMatch(service -> service.stats().workers() == 2));
    IntStream.range(0, 20).forEach(i -> send(i < 10 ? first : second, "m" + i));
    Await.until("the credits are used", () -> gate.held.size() == 4);
    assertThat(services).extracting(service -> service.stats().busyWorkers()).containsOnly(2);
    Await.until(
        "all are handled",
        () -> {
          assertThat(consumer.inHandling()).isLessThanOrEqualTo(4);
          gate.openAll();
          return services.stream().allMatch(service -> service.stats().completed() == 10);
        });
    assertThat(gate.bodies).hasSize(20).doesNotHaveDuplicates();

    Futures.result("one closes", services.get(0).close());
    Await.until("the other has all", () -> services.get(1).stats().workers() == 4);
  }

  @Test
  void consumersThatComeAndGoLeaveNothingBehind() {
    Weir weir = weir();
    Service service = own(weir, new ServiceOptions());
    Weir consuming = weir(new WeirOptions());
    for (int i = 0; i < 50; i++) {
      RemoteConsumer consumer =
          consume(consuming, 2, message -> Future.succeededFuture(message.body()));
      assertThat(Futures.result("reply", vertx.eventBus().request("orders", i)).body())
          .isEqualTo(i);
      Futures.result("closed", consumer.close());
    }
    assertThat(service.remoteConsumers()).isEmpty();
    assertThat(service.stats().completed()).isEqualTo(50);
    RemoteConsumer last = consume(consuming, 2, gate::handle);
    Futures.result("vert.x closes", consuming.close());
    assertThat(last.owners()).isEqualTo(1);
    assertThat(service.remoteConsumers()).isEmpty();
  }
}
