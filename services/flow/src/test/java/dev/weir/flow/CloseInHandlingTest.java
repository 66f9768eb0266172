package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CloseInHandlingTest extends FlowTestBase {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRequestInHandlingIsAnsweredWhenTheTimeToDrainIsOver(boolean fromDisk) {
    Gate gate = new Gate();
    ServiceOptions options = fromDisk ? diskOnly().setWorkers(2) : memoryOnly().setWorkers(2);
    Service service = serve(weir(), "slow", options, gate::handle);
    if (fromDisk) {
      Futures.result("pause", service.pause());
    }
    List<Future<Message<Object>>> requests =
        List.of(
            vertx.eventBus().request("slow", "first"), vertx.eventBus().request("slow", "second"));
    Futures.result("resume", service.resume());
    Await.until("both are in handling", () -> gate.held.size() == 2);

    Futures.result("close", service.close(10));

    for (Future<Message<Object>> request : requests) {
      assertFailure(Futures.failure("answer", request), FlowFailure.SERVICE_CLOSED);
    }
    // A handler that ends later does no harm.
    gate.openAll();
    assertThat(service.stats().busyWorkers()).isNotNegative();
  }

  @Test
  void aRequestWhoseHandlerBlocksItsThreadIsAnsweredWhenTheTimeToDrainIsOver() {
    CountDownLatch blocked = new CountDownLatch(1);
    Semaphore started = new Semaphore(0);
    Service service =
        serve(
            weir(),
            "blocking",
            memoryOnly().setWorkers(1).setRunOn(RunOn.WORKER),
            message -> {
              started.release();
              boolean interrupted = false;
              while (blocked.getCount() > 0) {
                try {
                  blocked.await();
                } catch (InterruptedException e) {
                  interrupted = true;
                }
              }
              return Future.succeededFuture(interrupted);
            });
    Future<Message<Object>> handled = vertx.eventBus().request("blocking", "handled");
    Await.until("the handler blocks", started::tryAcquire);
    Future<Message<Object>> waiting = vertx.eventBus().request("blocking", "waiting");
    Await.until("the next waits", () -> service.stats().waitingInMemory() == 1);

    Future<Void> closed = service.close(10);

    assertFailure(Futures.failure("answer", handled), FlowFailure.SERVICE_CLOSED);
    assertFailure(Futures.failure("answer", waiting), FlowFailure.SERVICE_CLOSED);
    blocked.countDown();
    Futures.result("close", closed);
  }

  @Test
  void requestsThatWaitOnDiskAreAnsweredWhenTheTimeToDrainIsOver() {
    Gate gate = new Gate();
    Service service = serve(weir(), "slow", diskOnly(), gate::handle);
    List<Future<Message<Object>>> requests = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      requests.add(vertx.eventBus().request("slow", "request " + i));
    }
    Await.until("all but one wait on disk", () -> service.stats().waitingOnDisk() == 49);

    Futures.result("close", service.close(10));

    for (Future<Message<Object>> request : requests) {
      assertFailure(Futures.failure("answer", request), FlowFailure.SERVICE_CLOSED);
    }
    gate.openAll();
  }

  @Test
  void whatWaitsForWorkerThreadsIsHandledBeforeVertxIsClosed() {
    Semaphore mayEnd = new Semaphore(0);
    Semaphore started = new Semaphore(0);
    serve(
        weir(),
        "working",
        memoryOnly().setWorkers(1).setRunOn(RunOn.WORKER),
        message -> {
          started.release();
          mayEnd.acquireUninterruptibly();
          return Future.succeededFuture(Thread.interrupted());
        });
    List<Future<Message<Object>>> requests = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      requests.add(vertx.eventBus().request("working", i));
    }
    Await.until("one is in handling", started::tryAcquire);
    Future<Void> closed = vertx.close();
    mayEnd.release(requests.size());

    for (Future<Message<Object>> request : requests) {
      assertThat(Futures.result("answer", request).body()).isEqualTo(false);
    }
    Futures.result("close", closed);
  }
}
