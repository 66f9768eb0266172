package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTest extends FlowTestBase {
  private static final String ORDERS = "orders";
  private static final String BILLING = Topic.subscriber(ORDERS, "billing");
  private static final String SHIPPING = Topic.subscriber(ORDERS, "shipping");

  /** What a subscriber has got, as body and id. */
  private static final class Got implements ServiceHandler<Object> {
    final List<String> messages = Collections.synchronizedList(new ArrayList<>());

    @Override
    public Future<?> handle(ServiceMessage<Object> message) {
      messages.add(message.body() + " " + message.id());
      return Future.succeededFuture();
    }
  }

  private static TopicOptions twoSubscribers() {
    return new TopicOptions().setSubscribers(List.of("billing", "shipping"));
  }

  private Topic open(Weir weir) {
    return Futures.result("opening the topic", weir.topic(ORDERS, twoSubscribers()));
  }

  private String publish(Weir weir, Object body, String id) {
    return Futures.result(
        "publishing", weir.sendWithId(ORDERS, body, Durability.PROCESS, new DeliveryOptions(), id));
  }

  @Test
  void everySubscriberGetsEachMessageInOrderWithTheSameId() {
    Weir weir = weir();
    Got billing = new Got();
    Got shipping = new Got();
    Topic topic = open(weir);
    assertThat(topic.address()).isEqualTo(ORDERS);
    assertThat(topic.subscribers()).containsExactly("billing", "shipping");
    serve(weir, BILLING, diskOnly(), billing);
    serve(weir, SHIPPING, diskOnly(), shipping);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      expected.add(i + " " + publish(weir, i, i % 2 == 0 ? null : "id-" + i));
    }
    Await.until("billing has all", () -> billing.messages.size() == 100);
    Await.until("shipping has all", () -> shipping.messages.size() == 100);
    assertThat(billing.messages).isEqualTo(expected);
    assertThat(shipping.messages).isEqualTo(expected);
  }

  @Test
  void subscribersDoNotShareABodyThatMayBeChanged() {
    Weir weir = weir();
    open(weir);
    List<Object> bodies = Collections.synchronizedList(new ArrayList<>());
    ServiceHandler<JsonObject> changing =
        message -> {
          bodies.add(message.body().copy());
          message.body().put("seen", true);
          return Future.succeededFuture();
        };
    serve(weir, BILLING, new ServiceOptions(), changing);
    serve(weir, SHIPPING, new ServiceOptions(), changing);
    publish(weir, new JsonObject().put("order", 17), null);
    Await.until("both have it", () -> bodies.size() == 2);
    assertThat(bodies).containsOnly(new JsonObject().put("order", 17));
  }

  @Test
  void headersReachEverySubscriber() {
    Weir weir = weir();
    open(weir);
    List<String> seen = Collections.synchronizedList(new ArrayList<>());
    ServiceHandler<Object> reading =
        message -> {
          seen.add(message.headers().get("a") + " " + message.key());
          assertThat(message.headers().contains("weir-durability")).isFalse();
          return Future.succeededFuture();
        };
    serve(weir, BILLING, new ServiceOptions(), reading);
    serve(weir, SHIPPING, new ServiceOptions(), reading);
    DeliveryOptions options =
        new DeliveryOptions().addHeader("a", "b").addHeader(ServiceMessage.KEY, "k");
    Futures.result("publishing", weir.send(ORDERS, "x", Durability.MACHINE, options));
    Await.until("both have it", () -> seen.size() == 2);
    assertThat(seen).containsOnly("b k");
  }

  @Test
  void nobodyHasAMessageThatIsPublishedWhileOneIsNotServed() {
    Weir weir = weir();
    open(weir);
    Got billing = new Got();
    serve(weir, BILLING, new ServiceOptions(), billing);
    Throwable failure =
        Futures.failure("publishing", weir.send(ORDERS, "early", Durability.PROCESS));
    assertFailure(failure, FlowFailure.SERVICE_CLOSED);
    assertThat(failure).hasMessageContaining("subscriber shipping of topic orders is not served");
    Got shipping = new Got();
    serve(weir, SHIPPING, new ServiceOptions(), shipping);
    publish(weir, "late", "late");
    Await.until("both have it", () -> billing.messages.size() + shipping.messages.size() == 2);
    assertThat(billing.messages).containsExactly("late late");
  }

  @Test
  void nobodyHasAMessageWhileOneHasNoDiskTier() {
    Weir weir = weir();
    open(weir);
    Got billing = new Got();
    serve(weir, BILLING, new ServiceOptions(), billing);
    Service plain = serve(weir, SHIPPING, memoryOnly(), new Got());
    assertFailure(
        Futures.failure("publishing", weir.send(ORDERS, "early", Durability.PROCESS)),
        FlowFailure.NOT_DURABLE);
    Futures.result("close", plain.close());
    serve(weir, SHIPPING, new ServiceOptions(), new Got());
    publish(weir, "late", "late");
    Await.until("billing has it", () -> billing.messages.contains("late late"));
    assertThat(billing.messages).containsExactly("late late");
  }

  @Test
  void whatOneRefusedReachesItWhenItIsPublishedAgainAndNoOtherTwice() {
    Weir weir = weir();
    open(weir);
    Got billing = new Got();
    Got shipping = new Got();
    serve(weir, BILLING, diskOnly(), billing);
    Service full =
        serve(
            weir, SHIPPING, diskOnly().setDiskBytes(1 << 20).setMaxMessageBytes(1 << 19), shipping);
    Futures.result("pause", full.pause());
    Buffer body = Buffer.buffer(new byte[300_000]);
    int accepted = 0;
    Throwable refused = null;
    while (refused == null) {
      Future<String> sent =
          weir.sendWithId(
              ORDERS, body, Durability.PROCESS, new DeliveryOptions(), "id-" + accepted);
      Await.until("it has an outcome", sent::isComplete);
      refused = sent.cause();
      accepted += sent.succeeded() ? 1 : 0;
    }
    assertFailure(refused, FlowFailure.SERVICE_FULL);
    int more = accepted + 1;
    Await.until("billing has the refused one too", () -> billing.messages.size() == more);
    Futures.result("resume", full.resume());
    Await.until("shipping has room", () -> full.stats().completed() == more - 1);
    publish(weir, body, "id-" + accepted);
    Await.until("shipping has it", () -> shipping.messages.size() == more);
    publish(weir, "mark", "mark");
    Await.until("billing is done", () -> billing.messages.contains("mark mark"));
    assertThat(billing.messages).hasSize(more + 1).doesNotHaveDuplicates();
  }

  @Test
  void eachSubscriberGoesOnWhereItWasAfterARestart() {
    Got billing = new Got();
    Weir first = weir();
    open(first);
    serve(first, BILLING, diskOnly(), billing);
    Gate gate = new Gate();
    serve(first, SHIPPING, diskOnly().setDrainTimeoutMs(0), gate::handle);
    publish(first, "a", "a");
    publish(first, "b", "b");
    Await.until("billing is done", () -> billing.messages.size() == 2);
    Futures.result("close", first.close());
    Weir second = weir();
    open(second);
    Got shipping = new Got();
    serve(second, BILLING, diskOnly(), billing);
    serve(second, SHIPPING, diskOnly(), shipping);
    Await.until("shipping has both", () -> shipping.messages.size() == 2);
    assertThat(shipping.messages).containsExactly("a a", "b b");
    publish(second, "b", "b");
    publish(second, "c", "c");
    Await.until("billing has the new one", () -> billing.messages.contains("c c"));
    assertThat(billing.messages).containsExactly("a a", "b b", "c c");
  }

  @Test
  void aTopicEndsWithItsVerticleAndItsAddressIsFreeThen() {
    Weir weir = weir();
    serve(weir, BILLING, new ServiceOptions(), new Got());
    serve(weir, SHIPPING, new ServiceOptions(), new Got());
    String id =
        Futures.result(
            "deploy",
            vertx.deployVerticle(
                new VerticleBase() {
                  @Override
                  public Future<?> start() {
                    return weir.topic(ORDERS, twoSubscribers());
                  }
                }));
    publish(weir, "x", null);
    assertThat(Futures.failure("a second one", weir.topic(ORDERS, twoSubscribers())))
        .hasMessage("address orders is a topic");
    assertThat(Futures.failure("a service", weir.serve(ORDERS, new ServiceOptions(), new Got())))
        .hasMessage("address orders is a topic");
    Futures.result("undeploy", vertx.undeploy(id));
    Futures.failure("nobody", weir.send(ORDERS, "y", Durability.PROCESS));
    Topic again = open(weir);
    Futures.result("close", again.close());
    Futures.result("close again", again.close());
    serve(weir, ORDERS, new ServiceOptions(), new Got());
    assertThat(Futures.failure("a topic", weir.topic(ORDERS, twoSubscribers())))
        .hasMessage("address orders is served already");
  }

  @Test
  void namesAreChecked() {
    assertThat(Futures.failure("none", weir().topic(ORDERS, new TopicOptions())))
        .hasMessage("subscribers is empty, allowed is at least one");
    for (List<String> bad : List.of(List.of("a.b"), List.of(" "), List.of("a", "a"))) {
      assertThatThrownBy(() -> new TopicOptions().setSubscribers(bad))
          .hasMessageContaining("allowed are names without a dot, each once");
      assertThatThrownBy(() -> new TopicOptions(new JsonObject().put("subscribers", bad)))
          .hasMessageContaining("allowed are names without a dot, each once");
    }
    assertThat(new TopicOptions(twoSubscribers().toJson()).getSubscribers())
        .containsExactly("billing", "shipping");
  }
}
