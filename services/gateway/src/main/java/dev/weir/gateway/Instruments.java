package dev.weir.gateway;

import dev.weir.flow.vertx.Contexts;
import dev.weir.gateway.health.Health;
import dev.weir.gateway.metrics.Metrics;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;

/**
 * What shows how the node does. Checks and figures are read on threads of their own: handlers may
 * block all worker threads of Vert.x, and a probe must have its answer then too.
 */
final class Instruments {
  private final Metrics metrics;
  private final Health health;
  private final boolean owned;
  private WorkerExecutor checks;
  private WorkerExecutor figures;

  /**
   * @param owned whether the metrics are closed with the gateway
   */
  Instruments(Metrics metrics, Health health, boolean owned) {
    this.metrics = metrics;
    this.health = health;
    this.owned = owned;
  }

  /** Makes the threads; {@link #close} must follow. */
  void open(Vertx vertx) {
    checks = Contexts.newThreads(vertx, "weir-checks", 1);
    figures = Contexts.newThreads(vertx, "weir-figures", 1);
  }

  Metrics metrics() {
    return metrics;
  }

  Health health() {
    return health;
  }

  /** Runs checks. */
  WorkerExecutor checks() {
    return checks;
  }

  /** Reads figures. */
  WorkerExecutor figures() {
    return figures;
  }

  void close() {
    checks.close();
    figures.close();
    if (owned) {
      metrics.close();
    }
  }
}
