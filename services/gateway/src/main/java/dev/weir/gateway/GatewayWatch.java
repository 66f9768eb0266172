package dev.weir.gateway;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.gateway.health.Health;
import dev.weir.gateway.health.HealthCheck;
import dev.weir.gateway.health.HealthResult;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.metrics.Meters;
import dev.weir.gateway.metrics.Metrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Registers the meters and the health check of one port. All gateways that serve the port and have
 * the same {@link Health} share them, from the first that starts to the last that closes.
 */
final class GatewayWatch implements MeterBinder, AutoCloseable {
  private static final String CHECK = "gateway";

  private final Metrics metrics;
  private final Health health;
  private final PortState port;

  /** Null before it is bound. */
  private Meters<GuardStats> guarded;

  /** One of each open gateway. */
  private final List<Intake> intakes = new CopyOnWriteArrayList<>();

  GatewayWatch(Metrics metrics, Health health, PortState port) {
    this.metrics = metrics;
    this.health = health;
    this.port = port;
    health.add(HealthCheck.of(CHECK, this::check));
    metrics.bindBeforeRead(health);
    metrics.bindBeforeRead(this);
  }

  private HealthResult check() {
    return intakes.stream().anyMatch(Intake::isClosed)
        ? HealthResult.fail("draining")
        : HealthResult.pass();
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    guarded =
        new Meters<>(registry, Tags.empty(), port::stats)
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

  void add(Intake intake) {
    intakes.add(intake);
  }

  /** True if this was the last one. */
  boolean remove(Intake intake) {
    intakes.remove(intake);
    return intakes.isEmpty();
  }

  /** Takes the meters and the check away. */
  void end() {
    metrics.unbind(this);
    health.remove(CHECK);
  }

  @Override
  public void close() {
    if (guarded != null) {
      guarded.close();
    }
  }
}
