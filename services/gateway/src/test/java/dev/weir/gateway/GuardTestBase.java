package dev.weir.gateway;

import dev.weir.flow.Weir;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A Vert.x with a Weir, and gateways that are closed after the test. */
abstract class GuardTestBase {
  static final int PATIENCE_S = 90;

  Vertx vertx;
  Weir weir;
  private final List<Gateway> started = new ArrayList<>();

  /** Not with the instance, which is made for a test that is skipped, too. */
  @BeforeEach
  void open() {
    vertx = Vertx.vertx();
    weir = Weir.create(vertx);
  }

  Gateway start(GatewayOptions options) throws Exception {
    Gateway gateway = await(Gateway.start(vertx, weir, options.setPort(0)));
    started.add(gateway);
    return gateway;
  }

  /** To be closed after the test. */
  void started(List<Gateway> gateways) {
    started.addAll(gateways);
  }

  /** Throws what the future fails with. */
  static <V> V await(Future<V> future) throws Exception {
    try {
      return future.toCompletionStage().toCompletableFuture().get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
    while (!condition.call()) {
      if (System.nanoTime() - deadlineNs > 0) {
        throw new AssertionError("waited " + PATIENCE_S + " s for: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }

  @AfterEach
  void close() throws Exception {
    for (Gateway gateway : started) {
      await(gateway.close());
    }
    await(vertx.close());
  }
}
