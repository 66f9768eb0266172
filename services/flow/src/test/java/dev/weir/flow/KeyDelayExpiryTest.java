package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyDelayExpiryTest extends FlowTestBase {
  /** A Weir that does not serve the address sends over the bus. */
  private Weir sender(Weir serving, boolean overTheBus) {
    return overTheBus ? weir(new WeirOptions()) : serving;
  }

  private static DeliveryOptions with(String header, Object value) {
    return new DeliveryOptions().addHeader(header, String.valueOf(value));
  }

  private static void send(Weir from, String body, DeliveryOptions options) {
    Futures.result("accepted", from.send("timed", body, Durability.PROCESS, options));
  }

  /** What all started messages have waited for a worker, by the service's figures. */
  private static long waitedMs(Service service) {
    return TimeUnit.NANOSECONDS.toMillis(service.stats().waitedNsTotal());
  }

  @Test
  void aDelayIsNoWaitForAWorker() {
    Weir weir = weir();
    AtomicLong handledAtMs = new AtomicLong();
    Service service =
        serve(
            weir,
            "timed",
            new ServiceOptions(),
            message -> {
              handledAtMs.set(System.currentTimeMillis());
              return Future.succeededFuture();
            });
    long sentAtMs = System.currentTimeMillis();
    send(weir, "later", with(ServiceMessage.DELAY_MS, 700));
    Await.until("it is handled", () -> service.stats().completed() == 1);
    assertThat(waitedMs(service)).isLessThanOrEqualTo(handledAtMs.get() - sentAtMs - 700);
  }

  @Test
  void theTimeAsADeadLetterIsNoWaitForAWorker() {
    Weir weir = weir();
    AtomicLong handledAtMs = new AtomicLong();
    Service service =
        serve(
            weir,
            "timed",
            new ServiceOptions().setMaxAttempts(1),
            message ->
                handledAtMs.getAndSet(System.currentTimeMillis()) == 0
                    ? Future.failedFuture("not yet")
                    : Future.succeededFuture());
    long sentAtMs = System.currentTimeMillis();
    send(weir, "dies", new DeliveryOptions());
    Await.until("it is dead", () -> service.deadLetters().count() == 1);
    long firstMs = waitedMs(service);
    Await.until("it was dead for a time", () -> System.currentTimeMillis() > sentAtMs + 1000);
    long requeuedAtMs = System.currentTimeMillis();
    Futures.result("requeued", service.deadLetters().requeueAll());
    Await.until("it is handled", () -> service.stats().completed() == 1);
    // The clock of the store and that of the day are rounded apart.
    assertThat(waitedMs(service) - firstMs)
        .isLessThanOrEqualTo(handledAtMs.get() - requeuedAtMs + 50);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesOfOneKeyAreHandledInTurnAndThoseOfOthersGoOn(boolean overTheBus) {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, "timed", new ServiceOptions().setOrder(DeliveryOrder.KEY), gate::handle);
    Weir from = sender(weir, overTheBus);
    send(from, "a1", with(ServiceMessage.KEY, "a"));
    send(from, "a2", with(ServiceMessage.KEY, "a"));
    Futures.result(
        "accepted",
        from.send(
            "timed",
            "b1",
            Durability.PROCESS,
            new DeliveryOptions(),
            MessageOptions.NONE.withKey("b")));
    Await.until("the first of each key has started", () -> gate.held.size() == 2);
    assertThat(gate.held).extracting(held -> held.message().key()).containsExactly("a", "b");
    assertThat(gate.bodies).containsExactly("a1", "b1");
    gate.open();
    Await.until("the next of the key has started", () -> gate.bodies.contains("a2"));
    gate.openAll();
  }

  @Test
  void aMessageThatIsTriedAgainKeepsThoseOfItsKeyBehindIt() {
    List<String> handled = new CopyOnWriteArrayList<>();
    AtomicBoolean failed = new AtomicBoolean();
    Weir weir = weir();
    serve(
        weir,
        "timed",
        new ServiceOptions().setOrder(DeliveryOrder.KEY).setBackoffMs(20),
        (ServiceMessage<String> message) -> {
          if (message.body().equals("a1") && failed.compareAndSet(false, true)) {
            return Future.failedFuture("not yet");
          }
          handled.add(message.body());
          return Future.succeededFuture();
        });
    send(weir, "a1", with(ServiceMessage.KEY, "a"));
    send(weir, "a2", with(ServiceMessage.KEY, "a"));
    Await.until("both are handled", () -> handled.size() == 2);
    assertThat(handled).containsExactly("a1", "a2");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aDelayedMessageIsDeliveredWhenItsTimeHasComeAlsoAfterARestart(boolean overTheBus) {
    Weir before = weir();
    Gate early = new Gate();
    Service service = serve(before, "timed", new ServiceOptions(), early::handle);
    long sentNs = System.nanoTime();
    send(sender(before, overTheBus), "later", with(ServiceMessage.DELAY_MS, 1_500));
    // Its time has come already, if the machine stood still.
    Await.until(
        "it waits for its time", () -> service.stats().scheduled() == 1 || !early.held.isEmpty());
    Futures.result("closed", service.close(0));
    Futures.result("closed", before.close());

    Gate gate = new Gate();
    serve(weir(), "timed", new ServiceOptions(), gate::handle);
    Await.until("it is delivered", () -> !gate.held.isEmpty());
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sentNs))
        .isGreaterThanOrEqualTo(1_490);
    gate.openAll();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aMessageIsRemovedAndCountedWhenItExpiresBeforeItIsHandled(boolean overTheBus) {
    expires(overTheBus, diskOnly(), with(ServiceMessage.EXPIRES_IN_MS, 50), new DeliveryOptions());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDelayOfTheServiceIsThatOfAMessageThatNamesNone(boolean overTheBus) {
    Gate gate = new Gate();
    Weir weir = weir();
    Service service =
        serve(weir, "timed", new ServiceOptions().setDelayMs(3_600_000), gate::handle);
    Weir from = sender(weir, overTheBus);
    long beforeMs = System.currentTimeMillis();
    send(from, "default", new DeliveryOptions());
    send(from, "own", with(ServiceMessage.DELAY_MS, 7_000_000));
    long afterMs = System.currentTimeMillis();
    send(from, "now", with(ServiceMessage.DELAY_MS, 1));
    Await.until("it is handled", () -> gate.bodies.contains("now"));

    List<ServiceWaitingMessages.Waiting> waiting =
        Futures.result("listed", service.waitingMessages().list(0, 2));
    assertThat(waiting.get(0).dueAtMs()).isBetween(beforeMs + 3_600_000, afterMs + 3_600_000);
    assertThat(waiting.get(1).dueAtMs()).isBetween(beforeMs + 7_000_000, afterMs + 7_000_000);
    gate.openAll();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theExpiryOfTheServiceIsThatOfAMessageThatNamesNone(boolean overTheBus) {
    expires(
        overTheBus,
        diskOnly().setExpiresInMs(50),
        new DeliveryOptions(),
        with(ServiceMessage.EXPIRES_IN_MS, 3_600_000));
  }

  /** Of three messages the second one expires after 50 ms, while the first one is handled. */
  private void expires(
      boolean overTheBus, ServiceOptions options, DeliveryOptions stale, DeliveryOptions others) {
    Gate gate = new Gate();
    Weir weir = weir();
    Service service = serve(weir, "timed", options, gate::handle);
    Weir from = sender(weir, overTheBus);
    send(from, "first", others);
    Await.until("the worker is busy", () -> gate.held.size() == 1);
    send(from, "stale", stale);
    long acceptedNs = System.nanoTime();
    send(from, "last", others);
    Await.until(
        "its time is over",
        () -> System.nanoTime() - acceptedNs > TimeUnit.MILLISECONDS.toNanos(60));
    gate.open();
    Await.until("the next one has started", () -> gate.held.size() == 1);
    assertThat(gate.bodies).containsExactly("first", "last");
    assertThat(service.queueStats().expired()).isEqualTo(1);
    assertThat(service.stats().deadLetters()).isZero();
    gate.openAll();
  }

  @ParameterizedTest
  @CsvSource({
    "weir-delay-ms,soon,0 to 315360000000",
    "weir-delay-ms,-1,0 to 315360000000",
    "weir-delay-ms,315360000001,0 to 315360000000",
    "weir-expires-in-ms,0,1 to 315360000000",
    "weir-key,'',1 to 1000",
  })
  void aBadHeaderIsRefusedByItsName(String header, String value, String allowed) {
    Weir weir = weir();
    serve(weir, "timed", new ServiceOptions(), new Gate()::handle);
    for (Weir from : List.of(weir, sender(weir, true))) {
      Throwable refused =
          Futures.failure(
              "refused", from.send("timed", "a", Durability.PROCESS, with(header, value)));
      assertFailure(refused, FlowFailure.BAD_REQUEST);
      assertThat(refused)
          .hasMessageContaining(header.replace("weir-", "").equals("key") ? "key" : header)
          .hasMessageContaining("allowed is")
          .hasMessageContaining(allowed);
    }
  }

  @Test
  void whatTheCallSaysWinsOverTheHeaders() {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, "timed", new ServiceOptions(), gate::handle);
    for (Weir from : List.of(weir, sender(weir, true))) {
      Futures.result(
          "accepted",
          from.send(
              "timed",
              "a",
              Durability.PROCESS,
              with(ServiceMessage.KEY, "header"),
              MessageOptions.NONE.withKey("call")));
      Await.until("started", () -> !gate.held.isEmpty());
      assertThat(gate.held.peek().message().key()).isEqualTo("call");
      gate.openAll();
    }
  }
}
