package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.Message;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GivenUpRequestTest extends FlowTestBase {
  private static final int GIVEN_UP = 20;

  /** Less than three times what the handler needs: so much is kept for the first ones. */
  private static final long LATE_MS = 2_900;

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestWhoseRequesterHasGivenUpIsNotHandled(int memoryMessages) {
    Gate gate = new Gate();
    ServiceOptions options = new ServiceOptions().setWorkers(1).setMemoryMessages(memoryMessages);
    Service service = serve(weir(), "slow", options, gate::handle);
    List<Future<Message<Object>>> requests = new ArrayList<>();
    requests.add(vertx.eventBus().request("slow", "held"));
    for (int i = 0; i < GIVEN_UP; i++) {
      requests.add(
          vertx.eventBus().request("slow", "short", new DeliveryOptions().setSendTimeout(50)));
    }
    Future<Message<Object>> fresh = vertx.eventBus().request("slow", "fresh");
    for (Future<Message<Object>> request : requests.subList(1, requests.size())) {
      Throwable failure = Futures.failure("the requester gives up", request);
      assertThat(((ReplyException) failure).failureType()).isEqualTo(ReplyFailure.TIMEOUT);
    }

    gate.open();
    Await.until("the next is started", () -> !gate.held.isEmpty());
    gate.open();

    assertThat(Futures.result("fresh", fresh).body()).isEqualTo("fresh");
    assertThat(gate.bodies).containsExactly("held", "fresh");
    assertThat(service.stats().expired()).isEqualTo(GIVEN_UP);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100})
  void aRequestThatCanNoLongerBeAnsweredInTimeIsDroppedAndToldSo(int memoryMessages) {
    Gate gate = new Gate();
    ServiceOptions options = new ServiceOptions().setWorkers(1).setMemoryMessages(memoryMessages);
    Service service = serve(weir(), "slow", options, gate::handle);
    vertx.eventBus().request("slow", "held");
    Future<Message<Object>> given = request("given up", 50);
    Futures.failure("the requester gives up", given);
    vertx.eventBus().request("slow", "slow");
    gate.open();
    Await.until("the slow one is started", () -> gate.bodies.contains("slow"));
    long startNs = System.nanoTime();
    Await.until(
        "the handler needs a second",
        () -> System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(1));
    long askedNs = System.nanoTime();
    Future<Message<Object>> late = request("late", LATE_MS);
    Future<Message<Object>> patient = request("patient", 600_000);
    Await.until("both wait", () -> waiting(service) == 2);

    gate.open();

    Await.until("the patient one is started", () -> gate.bodies.contains("patient"));
    long tookNs = System.nanoTime() - askedNs;
    gate.open();
    assertThat(Futures.result("patient", patient).body()).isEqualTo("patient");
    ReplyException failure = (ReplyException) Futures.failure("late", late);
    // Its requester has given up, if the machine stood still for so long.
    if (tookNs < TimeUnit.MILLISECONDS.toNanos(LATE_MS)
        || failure.failureType() != ReplyFailure.TIMEOUT) {
      assertFailure(failure, FlowFailure.DROPPED);
    }
    assertThat(gate.bodies).containsExactly("held", "slow", "patient");
    assertThat(service.stats().expired()).isEqualTo(2);
  }

  private Future<Message<Object>> request(String body, long timeoutMs) {
    return vertx.eventBus().request("slow", body, new DeliveryOptions().setSendTimeout(timeoutMs));
  }

  private static long waiting(Service service) {
    return service.stats().waitingInMemory() + service.stats().waitingOnDisk();
  }
}
