package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Await;
import dev.weir.testing.ChildJvm;
import dev.weir.testing.Futures;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The services of a node share its heap: each alone could take more than there is. */
@Tag("slow")
class NodeBudgetTest {
  private static final int SERVICES = 20;
  private static final int BODY_BYTES = 100_000;
  private static final int MESSAGES_EACH = 100;
  private static final long HANDLED_S = 300;
  private static final long ENDED_S = 2 * HANDLED_S;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"memory", "disk", "handling"})
  void aFloodOfManyServicesDoesNotFillTheHeap(String kind) {
    try (ChildJvm child =
        ChildJvm.of(NodeBudgetTest.class)
            .flags("-Xmx128m")
            .mergeErrors()
            .start(kind, directory.toString())) {
      Await.until(() -> "the child ends: " + child.lines(), ENDED_S, () -> !child.isAlive());
      assertThat(child.exitCode()).as("exit code: %s", child.lines()).isZero();
      assertThat(child.lines()).contains("handled");
    }
  }

  /**
   * The child: floods services that are paused, or whose handlers do not end, then lets them go.
   */
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    WeirOptions node = new WeirOptions();
    Weir weir = Weir.create(vertx, args[0].equals("memory") ? node : node.setDirectory(args[1]));
    List<FlowTestBase.Gate> gates = new ArrayList<>();
    List<Service> services = new ArrayList<>();
    for (int i = 0; i < SERVICES; i++) {
      FlowTestBase.Gate gate = new FlowTestBase.Gate();
      gates.add(gate);
      services.add(
          Futures.result(
              "serve", weir.serve("s" + i, new ServiceOptions().setWorkers(1000), gate::handle)));
    }
    services.forEach(service -> Futures.result("pause", service.pause()));
    for (int n = 0; n < MESSAGES_EACH; n++) {
      for (int i = 0; i < SERVICES; i++) {
        vertx.eventBus().send("s" + i, Buffer.buffer(new byte[BODY_BYTES]));
      }
      long sent = n + 1L;
      Await.until(
          "all are taken or refused", () -> services.stream().allMatch(s -> taken(s) == sent));
    }
    if (args[0].equals("handling")) {
      // What is on disk comes back to handlers that do not end.
      services.forEach(service -> Futures.result("resume", service.resume()));
      Await.until(
          "handlers have what they may", () -> services.stream().allMatch(s -> busy(s) > 0));
    }
    System.out.println(services.get(0).stats());
    services.forEach(service -> Futures.result("resume", service.resume()));
    Await.until(
        "all are handled",
        HANDLED_S,
        () -> {
          gates.forEach(FlowTestBase.Gate::openAll);
          gates.forEach(gate -> gate.bodies.clear());
          return services.stream().allMatch(NodeBudgetTest::isIdle);
        });
    System.out.println("handled");
    Futures.result("close", vertx.close());
  }

  private static long taken(Service service) {
    ServiceStats stats = service.stats();
    return stats.accepted() + stats.rejected();
  }

  private static int busy(Service service) {
    return service.stats().busyWorkers();
  }

  private static boolean isIdle(Service service) {
    ServiceStats stats = service.stats();
    return stats.busyWorkers() == 0 && stats.waitingInMemory() == 0 && stats.waitingOnDisk() == 0;
  }
}
