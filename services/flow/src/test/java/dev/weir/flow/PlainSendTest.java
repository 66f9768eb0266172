package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plain one-way send means the same whether it waits in memory or on disk. */
class PlainSendTest extends FlowTestBase {
  private static final int MESSAGES = 10;

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aPlainMessageWhoseHandlerFailsIsNotTriedAgain(int memoryMessages) {
    Queue<Object> handled = new ConcurrentLinkedQueue<>();
    ServiceOptions options = new ServiceOptions().setMemoryMessages(memoryMessages).setWorkers(1);
    Service service =
        serve(
            weir(),
            "fails",
            options.setBackoffMs(1),
            message -> {
              handled.add(message.body());
              return Future.failedFuture("on purpose");
            });
    Futures.result("pause", service.pause());
    for (int i = 0; i < MESSAGES; i++) {
      vertx.eventBus().send("fails", i);
    }
    Await.until("all are accepted", () -> service.stats().accepted() == MESSAGES);
    Futures.result("resume", service.resume());
    Await.until("all have failed", () -> service.stats().failed() == MESSAGES);

    Futures.result("close", service.close());

    assertThat(handled).hasSize(MESSAGES).doesNotHaveDuplicates();
    assertThat(service.stats().deadLetters()).isZero();
    assertThat(service.stats().retried()).isZero();
  }

  @Test
  void aPlainMessageDoesNotOutliveARestartAndIsCounted() {
    Service service =
        serve(
            weir(), "kept", diskOnly().setWriteThrough(true), message -> Future.succeededFuture());
    Futures.result("pause", service.pause());
    for (int i = 0; i < MESSAGES; i++) {
      vertx.eventBus().send("kept", i);
    }
    Await.until("all are written", () -> service.stats().written() == MESSAGES);
    closeAll();
    weirsAreClosed();
    vertx = Vertx.vertx();

    Gate gate = new Gate();
    Service again = serve(weir(), "kept", diskOnly(), gate::handle);

    assertThat(again.stats().abandonedRequests()).isEqualTo(MESSAGES);
    assertThat(again.stats().waitingOnDisk()).isZero();
    assertThat(gate.bodies).isEmpty();
  }
}
