package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.MessageConsumer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a service does with consumers that die, are cut off, or lose messages and answers. */
class RemoteOwnerTest extends FlowTestBase {
  /** Over soon, but not before a consumer has what it is given, on a busy machine. */
  private static final long SHORT_MS = 1_000;

  private static final long LONG_MS = 600_000;

  /** A consumer that says and does what a test wants, in the words of the protocol. */
  private final class Puppet {
    final String address = "weir.remote/orders/consumer-" + UUID.randomUUID();
    final List<Message<Object>> got = new CopyOnWriteArrayList<>();
    final MessageConsumer<Object> bus = vertx.eventBus().consumer(address, this::onMessage);
    volatile String owner;

    /** Joins with credits. */
    Puppet(int credits, long leaseMs) {
      Futures.result("registered", bus.completion());
      vertx.eventBus().publish("weir.remote/orders", address);
      Await.until("invited", () -> owner != null);
      renew(credits, leaseMs, List.of());
    }

    private void onMessage(Message<Object> message) {
      if (message.headers().get("weir-remote").equals("invite")) {
        owner = message.headers().get("weir-remote-owner");
      } else {
        got.add(message);
      }
    }

    void renew(int credits, long leaseMs, List<Long> held) {
      Futures.result("renewed", say(renewal(credits, leaseMs, held)));
    }

    JsonObject renewal(int credits, long leaseMs, List<Long> held) {
      return new JsonObject()
          .put("consumer", address)
          .put("name", "puppet")
          .put("credits", credits)
          .put("leaseMs", leaseMs)
          .put("held", new JsonArray(held))
          .put("upTo", got.isEmpty() ? 0 : number(got.size() - 1))
          .put("leaving", false);
    }

    Future<Message<Object>> say(JsonObject renewal) {
      return vertx
          .eventBus()
          .request(owner, renewal, new DeliveryOptions().addHeader("weir-remote", "renewal"));
    }

    void answer(int index, String outcome) {
      vertx
          .eventBus()
          .send(
              owner,
              null,
              new DeliveryOptions()
                  .addHeader("weir-remote", "answer")
                  .addHeader("weir-remote-consumer", address)
                  .addHeader("weir-remote-number", Long.toString(number(index)))
                  .addHeader("weir-remote-outcome", outcome));
    }

    long number(int index) {
      return Long.parseLong(got.get(index).headers().get("weir-remote-number"));
    }

    List<Object> bodies() {
      return got.stream().map(Message::body).toList();
    }

    String deliveryCount(int index) {
      return got.get(index).headers().get("weir-remote-delivery");
    }

    void awaitMessages(int count) {
      Await.until(() -> count + " messages, not " + bodies(), () -> got.size() >= count);
      assertThat(got).hasSize(count);
    }
  }

  private Weir weir;
  private Service service;

  private void own(ServiceOptions options) {
    weir = weir();
    service = Futures.result("serving", weir.remote().serve("orders", options));
  }

  /** Not by the number of workers, which may still be that of before the consumer came. */
  private void awaitLost() {
    Await.until("the lease is over", () -> service.remoteConsumers().isEmpty());
  }

  private void send(int count) {
    IntStream.range(0, count)
        .forEach(i -> Futures.result("accepted", weir.send("orders", "m" + i, Durability.PROCESS)));
  }

  @Test
  void whatAConsumerWithoutASignOfLifeHasGoesToTheNextOneFirstAndInOrder() {
    own(new ServiceOptions());
    send(5);
    Puppet dead = new Puppet(3, SHORT_MS);
    dead.awaitMessages(3);
    awaitLost();
    Await.until("it offers nothing any more", () -> service.stats().workers() == 0);
    assertThat(service.stats().busyWorkers()).isEqualTo(3);

    Puppet next = new Puppet(5, LONG_MS);
    next.awaitMessages(5);
    assertThat(next.bodies()).containsExactly("m0", "m1", "m2", "m3", "m4");
    assertThat(next.deliveryCount(0)).isEqualTo("2");
    assertThat(next.deliveryCount(3)).isEqualTo("1");
    IntStream.range(0, 5).forEach(i -> next.answer(i, "handled"));
    dead.answer(0, "handled");
    Await.until("all are settled", () -> service.stats().completed() == 5);
    assertThat(service.stats().failed()).isZero();
    Await.until("no worker is busy", () -> service.stats().busyWorkers() == 0);
  }

