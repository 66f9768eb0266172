package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Futures;
import dev.weir.testing.LoggedLines;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.util.logging.Level;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who closes at once closes in order: nothing throws, and nothing of it takes messages any more.
 */
class CloseWhileOpeningTest extends FlowTestBase {
  private static final int TIMES = 5;

  private static ServiceOptions options(boolean onDisk) {
    return onDisk ? diskOnly() : memoryOnly();
  }

  /** What threw would be logged by Vert.x, or by a Weir. */
  private static void assertQuiet(LoggedLines vertxLog, LoggedLines weirLog) {
    // Where the machine stands still, Vert.x says that a thread was blocked.
    assertThat(vertxLog.lines()).allMatch(line -> line.contains("has been blocked for"));
    assertThat(weirLog.lines()).isEmpty();
  }

  private void assertAnsweredBy(String successor) {
    for (int i = 0; i < 10; i++) {
      Object reply = Futures.result("a reply", vertx.eventBus().request("service", "body")).body();
      assertThat(reply).isEqualTo(successor);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aWeirThatIsClosedWhileAServiceOpensLeavesTheAddressToItsSuccessor(boolean onDisk) {
    try (LoggedLines vertxLog = LoggedLines.of("io.vertx", Level.WARNING);
        LoggedLines weirLog = LoggedLines.of("dev.weir", Level.WARNING)) {
      for (int i = 0; i < TIMES; i++) {
        Weir weir = weir();
        Future<Service> opening =
            weir.serve("service", options(onDisk), message -> Future.succeededFuture("first"));

        Futures.result("the Weir closes", weir.close());

        assertThat(opening.isComplete()).isTrue();
      }
      Weir successor = weir(new WeirOptions());
      serve(successor, "service", memoryOnly(), message -> Future.succeededFuture("second"));
      assertAnsweredBy("second");
      assertQuiet(vertxLog, weirLog);
    }
  }

  /** Does not wait until its service is open. */
  private static final class Hasty extends VerticleBase {
    private final Weir weir;
    private final boolean onDisk;

    Hasty(Weir weir, boolean onDisk) {
      this.weir = weir;
      this.onDisk = onDisk;
    }

    @Override
    public Future<?> start() {
      weir.serve("service", options(onDisk), message -> Future.succeededFuture("first"));
      return Future.succeededFuture();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aVerticleThatIsUndeployedWhileItsServiceOpensLeavesTheAddressFree(boolean onDisk) {
    try (LoggedLines vertxLog = LoggedLines.of("io.vertx", Level.WARNING);
        LoggedLines weirLog = LoggedLines.of("dev.weir", Level.WARNING)) {
      Weir weir = weir();
      for (int i = 0; i < TIMES; i++) {
        Future<Void> undeployed =
            vertx.deployVerticle(new Hasty(weir, onDisk)).compose(vertx::undeploy);

        Futures.result("it is undeployed", undeployed);

        assertThat(weir.services()).isEmpty();
        assertThat(weir.opening()).isEmpty();
      }
      serve(weir, "service", options(onDisk), message -> Future.succeededFuture("second"));
      assertAnsweredBy("second");
      assertQuiet(vertxLog, weirLog);
    }
  }
}
