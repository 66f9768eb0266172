package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import dev.weir.testing.Undeclared;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An Error that code of the user throws costs the call or the message, as an exception does; and so
 * does a checked exception, which code in another language throws without declaring it.
 */
class ThrownErrorTest extends FlowTestBase {
  enum Thrown {
    ERROR(new NoClassDefFoundError("a class is missing")),
    UNDECLARED(new IOException("a file is missing"));

    final Throwable failure;

    Thrown(Throwable failure) {
      this.failure = failure;
    }

    void now() {
      Undeclared.raise(failure);
    }
  }

  /** Throws when it is told of a service that opens or closes, or of a message. */
  private record BrokenObserver(String broken, Thrown thrown) implements WeirObserver {
    @Override
    public ServiceObserver opened(Service service) {
      breakAt("opened");
      return (waitedNs, handledNs, succeeded, messages) -> breakAt("handled");
    }

    @Override
    public void closed(Service service) {
      breakAt("closed");
    }

    private void breakAt(String place) {
      if (broken.equals(place)) {
        thrown.now();
      }
    }
  }

  private Service serveEcho(Weir weir) {
    return serve(weir, "echo", diskOnly(), message -> Future.succeededFuture(message.body()));
  }

  private Object echo(String text) {
    return Futures.result("a reply", vertx.eventBus().request("echo", text)).body();
  }

  @ParameterizedTest
  @EnumSource
  void anErrorWhileAServiceOpensFailsServeAndFreesTheAddress(Thrown thrown) {
    Weir weir = weir().setObserver(new BrokenObserver("opened", thrown));
    Throwable failure =
        Futures.failure(
            "serve", weir.serve("echo", diskOnly(), message -> Future.succeededFuture()));
    assertThat(failure).isSameAs(thrown.failure);

    weir.setObserver(null);
    serveEcho(weir);
    assertThat(echo("again")).isEqualTo("again");
  }

