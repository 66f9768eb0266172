package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageCodec;
import org.junit.jupiter.api.Test;

/** A handler fails with an exception that throws when it is asked what happened. */
class UnprintableFailureTest extends FlowTestBase {
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("no cause");
    }
  }

  private static final class FailingCodec implements MessageCodec<StringBuilder, StringBuilder> {
    volatile boolean encodes = true;
    volatile boolean decodes = true;

    @Override
    public void encodeToWire(Buffer buffer, StringBuilder body) {
      if (!encodes) {
        throw new Unprintable();
      }
      buffer.appendString(body.toString());
    }

    @Override
    public StringBuilder decodeFromWire(int position, Buffer buffer) {
      if (!decodes) {
        throw new Unprintable();
      }
      return new StringBuilder(buffer.getString(position, buffer.length()));
    }

    @Override
    public StringBuilder transform(StringBuilder body) {
      return body;
    }

    @Override
    public String name() {
      return "test.failing";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }

  private final FailingCodec codec = new FailingCodec();

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

  /** A service with one worker, which handles a message until the gate opens. */
  private Service busy(Weir weir, Gate gate) {
    weir.registerCodec(StringBuilder.class, codec);
    Service service = serve(weir, "picky", diskOnly(), gate::handle);
    vertx.eventBus().send("picky", "first");
    Await.until("the worker is busy", () -> !gate.held.isEmpty());
    return service;
  }

  @Test
  void aBodyWhoseCodecFailsWithItOnTheWayToDiskIsRefused() {
    Weir weir = weir();
    Gate gate = new Gate();
    busy(weir, gate);
    codec.encodes = false;
    assertFailure(
        Futures.failure("spilled", vertx.eventBus().request("picky", new StringBuilder("bad"))),
        FlowFailure.BAD_REQUEST);
    assertFailure(
        Futures.failure(
            "durable over the bus",
            vertx
                .eventBus()
                .request(
                    "weir.durable/picky",
                    new StringBuilder("bad"),
                    new DeliveryOptions().addHeader("weir-durability", "PROCESS"))),
        FlowFailure.BAD_REQUEST);
    gate.openAll();
  }

  @Test
  void aBodyWhoseCodecFailsWithItOnTheWayFromDiskDoesNotStopTheService() {
    Weir weir = weir();
    Gate gate = new Gate();
    Service service = busy(weir, gate);
    codec.decodes = false;
    Future<?> request = vertx.eventBus().request("picky", new StringBuilder("bad"));
    // A request comes by the bus, a durable send does not: it may be faster.
    Await.until("the request waits", () -> service.stats().waitingOnDisk() == 1);
    Futures.result("accepted", weir.send("picky", new StringBuilder("bad"), Durability.PROCESS));
    Futures.result("accepted", weir.send("picky", "good", Durability.PROCESS));
    gate.openAll();
    assertFailure(Futures.failure("the request", request), FlowFailure.BAD_REQUEST);
    Await.until("the good one is handled", () -> gate.bodies.contains("good"));
    assertDeadLetter(service);
    gate.openAll();
  }

  private static void assertDeadLetter(Service service) {
    Await.until(
        () -> "it is a dead letter: " + service.stats(), () -> service.stats().deadLetters() == 1);
    assertThat(Futures.result("list", service.deadLetters().list(0, 1)).get(0).reason())
        .contains(Unprintable.class.getName());
  }

  @Test
  void aDeadLetterThatCannotBeDecodedAfterARestartHasItsBytes() {
    Weir weir = weir();
    Gate gate = new Gate();
    Service before = busy(weir, gate);
    Futures.result("accepted", weir.send("picky", new StringBuilder("bad"), Durability.PROCESS));
    Futures.result("close", before.close(0));
    Futures.result("close", weir.close());
    gate.openAll();
    closeVertx();
    weirsAreClosed();

    vertx = Vertx.vertx();
    codec.decodes = false;
    Service service =
        serve(weir().registerCodec(StringBuilder.class, codec), "picky", diskOnly(), gate::handle);
    assertDeadLetter(service);
    Letter letter = Futures.result("list", service.deadLetters().list(0, 1)).get(0);
    assertThat(letter.body()).isEqualTo(Buffer.buffer("bad"));
    assertThat(letter.reason()).contains("codec test.failing");
  }
}
