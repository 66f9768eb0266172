package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.queue.OverflowPolicy;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.DeliveryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DurableSendTest extends FlowTestBase {

  @ParameterizedTest
  @EnumSource(names = {"PROCESS", "MACHINE"})
  void whatWasAcceptedIsHandledInOrder(Durability durability) {
    Gate gate = new Gate();
    Weir weir = weir();
    Service service = serve(weir, "send", new ServiceOptions().setWorkers(1), gate::handle);
    List<Future<Void>> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add(weir.send("send", i, durability));
    }
    sent.forEach(future -> Futures.result("accepted", future));
    for (int i = 0; i < 200; i++) {
      Await.until("started", () -> !gate.held.isEmpty());
      gate.open();
    }
    Await.until("all are completed", () -> service.stats().completed() == 200);
    for (int i = 0; i < 200; i++) {
      assertThat(gate.bodies.get(i)).isEqualTo(i);
    }
    assertThat(service.stats().written()).isEqualTo(200);
  }

  @Test
  void aSenderThatWantsNoAnswerHarmsNobody() {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    vertx.exceptionHandler(thrown::add);
    Gate gate = new Gate();
    Service service = serve(weir(), "plain", new ServiceOptions(), gate::handle);
    DeliveryOptions level = new DeliveryOptions().addHeader("weir-durability", "PROCESS");
    vertx.eventBus().send("weir.durable/plain", "kept", level);
    Await.until("it is handled", () -> !gate.held.isEmpty());
    gate.open();
    Await.until("it is completed", () -> service.stats().completed() == 1);
    assertThat(thrown).isEmpty();
  }

  @Test
  void whatWasNotHandledIsDeliveredAgainAfterARestart() {
    Gate first = new Gate();
    Weir before = weir();
    Service service = serve(before, "keep", new ServiceOptions().setWorkers(2), first::handle);
    DeliveryOptions headers = new DeliveryOptions().addHeader("h", "v");
    for (int i = 0; i < 10; i++) {
      Futures.result("accepted", before.send("keep", "m" + i, Durability.PROCESS, headers));
    }
    Await.until("two are held", () -> first.held.size() == 2);
    first.open();
    Await.until("one is completed", () -> service.stats().completed() == 1);
    Await.until("two are held again", () -> first.held.size() == 2);
    String id = first.held.peek().message().id();
    Futures.result("pause", service.pause());
    Futures.result("close", service.close(1));
    Futures.result("weir closes", before.close());

    Gate second = new Gate();
    Service again = serve(weir(), "keep", new ServiceOptions().setWorkers(1), second::handle);
    assertThat(again.stats().recovered()).isEqualTo(9);
    Await.until("the first is started", () -> !second.held.isEmpty());
    assertThat(second.held.peek().message().deliveryCount()).isEqualTo(2);
    assertThat(second.held.peek().message().id()).isEqualTo(id);
    for (int i = 1; i < 10; i++) {
      Await.until("started", () -> !second.held.isEmpty());
      assertThat(second.held.peek().message().headers().get("h")).isEqualTo("v");
      assertThat(second.held.peek().message().isRequest()).isFalse();
      second.open();
      assertThat(second.bodies.get(i - 1)).isEqualTo("m" + i);
    }
    Await.until("all are completed", () -> again.stats().completed() == 9);
  }

  @Test
  void aMessageWhoseHandlerFailedIsKeptForTheNextStart() {
    Weir before = weir();
    Service service =
        serve(
            before,
            "poison",
            new ServiceOptions(),
            m -> Future.failedFuture(new IllegalStateException("broken")));
    Futures.result("accepted", before.send("poison", "p", Durability.PROCESS));
    Await.until("it failed", () -> service.stats().failed() == 1);
    Futures.result("weir closes", before.close());
    Gate gate = new Gate();
    serve(weir(), "poison", new ServiceOptions(), gate::handle);
    Await.until("it is delivered again", () -> gate.bodies.contains("p"));
    gate.openAll();
  }

  @Test
  void requestsDoNotOutliveARestartAndAreCounted() {
    Gate gate = new Gate();
    Weir before = weir();
    Service service = serve(before, "gone", diskOnly().setWriteThrough(true), gate::handle);
    for (int i = 0; i < 5; i++) {
      vertx.eventBus().request("gone", i);
    }
    Await.until("four are on disk", () -> service.stats().written() == 4);
    Futures.result("close", service.close(0));
    Futures.result("weir closes", before.close());
    Gate second = new Gate();
    Service again = serve(weir(), "gone", diskOnly(), second::handle);
    assertThat(again.stats().abandonedRequests()).isEqualTo(4);
    assertThat(again.stats().waitingOnDisk()).isZero();
    assertThat(second.bodies).isEmpty();
  }

  @Test
  void aMutableBodyMayBeChangedAfterTheSend() {
    Gate gate = new Gate();
    Weir weir = weir();
    serve(weir, "copy", new ServiceOptions(), gate::handle);
    Buffer body = Buffer.buffer("before");
    Future<Void> sent = weir.send("copy", body, Durability.PROCESS);
    body.setString(0, "after!");
    Futures.result("accepted", sent);
    Await.until("started", () -> !gate.held.isEmpty());
    assertThat(gate.bodies.get(0)).hasToString("before");
    gate.openAll();
  }

  @Test
  void aServiceWithoutADiskTierSaysSo() {
    Weir weir = weir();
    serve(weir, "nodisk", memoryOnly(), m -> Future.succeededFuture());
    assertFailure(
        Futures.failure("send", weir.send("nodisk", 1, Durability.PROCESS)),
        FlowFailure.NOT_DURABLE);
  }

  @Test
  void aBudgetThatIsUsedUpFailsTheSendWithACode() {
    Weir weir = weir();
    Service service =
        serve(weir, "budget", new ServiceOptions().setDiskBytes(5000), new Gate()::handle);
    Futures.result("pause", service.pause());
    for (int i = 0; i < 4; i++) {
      Futures.result("accepted", weir.send("budget", new byte[1000], Durability.PROCESS));
    }
    assertFailure(
        Futures.failure("fifth", weir.send("budget", new byte[1000], Durability.PROCESS)),
        FlowFailure.SERVICE_FULL);
    assertThat(service.stats().rejected()).isEqualTo(1);
  }

  @Test
  void blockSlowsTheSenderUntilThereIsRoom() {
    Gate gate = new Gate();
    Weir weir = weir();
    Service service =
        serve(
            weir,
            "block",
            new ServiceOptions().setDiskBytes(5000).setPolicy(OverflowPolicy.BLOCK),
            gate::handle);
    Futures.result("pause", service.pause());
    for (int i = 0; i < 4; i++) {
      Futures.result("accepted", weir.send("block", new byte[1000], Durability.PROCESS));
    }
    Future<Void> waiting = weir.send("block", new byte[1000], Durability.PROCESS);
    assertThat(waiting.isComplete()).isFalse();
    Futures.result("resume", service.resume());
    Await.until("started", () -> gate.held.size() == 4);
    gate.openAll();
    Futures.result("there is room", waiting);
    Await.until("the fifth is started", () -> !gate.held.isEmpty());
    gate.openAll();
    Await.until("all are completed", () -> service.stats().completed() == 5);
  }

  @Test
  void aSendToNobodyFailsAsTheBusSays() {
    Throwable cause = Futures.failure("send", weir().send("nobody", 1, Durability.PROCESS));
    assertThat(cause).hasMessageContaining("No handlers for address");
  }

  @Test
  void aSendWithoutDurabilityOrCodecIsRefused() {
    Weir weir = weir();
    serve(weir, "strict", new ServiceOptions(), m -> Future.succeededFuture());
    assertThat(Futures.failure("no durability", weir.send("strict", 1, Durability.NONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("durability is NONE, allowed is PROCESS or MACHINE");
    assertThat(Futures.failure("no codec", weir.send("strict", new Object(), Durability.PROCESS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No message codec for type");
  }

  @Test
  void theOutcomeArrivesOnTheSendersContext() {
    Weir weir = weir();
    serve(weir, "context", new ServiceOptions(), m -> Future.succeededFuture());
    io.vertx.core.Promise<Boolean> same = io.vertx.core.Promise.promise();
    io.vertx.core.Context context = vertx.getOrCreateContext();
    context.runOnContext(
        ignored -> {
          Thread thread = Thread.currentThread();
          weir.send("context", 1, Durability.PROCESS)
              .onComplete(done -> same.complete(Thread.currentThread() == thread));
        });
    assertThat(Futures.result("outcome", same.future())).isTrue();
  }

  @Test
  void twoWeirsLiveInOneJvmEachWithItsDirectory() {
    Weir one = weir(new WeirOptions().setDirectory(directory.resolve("one").toString()));
    Weir two = weir(new WeirOptions().setDirectory(directory.resolve("two").toString()));
    Gate gateOne = new Gate();
    Gate gateTwo = new Gate();
    serve(one, "a", new ServiceOptions(), gateOne::handle);
    serve(two, "b", new ServiceOptions(), gateTwo::handle);
    Futures.result("to one", one.send("a", 1, Durability.PROCESS));
    Futures.result("to two", two.send("b", 2, Durability.PROCESS));
    Futures.result("from one to two", one.send("b", 3, Durability.PROCESS));
    Await.until("all arrived", () -> gateOne.bodies.size() == 1 && gateTwo.bodies.size() == 2);
    gateOne.openAll();
    gateTwo.openAll();
  }
}
