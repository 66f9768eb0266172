package dev.weir.gateway.metrics;

import dev.weir.flow.ServiceObserver;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** How long the messages of one service waited and were handled. */
class ServiceLatency implements ServiceObserver, AutoCloseable {
  final LatencyHistogram waiting = new LatencyHistogram();
  final LatencyHistogram handling = new LatencyHistogram();

  /**
   * @param others registries besides that of Prometheus; null for none
   */
  static ServiceLatency of(String address, MeterRegistry others) {
    return others == null ? new ServiceLatency() : new Timed(address, others);
  }

  @Override
  public void handled(long waitedNs, long handledNs, boolean succeeded, int messages) {
    waiting.record(waitedNs, messages);
    handling.record(handledNs, messages);
  }

  @Override
  public void close() {}

  /** Records in timers too: Micrometer takes no counts of buckets. */
  private static final class Timed extends ServiceLatency {
    /** Each registry of timers has a unit of its own. */
    private static final String UNIT = ".seconds";

    private final MeterRegistry registry;
    private final Timer waitingTimer;
    private final Timer handlingTimer;

    Timed(String address, MeterRegistry registry) {
      this.registry = registry;
      this.waitingTimer = timer(MetricNames.SERVICE_WAITING, address);
      this.handlingTimer = timer(MetricNames.SERVICE_HANDLING, address);
    }

    private Timer timer(Metric metric, String address) {
      return Timer.builder(metric.name().replace(UNIT, ""))
          .description(metric.help())
          .tag(MetricNames.ADDRESS, address)
          .serviceLevelObjectives(VertxFigures.latencyBounds())
          .register(registry);
    }

    @Override
    public void handled(long waitedNs, long handledNs, boolean succeeded, int messages) {
      super.handled(waitedNs, handledNs, succeeded, messages);
      for (int i = 0; i < messages; i++) {
        waitingTimer.record(waitedNs, TimeUnit.NANOSECONDS);
        handlingTimer.record(handledNs, TimeUnit.NANOSECONDS);
      }
    }

    @Override
    public void close() {
      registry.remove(waitingTimer);
      registry.remove(handlingTimer);
    }
  }
}
