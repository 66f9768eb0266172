package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Handlers on virtual threads, which wait for what the test completes. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadTest extends FlowTestBase {
  private final Promise<String> later = Promise.promise();

  /** Bodies in the order in which their handlers began, with the delivery count. */
  private final Queue<String> begun = new ConcurrentLinkedQueue<>();

  private static ServiceOptions virtual(ServiceOptions options) {
    return options.setRunOn(RunOn.VIRTUAL_THREAD);
  }

  /** Blocks its thread until {@link #later} is complete. */
  private Future<?> await(ServiceMessage<Object> message) {
    assertThat(Vertx.currentContext().threadingModel()).isEqualTo(ThreadingModel.VIRTUAL_THREAD);
    begun.add(message.body() + " " + message.deliveryCount());
    return Future.succeededFuture(Future.await(later.future()) + " " + message.body());
  }

  private List<Future<Message<Object>>> ask(String address, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> vertx.eventBus().<Object>request(address, i))
        .toList();
  }

  @Test
  void aDurableMessageIsDoneWhenTheThreadThatWaitsReturns() {
    Weir weir = weir();
    Service service = serve(weir, "durable", virtual(diskOnly()), this::await);
    Futures.result("it is kept", weir.send("durable", "one", Durability.PROCESS));
    Await.until("its handler waits", () -> begun.size() == 1);
    assertThat(service.stats().completed()).isZero();
    assertThat(service.queueStats().unacknowledged()).isEqualTo(1);
    later.complete("done");
    Await.until("nothing is left on disk", () -> service.queueStats().unacknowledged() == 0);
    assertThat(service.stats().completed()).isEqualTo(1);
    assertThat(begun).containsExactly("one 1");
  }

  @Test
  void whatOverflowsToDiskStartsInOrderWhenThreadsReturn() {
    Service service =
        serve(
            weir(),
            "overflow",
            virtual(new ServiceOptions().setWorkers(2).setMemoryMessages(3)),
            this::await);
    List<Future<Message<Object>>> replies = new ArrayList<>(ask("overflow", 20));
    Await.until("all are accepted", () -> service.stats().accepted() == 20);
    Await.until("two handlers wait", () -> begun.size() == 2);
    assertThat(service.stats().waitingInMemory()).isEqualTo(3);
    assertThat(service.stats().waitingOnDisk()).isEqualTo(15);
    later.complete("done");
    for (int i = 0; i < replies.size(); i++) {
      assertThat(Futures.result("a reply", replies.get(i)).body()).isEqualTo("done " + i);
    }
    assertThat(service.stats().spilled()).isEqualTo(15);
  }

  @Test
  void closingWaitsForAThreadThatWaits() {
    Service service = serve(weir(), "drain", virtual(diskOnly()), this::await);
    List<Future<Message<Object>>> replies = ask("drain", 3);
    Await.until("all are accepted", () -> service.stats().accepted() == 3);
    Await.until("its handler waits", () -> begun.size() == 1);
    Future<Void> closed = service.close();
    assertFailure(
        Futures.failure("a late request", vertx.eventBus().request("drain", 99)),
        FlowFailure.SERVICE_CLOSED);
    assertThat(closed.isComplete()).isFalse();
    later.complete("done");
    Futures.result("closed", closed);
    replies.forEach(reply -> Futures.result("a reply", reply));
    assertThat(begun).containsExactly("0 1", "1 1", "2 1");
  }

  @Test
  void aMessageWhoseThreadStillWaitsAtTheEndOfTheDrainIsDeliveredAgain() {
    ServiceOptions options = virtual(diskOnly()).setDrainTimeoutMs(0);
    Weir weir = weir();
    serve(weir, "again", options, this::await);
    Futures.result("it is kept", weir.send("again", "one", Durability.PROCESS));
    Await.until("its handler waits", () -> begun.size() == 1);
    Futures.result("weir closes", weir.close());
    Service service = serve(weir(), "again", options, this::await);
    Await.until("it is delivered again", () -> begun.size() == 2);
    later.complete("done");
    Await.until("nothing is left on disk", () -> service.queueStats().unacknowledged() == 0);
    assertThat(begun).containsExactly("one 1", "one 2");
    assertThat(service.stats().completed()).isEqualTo(1);
  }

  @Test
  void theInstancesOfAVerticleHandleOnVirtualThreadsUntilItIsUndeployed() {
    Weir weir = weir();
    String deployment =
        Futures.result(
            "two instances",
            vertx.deployVerticle(
                () ->
                    new VerticleBase() {
                      @Override
                      public Future<?> start() {
                        return weir.serve(
                            "verticle", virtual(diskOnly().setWorkers(4)), this::handle);
                      }

                      private Future<?> handle(ServiceMessage<Object> message) {
                        return await(message);
                      }
                    },
                new DeploymentOptions().setInstances(2)));
    List<Future<Message<Object>>> replies = ask("verticle", 6);
    Await.until("four handlers wait", () -> begun.size() == 4);
    Future<Void> undeployed = vertx.undeploy(deployment);
    assertThat(undeployed.isComplete()).isFalse();
    later.complete("done");
    Futures.result("undeployed", undeployed);
    replies.forEach(reply -> Futures.result("a reply", reply));
    assertThat(begun).hasSize(6);
    assertThat(weir.services()).isEmpty();
  }
}