  @ParameterizedTest
  @EnumSource
  void theAddressIsFreeAsSoonAsServeHasFailed(Thrown thrown) {
    Weir weir = weir().setObserver(new BrokenObserver("opened", thrown));
    for (int i = 0; i < 1000; i++) {
      Future<Service> opening =
          weir.serve("echo", memoryOnly(), message -> Future.succeededFuture());
      // Without a listener, which would be called behind those of the Weir.
      while (!opening.isComplete()) {
        Thread.onSpinWait();
      }
      assertThat(opening.cause()).as("serve number %d", i).isSameAs(thrown.failure);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theWeirCanBeClosedWhileAServiceFailsToOpen(Thrown thrown) {
    Weir weir = weir().setObserver(new BrokenObserver("opened", thrown));
    Future<Service> opening =
        weir.serve("echo", diskOnly(), message -> Future.succeededFuture("first"));
    Futures.result("close", weir.close());
    assertThat(Futures.failure("serve", opening)).isSameAs(thrown.failure);
  }

  @ParameterizedTest
  @EnumSource
  void anErrorOfTheObserverOfMessagesDoesNotStopTheService(Thrown thrown) {
    serveEcho(weir().setObserver(new BrokenObserver("handled", thrown)));
    for (int i = 0; i < 10; i++) {
      assertThat(echo("message " + i)).isEqualTo("message " + i);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anErrorWhenTheObserverIsToldOfTheEndDoesNotKeepTheServiceOpen(Thrown thrown) {
    Weir weir = weir().setObserver(new BrokenObserver("closed", thrown));
    Futures.result("close", serveEcho(weir).close());
    weir.setObserver(null);
    serveEcho(weir);
    assertThat(echo("again")).isEqualTo("again");
  }

  @Test
  void aReplyThatContainsItselfFailsTheRequestAlone() {
    AtomicInteger calls = new AtomicInteger();
    serve(
        weir(),
        "echo",
        memoryOnly().setWorkers(1),
        message -> {
          JsonObject circle = new JsonObject();
          return Future.succeededFuture(
              calls.getAndIncrement() == 0 ? circle.put("self", circle) : message.body());
        });
    assertFailure(
        Futures.failure("the first", vertx.eventBus().request("echo", "a")),
        FlowFailure.HANDLER_FAILED);
    assertThat(echo("b")).isEqualTo("b");
  }

  @ParameterizedTest
  @EnumSource
  void aDurableSendOverTheBusThatCannotBeEncodedFailsAtOnce(Thrown thrown) {
    serveEcho(weir());
    Weir other = weir(new WeirOptions());
    other.registerCodec(Object[].class, new BrokenCodec(thrown));
    Throwable failure =
        Futures.failure("send", other.send("echo", new Object[0], Durability.PROCESS));
    assertFailure(failure, FlowFailure.BAD_REQUEST);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageForTheDiskTierThatCannotBeEncodedIsRefusedAndTheServiceGoesOn(Thrown thrown) {
    Weir weir = weir();
    weir.registerCodec(Object[].class, new BrokenCodec(thrown));
    Promise<Object> held = Promise.promise();
    serve(weir, "echo", diskOnly().setWorkers(1), message -> held.future().map(message.body()));
    Future<?> first = vertx.eventBus().request("echo", "a");
    Throwable failure =
        Futures.failure("the second", vertx.eventBus().request("echo", new Object[0]));
    assertFailure(failure, FlowFailure.BAD_REQUEST);
    held.complete();
    Futures.result("the first", first);
    assertThat(echo("b")).isEqualTo("b");
  }

  /** Cannot say how large a body is. */
  private static final class UnsizedCodec extends ImmutableCodec<Object[]> {
    private final Thrown thrown;

    UnsizedCodec(Thrown thrown) {
      this.thrown = thrown;
    }

    @Override
    public String name() {
      return "unsized";
    }

    @Override
    public int sizeBytes(Object[] body) {
      thrown.now();
      return 0;
    }

    @Override
    public void write(Object[] body, ByteBuffer out) {
      thrown.now();
    }

    @Override
    public Object[] read(ByteBuffer in) {
      return new Object[0];
    }
  }

  /** What waits: counted in memory, or written to disk. */
  private static Stream<Arguments> arrivals() {
    return Stream.of(Thrown.values())
        .flatMap(
            thrown ->
                Stream.of(memoryOnly(), diskOnly())
                    .map(place -> Arguments.of(thrown, place.setWorkers(1))));
  }

  @ParameterizedTest
  @MethodSource("arrivals")
  void aRequestWhoseCodecThrowsOnArrivalIsAnsweredAtOnce(Thrown thrown, ServiceOptions options) {
    Weir weir = weir();
    weir.registerCodec(Object[].class, new UnsizedCodec(thrown));
    Promise<Object> held = Promise.promise();
    Service service = serve(weir, "echo", options, message -> held.future().map(message.body()));
    Future<?> first = vertx.eventBus().request("echo", "a");

    Throwable failure =
        Futures.failure("the second", vertx.eventBus().request("echo", new Object[1]));

    assertFailure(failure, FlowFailure.BAD_REQUEST);
    Await.until(() -> "it is counted: " + service.stats(), () -> service.stats().rejected() == 1);
    assertThat(service.stats().waitingInMemory() + service.stats().waitingOnDisk()).isZero();
    held.complete();
    Futures.result("the first", first);
    assertThat(echo("b")).isEqualTo("b");
  }

  @ParameterizedTest
  @EnumSource
  void aReplyThatCannotBeEncodedFailsTheRequestAlone(Thrown thrown) {
    Weir weir = weir();
    weir.registerCodec(Object[].class, new BrokenCodec(thrown));
    AtomicInteger calls = new AtomicInteger();
    serve(
        weir,
        "echo",
        memoryOnly().setWorkers(1),
        message ->
            Future.succeededFuture(calls.getAndIncrement() == 0 ? new Object[1] : message.body()));
    assertFailure(
        Futures.failure("the first", vertx.eventBus().request("echo", "a")),
        FlowFailure.HANDLER_FAILED);
    assertThat(echo("b")).isEqualTo("b");
  }

  /** Encodes nothing, and copies empty arrays only. */
  private record BrokenCodec(Thrown thrown) implements MessageCodec<Object[], Object[]> {
    @Override
    public void encodeToWire(Buffer wire, Object[] body) {
      thrown.now();
    }

    @Override
    public Object[] decodeFromWire(int position, Buffer wire) {
      thrown.now();
      return null;
    }

    @Override
    public Object[] transform(Object[] body) {
      if (body.length > 0) {
        thrown.now();
      }
      return body;
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public byte systemCodecID() {
      return -1;
    }
  }
}