  @Test
  void theThirdConsumerThatIsLostWithAMessageIsAFailedAttempt() {
    own(new ServiceOptions().setMaxAttempts(1));
    send(1);
    for (int i = 1; i <= 3; i++) {
      Puppet dying = new Puppet(1, SHORT_MS);
      dying.awaitMessages(1);
      assertThat(dying.deliveryCount(0)).isEqualTo("" + i);
      awaitLost();
    }
    Await.until("a dead letter", () -> service.deadLetters().count() == 1);
    assertThat(Futures.result("list", service.deadLetters().list(0, 1)).get(0).reason())
        .isEqualTo("consumer puppet was lost with it, as others were before");
  }

  @Test
  void aMessageWithWhichTwoConsumersWereLostIsAloneAtTheThird() {
    own(new ServiceOptions());
    send(3);
    for (int i = 1; i <= 2; i++) {
      Puppet dying = new Puppet(3, SHORT_MS);
      dying.awaitMessages(3);
      awaitLost();
    }
    Puppet third = new Puppet(3, LONG_MS);
    send(1);
    for (int i = 0; i < 3; i++) {
      third.awaitMessages(i + 1);
      third.renew(3, LONG_MS, List.of(third.number(i)));
      assertThat(third.got).hasSize(i + 1);
      third.answer(i, "handled");
    }
    third.awaitMessages(4);
    third.answer(3, "handled");
    Await.until("all are settled", () -> service.stats().completed() == 4);
  }

  @Test
  void aMessageThatDidNotArriveOrWhoseAnswerWasLostGoesOutAgain() {
    own(new ServiceOptions());
    Puppet puppet = new Puppet(2, LONG_MS);
    send(2);
    puppet.awaitMessages(2);
    for (int i = 0; i < 3; i++) {
      assertThat(puppet.got).hasSize(2);
      puppet.renew(2, LONG_MS, List.of(puppet.number(1)));
    }
    puppet.awaitMessages(3);
    assertThat(puppet.bodies()).containsExactly("m0", "m1", "m0");
    assertThat(puppet.deliveryCount(2)).isEqualTo("2");
    puppet.answer(1, "handled");
    puppet.answer(2, "handled");
    Await.until("both are settled", () -> service.stats().completed() == 2);
  }

  @Test
  void renewalsThatWereSentBeforeAMessageDoNotMissIt() {
    own(new ServiceOptions());
    Puppet puppet = new Puppet(2, LONG_MS);
    JsonObject early = puppet.renewal(2, LONG_MS, List.of());
    send(1);
    puppet.awaitMessages(1);
    for (int i = 0; i < 5; i++) {
      Futures.result("renewed", puppet.say(early));
    }
    puppet.answer(0, "handled");
    Await.until("settled", () -> service.stats().completed() == 1);
    assertThat(puppet.got).hasSize(1);
  }

  @Test
  void aConsumerThatHasGoneSilentIsInvitedAgainBeforeItsLeaseIsOver() {
    own(new ServiceOptions());
    Puppet puppet = new Puppet(2, 3_000);
    puppet.owner = null;
    Await.until(
        "invited while the owner knows it",
        () -> {
          if (puppet.owner != null && service.remoteConsumers().isEmpty()) {
            // The machine stood still for the rest of the lease.
            puppet.renew(2, 3_000, List.of());
            puppet.owner = null;
          }
          vertx.eventBus().publish("weir.remote/orders", puppet.address);
          return puppet.owner != null && service.remoteConsumers().size() == 1;
        });
  }

  @Test
  void aConsumerThatGivesAMessageBackGetsTheNextOneAfterItsNextSign() {
    own(new ServiceOptions());
    Puppet puppet = new Puppet(2, LONG_MS);
    send(1);
    puppet.awaitMessages(1);
    puppet.answer(0, "back");
    Await.until("it is back", () -> service.stats().workers() == 0);
    assertThat(puppet.got).hasSize(1);
    puppet.renew(2, LONG_MS, List.of());
    puppet.awaitMessages(2);
    assertThat(puppet.deliveryCount(1)).isEqualTo("1");
    puppet.answer(1, "handled");
    Await.until("settled", () -> service.stats().completed() == 1);
  }

