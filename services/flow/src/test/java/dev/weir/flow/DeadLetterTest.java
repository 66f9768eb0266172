package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeadLetterTest extends FlowTestBase {
  private static ServiceOptions retrying() {
    return new ServiceOptions().setMaxAttempts(3).setBackoffMs(1);
  }

  @Test
  void aDurableMessageIsTriedAgainAndThenADeadLetter() {
    AtomicInteger attempts = new AtomicInteger();
    AtomicBoolean broken = new AtomicBoolean(true);
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "orders",
            retrying(),
            message -> {
              attempts.incrementAndGet();
              return broken.get()
                  ? Future.failedFuture(new IllegalStateException("no stock"))
                  : Future.succeededFuture();
            });
    Futures.result(
        "send",
        weir.send(
            "orders",
            Buffer.buffer("ten"),
            Durability.PROCESS,
            new DeliveryOptions().addHeader("from", "me")));
    Await.until("it is given up", () -> service.deadLetters().count() == 1);
    assertThat(attempts).hasValue(3);
    assertThat(service.stats().retried()).isEqualTo(2);
    List<ServiceDeadLetters.Letter> letters =
        Futures.result("list", service.deadLetters().list(0, 10));
    ServiceDeadLetters.Letter letter = letters.get(0);
    assertThat(letter.body()).isEqualTo(Buffer.buffer("ten"));
    assertThat(letter.headers().get("from")).isEqualTo("me");
    assertThat(letter.reason()).contains("no stock");
    assertThat(letter.deliveries()).isEqualTo(3);

    broken.set(false);
    assertThat(Futures.result("requeue", service.deadLetters().requeue(letter.number()))).isTrue();
    Await.until("it succeeds", () -> service.stats().completed() == 1);
    assertThat(service.deadLetters().count()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {101, Delivery.MAX_COUNT})
  void aMessageHasAsManyAttemptsAsItsServiceSaysAlsoMoreThanAHundred(int maxAttempts) {
    AtomicInteger attempts = new AtomicInteger();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "orders",
            new ServiceOptions().setMaxAttempts(maxAttempts).setBackoffMs(0).setMaxBackoffMs(0),
            message -> {
              attempts.incrementAndGet();
              return Future.failedFuture("no stock");
            });
    Futures.result("send", weir.send("orders", "ten", Durability.PROCESS));
    Await.until(
        () -> "it is given up: " + service.stats(), () -> service.deadLetters().count() == 1);
    assertThat(attempts).hasValue(maxAttempts);
  }

  @Test
  void aBodyThatItsCodecEncodesIsTriedAgainAsWell() {
    JsonObject order = new JsonObject().put("pieces", 10);
    AtomicInteger attempts = new AtomicInteger();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "orders",
            retrying(),
            message -> {
              attempts.incrementAndGet();
              ((JsonObject) message.body()).put("seen", true);
              return Future.failedFuture("no stock");
            });
    Futures.result("send", weir.send("orders", order, Durability.PROCESS));
    Await.until("it is given up", () -> service.deadLetters().count() == 1);
    assertThat(attempts).hasValue(3);
    assertThat(Futures.result("list", service.deadLetters().list(0, 10)).get(0).body())
        .isEqualTo(order);
  }

  @Test
  void aRetryDoesNotHoldUpTheMessagesBehindIt() {
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "orders",
            retrying().setBackoffMs(3_600_000).setMaxBackoffMs(3_600_000),
            message ->
                "bad".equals(message.body())
                    ? Future.failedFuture("bad")
                    : Future.succeededFuture());
    for (String body : List.of("bad", "good", "good")) {
      Futures.result("send", weir.send("orders", body, Durability.PROCESS));
    }
    Await.until("the others are done", () -> service.stats().completed() == 2);
    Await.until("one is scheduled", () -> service.stats().scheduled() == 1);
  }

  @Test
  void aServiceWithoutADiskTierHasNone() {
    Service service = serve(weir(), "orders", memoryOnly(), message -> Future.succeededFuture());
    ServiceDeadLetters letters = service.deadLetters();
    assertThat(letters.count()).isZero();
    assertThat(Futures.result("list", letters.list(0, 10))).isEmpty();
    assertThat(Futures.result("requeue", letters.requeueAll())).isZero();
    assertThat(Futures.result("purge", letters.purgeAll())).isZero();
  }
}
