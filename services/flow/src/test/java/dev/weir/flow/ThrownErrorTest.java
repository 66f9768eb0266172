package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An Error that code of the user throws costs the call or the message, as an exception does. */
class ThrownErrorTest extends FlowTestBase {
  private static final class Broken extends Error {
    private static final long serialVersionUID = 1;

    Broken() {
      super("a class is missing");
    }
  }

  /** Throws when it is told of a service that opens or closes, or of a message. */
  private record BrokenObserver(String broken) implements WeirObserver {
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
        throw new Broken();
      }
    }
  }

  private Service serveEcho(Weir weir) {
    return serve(weir, "echo", diskOnly(), message -> Future.succeededFuture(message.body()));
  }

  private Object echo(String text) {
    return Futures.result("a reply", vertx.eventBus().request("echo", text)).body();
  }

  @Test
  void anErrorWhileAServiceOpensFailsServeAndFreesTheAddress() {
    Weir weir = weir().setObserver(new BrokenObserver("opened"));
    Throwable failure =
        Futures.failure(
            "serve", weir.serve("echo", diskOnly(), message -> Future.succeededFuture()));
    assertThat(failure).isInstanceOf(Broken.class);

    weir.setObserver(null);
    serveEcho(weir);
    assertThat(echo("again")).isEqualTo("again");
  }

  @Test
  void theAddressIsFreeAsSoonAsServeHasFailed() {
    Weir weir = weir().setObserver(new BrokenObserver("opened"));
    for (int i = 0; i < 1000; i++) {
      Future<Service> opening =
          weir.serve("echo", memoryOnly(), message -> Future.succeededFuture());
      // Without a listener, which would be called behind those of the Weir.
      while (!opening.isComplete()) {
        Thread.onSpinWait();
      }
      assertThat(opening.cause()).as("serve number %d", i).isInstanceOf(Broken.class);
    }
  }

  @Test
  void theWeirCanBeClosedWhileAServiceFailsToOpen() {
    Weir weir = weir().setObserver(new BrokenObserver("opened"));
    Future<Service> opening =
        weir.serve("echo", diskOnly(), message -> Future.succeededFuture("first"));
    Futures.result("close", weir.close());
    assertThat(Futures.failure("serve", opening)).isInstanceOf(Broken.class);
  }

  @Test
  void anErrorOfTheObserverOfMessagesDoesNotStopTheService() {
    serveEcho(weir().setObserver(new BrokenObserver("handled")));
    for (int i = 0; i < 10; i++) {
      assertThat(echo("message " + i)).isEqualTo("message " + i);
    }
  }

  @Test
  void anErrorWhenTheObserverIsToldOfTheEndDoesNotKeepTheServiceOpen() {
    Weir weir = weir().setObserver(new BrokenObserver("closed"));
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
  @ValueSource(booleans = {false, true})
  void aDurableSendOverTheBusThatCannotBeEncodedFailsAtOnce(boolean error) {
    serveEcho(weir());
    Weir other = weir(new WeirOptions());
    other.registerCodec(Object[].class, new BrokenCodec(error));
    Throwable failure =
        Futures.failure("send", other.send("echo", new Object[0], Durability.PROCESS));
    assertFailure(failure, FlowFailure.BAD_REQUEST);
  }

  private record BrokenCodec(boolean error) implements MessageCodec<Object[], Object[]> {
    @Override
    public void encodeToWire(Buffer wire, Object[] body) {
      if (error) {
        throw new Broken();
      }
      throw new IllegalStateException("no");
    }

    @Override
    public Object[] decodeFromWire(int position, Buffer wire) {
      throw new IllegalStateException("no");
    }

    @Override
    public Object[] transform(Object[] body) {
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