  @Test
  void whatAConsumerThatWasCutOffStillHasUsesUpItsCredits() {
    own(new ServiceOptions());
    send(3);
    Puppet puppet = new Puppet(2, SHORT_MS);
    puppet.awaitMessages(2);
    awaitLost();
    puppet.renew(2, LONG_MS, List.of(puppet.number(0), puppet.number(1)));
    assertThat(puppet.got).hasSize(2);
    assertThat(service.stats().workers()).isZero();

    puppet.answer(0, "handled");
    puppet.awaitMessages(3);
    assertThat(puppet.bodies()).containsExactly("m0", "m1", "m0");
    puppet.answer(1, "handled");
    puppet.awaitMessages(4);
    assertThat(puppet.got.get(3).body()).isEqualTo("m1");
    puppet.answer(2, "handled");
    puppet.answer(3, "handled");
    puppet.awaitMessages(5);
    puppet.answer(4, "handled");
    Await.until("all are settled", () -> service.stats().completed() == 3);
  }

  @Test
  void aRequestWhoseRequesterHasGivenUpDoesNotGoToTheNextConsumer() {
    own(new ServiceOptions());
    Puppet leaving = new Puppet(2, LONG_MS);
    Future<Message<Object>> givenUp =
        vertx.eventBus().request("orders", "short", new DeliveryOptions().setSendTimeout(3_000));
    Future<Message<Object>> waiting = vertx.eventBus().request("orders", "long");
    leaving.awaitMessages(2);
    Futures.failure("given up", givenUp);
    Futures.result(
        "left", leaving.say(leaving.renewal(2, LONG_MS, List.of()).put("leaving", true)));
    Puppet next = new Puppet(2, LONG_MS);
    next.awaitMessages(1);
    assertThat(next.bodies()).containsExactly("long");
    next.answer(0, "handled");
    assertThat(Futures.result("reply", waiting).body()).isNull();
    // The reply is on its way before the worker is free.
    Await.until("no worker is busy", () -> service.stats().busyWorkers() == 0);
  }

  @Test
  void whatIsNoneOfTheProtocolIsRefusedOrIgnored() {
    own(new ServiceOptions());
    vertx.eventBus().publish("weir.remote/orders", new JsonObject());
    vertx.eventBus().publish("weir.remote/orders", "orders");
    Puppet puppet = new Puppet(1, LONG_MS);
    for (JsonObject renewal :
        List.of(
            new JsonObject(),
            new JsonObject()
                .put("consumer", puppet.address)
                .put("credits", "many")
                .put("held", new JsonArray()))) {
      assertFailure(Futures.failure("refused", puppet.say(renewal)), FlowFailure.BAD_REQUEST);
    }
    send(1);
    puppet.awaitMessages(1);
    DeliveryOptions answer = new DeliveryOptions().addHeader("weir-remote", "answer");
    vertx.eventBus().send(puppet.owner, null, answer);
    vertx
        .eventBus()
        .send(
            puppet.owner,
            null,
            new DeliveryOptions(answer)
                .addHeader("weir-remote-consumer", puppet.address)
                .addHeader("weir-remote-number", "x"));
    puppet.answer(0, "handled");
    Await.until("settled", () -> service.stats().completed() == 1);
  }

  @Test
  void aFailureWhoseCodeIsNoNumberEndsItsMessageAndTheNextOneIsHandled() {
    own(new ServiceOptions().setWorkers(1).setMaxAttempts(1));
    Puppet puppet = new Puppet(1, LONG_MS);
    send(2);
    puppet.awaitMessages(1);
    vertx
        .eventBus()
        .send(
            puppet.owner,
            null,
            new DeliveryOptions()
                .addHeader("weir-remote", "answer")
                .addHeader("weir-remote-consumer", puppet.address)
                .addHeader("weir-remote-number", Long.toString(puppet.number(0)))
                .addHeader("weir-remote-outcome", "failed")
                .addHeader("weir-remote-code", "x"));
    puppet.awaitMessages(2);
    puppet.answer(1, "handled");
    Await.until("settled", () -> service.stats().completed() == 1);
    assertThat(service.stats().failed()).isEqualTo(1);
  }

  @Test
  void aConsumerThatIsNotThereIsLeftAloneUntilItsLeaseEnds() {
    own(new ServiceOptions());
    Puppet silent = new Puppet(5, LONG_MS);
    Futures.result("unregistered", silent.bus.unregister());
    send(2);
    Await.until("it could not be reached", () -> service.remoteConsumers().get(0).out() == 0);
    Puppet next = new Puppet(5, LONG_MS);
    next.awaitMessages(2);
    assertThat(next.bodies()).containsExactly("m0", "m1");
    assertThat(next.deliveryCount(0)).isEqualTo("1");
    next.answer(0, "handled");
    next.answer(1, "handled");
    Await.until("settled", () -> service.stats().completed() == 2);
  }
}
