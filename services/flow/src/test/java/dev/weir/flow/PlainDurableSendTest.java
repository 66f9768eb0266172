package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Durable sends of which one has nobody who waits for the outcome, or one who throws at it. */
class PlainDurableSendTest extends FlowTestBase {
  private static final int MESSAGES = 200;

  private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();

  private static DeliveryOptions durable() {
    return new DeliveryOptions().addHeader("weir-durability", "PROCESS");
  }

  @Test
  void aSendWithoutAReplyToTheDurableAddressIsKeptAndHandled() {
    vertx.exceptionHandler(uncaught::add);
    Gate gate = new Gate();
    serve(weir(), "plain", new ServiceOptions().setWorkers(MESSAGES), gate::handle);
    for (int i = 0; i < MESSAGES; i++) {
      vertx.eventBus().send("weir.durable/plain", i, durable());
    }
    Await.until("all are in hand", () -> gate.held.size() == MESSAGES);
    gate.openAll();
    assertThat(uncaught).isEmpty();
  }

  @Test
  void aRefusedSendWithoutAReplyThrowsNothing() {
    vertx.exceptionHandler(uncaught::add);
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, "none", memoryOnly(), gate::handle);
    vertx.eventBus().send("weir.durable/none", "lost", durable());
    // Comes behind it on the same way.
    assertFailure(
        Futures.failure("not durable", vertx.eventBus().request("weir.durable/none", 1, durable())),
        FlowFailure.NOT_DURABLE);
    assertThat(uncaught).isEmpty();
  }

  @Test
  void aSenderThatThrowsAtItsOutcomeDoesNotKeepTheOthersWaiting() throws Exception {
    Weir weir = weir();
    serve(weir, "many", new ServiceOptions(), message -> Future.succeededFuture());
    // All from one event loop, so that one task tells many outcomes.
    Future<List<Future<Void>>> sent =
        Future.future(
            promise ->
                vertx
                    .getOrCreateContext()
                    .runOnContext(
                        ignored -> {
                          List<Future<Void>> all = new ArrayList<>();
                          for (int i = 0; i < MESSAGES; i++) {
                            Future<Void> one = weir.send("many", i, Durability.PROCESS);
                            one.onComplete(
                                (result, failure) -> {
                                  throw new IllegalStateException("on purpose");
                                });
                            all.add(one);
                          }
                          promise.complete(all);
                        }));
    for (Future<Void> one : Futures.result("sent", sent)) {
      one.toCompletionStage().toCompletableFuture().get(Await.DEADLINE_S, TimeUnit.SECONDS);
    }
  }
}
