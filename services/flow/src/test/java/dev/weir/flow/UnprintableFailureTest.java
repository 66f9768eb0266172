package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** A handler fails with an exception that throws when it is asked what happened. */
class UnprintableFailureTest extends FlowTestBase {
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }
  }

  private static Future<?> handle(ServiceMessage<Object> message) {
    return message.body().equals("bad")
        ? Future.failedFuture(new Unprintable())
        : Future.succeededFuture(message.body());
  }

  private void assertItGoesOn() {
    assertThat(Futures.result("a reply", vertx.eventBus().request("picky", "good")).body())
        .isEqualTo("good");
  }

  @Test
  void aRequestThatFailsWithItIsAnsweredAndItsWorkerIsFreeAgain() {
    serve(weir(), "picky", memoryOnly().setWorkers(1), UnprintableFailureTest::handle);
    for (int i = 0; i < 3; i++) {
      assertFailure(
          Futures.failure("bad", vertx.eventBus().request("picky", "bad")),
          FlowFailure.HANDLER_FAILED);
    }
    assertItGoesOn();
  }

  @Test
  void aPlainMessageThatFailsWithItFreesItsWorker() {
    serve(weir(), "picky", memoryOnly().setWorkers(1), UnprintableFailureTest::handle);
    vertx.eventBus().send("picky", "bad");
    assertItGoesOn();
  }

  @Test
  void aDurableMessageThatFailsWithItIsADeadLetterThatNamesItsClass() {
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "picky",
            diskOnly().setMaxAttempts(2).setBackoffMs(1),
            UnprintableFailureTest::handle);
    Futures.result("accepted", weir.send("picky", "bad", Durability.PROCESS));
    Await.until(
        () -> "it is a dead letter: " + service.stats(), () -> service.stats().deadLetters() == 1);
    assertThat(Futures.result("list", service.deadLetters().list(0, 1)).get(0).reason())
        .contains(Unprintable.class.getName());
    assertItGoesOn();
  }
}
