package dev.weir.gateway;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.metrics.Meters;
import dev.weir.gateway.metrics.Metrics;
import io.micrometer.core.instrument.Tags;

/** What a gateway adds to the metrics and to the health of its node, as long as it is open. */
final class GatewayWatch implements AutoCloseable {
  private static final String CHECK = "gateway";

  private final Health health;
  private final Meters<GuardStats> guarded;

  GatewayWatch(Metrics metrics, Health health, Intake intake, Guard guard) {
    this.health = health;
    health.add(
        HealthCheck.of(
            CHECK, () -> intake.isClosed() ? HealthResult.fail("draining") : HealthResult.pass()));
    metrics.bind(health);
    guarded = guarded(metrics, guard);
  }

  private static Meters<GuardStats> guarded(Metrics metrics, Guard guard) {
    return new Meters<>(metrics.registry(), Tags.empty(), guard::stats)
        .add(GATEWAY_IN_FLIGHT, GuardStats::callsInFlight)
        .add(GATEWAY_REQUESTS, GuardStats::calls)
        .add(GATEWAY_CONNECTIONS, GuardStats::connections)
        .add(GATEWAY_BODY_BYTES, GuardStats::bodyBytesInFlight)
        .add(GATEWAY_REFUSED_CONNECTIONS, GuardStats::refusedConnections)
        .add(GATEWAY_TIMEOUTS, Tags.of(WAITED_FOR, "header"), GuardStats::headerTimeouts)
        .add(GATEWAY_TIMEOUTS, Tags.of(WAITED_FOR, "body"), GuardStats::bodyTimeouts)
        .add(GATEWAY_TIMEOUTS, Tags.of(WAITED_FOR, "request"), GuardStats::idleTimeouts)
        .add(GATEWAY_TIMEOUTS, Tags.of(WAITED_FOR, "reader"), GuardStats::writeTimeouts)
        .add(GATEWAY_REJECTED_REQUESTS, GuardStats::rejectedRequests)
        .add(GATEWAY_DENIED_REQUESTS, GuardStats::deniedRequests);
  }

  @Override
  public void close() {
    guarded.close();
    health.remove(CHECK);
  }
}
