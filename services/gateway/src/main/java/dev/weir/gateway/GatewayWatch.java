package dev.weir.gateway;

import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.metrics.MetricNames;
import dev.weir.gateway.metrics.Metrics;
import io.micrometer.core.instrument.Gauge;

/** What a gateway adds to the metrics and to the health of its node, as long as it is open. */
final class GatewayWatch implements AutoCloseable {
  private static final String CHECK = "gateway";

  private final Metrics metrics;
  private final Health health;
  private final Gauge inFlight;

  GatewayWatch(Metrics metrics, Health health, Intake intake) {
    this.metrics = metrics;
    this.health = health;
    health.add(
        HealthCheck.of(
            CHECK, () -> intake.isClosed() ? HealthResult.fail("draining") : HealthResult.pass()));
    metrics.bind(health);
    inFlight =
        Gauge.builder(MetricNames.GATEWAY_IN_FLIGHT.name(), intake, Intake::inFlight)
            .description(MetricNames.GATEWAY_IN_FLIGHT.help())
            .register(metrics.registry());
  }

  @Override
  public void close() {
    metrics.registry().remove(inFlight);
    health.remove(CHECK);
  }
}
