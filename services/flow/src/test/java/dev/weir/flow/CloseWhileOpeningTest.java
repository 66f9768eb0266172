package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

class CloseWhileOpeningTest extends FlowTestBase {
  @Test
  void theWeirCanBeClosedWhileAServiceOpens() {
    Weir weir = weir();
    Future<Service> opening =
        weir.serve("service", diskOnly(), message -> Future.succeededFuture("first"));

    Futures.result("the Weir closes", weir.close());

    assertThat(opening.isComplete()).isTrue();
    Weir successor = weir(new WeirOptions());
    serve(successor, "service", memoryOnly(), message -> Future.succeededFuture("second"));
    for (int i = 0; i < 10; i++) {
      Object reply = Futures.result("a reply", vertx.eventBus().request("service", "body")).body();
      assertThat(reply).isEqualTo("second");
    }
  }
}
