package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ManyServicesTest extends FlowTestBase {
  private static final int SERVICES = 200;
  private static final int MESSAGES_EACH = 4;
  private static final long HEAP_BYTES = 128L << 20;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void twoHundredServicesThatHoldLittleAllHaveRoom(boolean onDisk) {
    WeirOptions node = new WeirOptions().setHeapBytes(HEAP_BYTES);
    Weir weir = weir(onDisk ? node.setDirectory(directory.toString()) : node);
    ServiceOptions options = onDisk ? diskOnly().setWorkers(2) : memoryOnly().setWorkers(2);
    Gate gate = new Gate();
    List<Service> services = new ArrayList<>();
    for (int i = 0; i < SERVICES; i++) {
      services.add(serve(weir, "s" + i, options, gate::handle));
      if (onDisk) {
        Futures.result("pause", services.get(i).pause());
      }
    }

    for (int n = 0; n < MESSAGES_EACH; n++) {
      for (Service service : services) {
        vertx.eventBus().send(service.address(), Buffer.buffer("a few bytes"));
      }
    }
    Await.until(
        "all messages are accepted or refused",
        () -> services.stream().allMatch(service -> taken(service.stats()) == MESSAGES_EACH));
    assertThat(services).allSatisfy(service -> assertThat(service.stats().rejected()).isZero());

    services.forEach(service -> Futures.result("resume", service.resume()));
    Await.until("every worker has a message", () -> gate.held.size() == 2 * SERVICES);
    Await.until(
        "all messages are handled",
        () -> {
          gate.openAll();
          return gate.bodies.size() == MESSAGES_EACH * SERVICES;
        });
  }

  private static long taken(ServiceStats stats) {
    return stats.accepted() + stats.rejected();
  }
}
