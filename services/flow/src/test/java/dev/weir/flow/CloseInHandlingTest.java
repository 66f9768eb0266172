package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.Message;
import java.util.List;
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
}
