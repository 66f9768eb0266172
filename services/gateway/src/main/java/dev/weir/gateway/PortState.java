package dev.weir.gateway;

import dev.weir.gateway.health.Health;
import dev.weir.gateway.http.IdempotencyWindow;
import dev.weir.gateway.http.Intake;
import dev.weir.gateway.limits.ConnectionCounts;
import dev.weir.gateway.limits.RequestLimit;
import dev.weir.gateway.limits.Slowness;
import dev.weir.gateway.metrics.Metrics;
import dev.weir.gateway.security.Tickets;
import dev.weir.options.ByteBudget;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.LocalMap;
import io.vertx.core.shareddata.Shareable;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Shared state of the gateways of one port. Each of several instances serves some of the
 * connections on its own event loop; clients see one gateway. Any thread.
 */
final class PortState implements Shareable {
  private static final String MAP = "weir.gateway.ports";

  private final ConnectionCounts connections;
  private final RequestLimit requests;
  private final IdempotencyWindow window;
  private final AtomicInteger calls = new AtomicInteger();
  private final LongAdder taken = new LongAdder();
  private final LongAdder denied = new LongAdder();
  private final Tickets tickets = new Tickets();

  private final Set<Executor> loops = ConcurrentHashMap.newKeySet();

  private final Map<Health, GatewayWatch> watches = new IdentityHashMap<>();

  /** Changed within the map only. */
  private int gateways;

  private PortState(GatewayOptions options, ByteBudget bodies) {
    LimitOptions limits = options.getLimits();
    connections = new ConnectionCounts(limits);
    requests = new RequestLimit(limits, options.getMaxBodyBytes(), bodies);
    window =
        new IdempotencyWindow(
            options.getIdempotencyMaxKeys(),
            options.getIdempotencyMaxBytes(),
            options.getIdempotencyWindowMs());
  }

  /**
   * Returns the state shared by all gateways of this Vert.x with the same options, until the last
   * has left. A gateway that listens on any free port gets its own.
   */
  static PortState join(Vertx vertx, GatewayOptions options, ByteBudget bodies) {
    if (options.getPort() == 0) {
      return new PortState(options, bodies);
    }
    return map(vertx)
        .compute(
            options.toString(),
            (key, there) -> {
              PortState state = there == null ? new PortState(options, bodies) : there;
              state.gateways++;
              return state;
            });
  }

  /** Once for each {@link #join}. */
  static void leave(Vertx vertx, GatewayOptions options) {
    map(vertx)
        .computeIfPresent(options.toString(), (key, state) -> --state.gateways == 0 ? null : state);
  }

  /** Adds a gateway to the metrics and the health of its node; {@link #unwatch} must follow. */
  synchronized void watch(Metrics metrics, Health health, Intake intake) {
    watches.computeIfAbsent(health, key -> new GatewayWatch(metrics, health, this)).add(intake);
  }

  /** Removes the meters and the check with the last gateway that has this health. */
  synchronized void unwatch(Health health, Intake intake) {
    GatewayWatch watch = watches.get(health);
    if (watch != null && watch.remove(intake)) {
      watches.remove(health);
      watch.end();
    }
  }

  GuardStats stats() {
    return new GuardStats(
        connections.open(),
        connections.refused(),
        connections.slowlyUsed(Slowness.HEADER),
        connections.slowlyUsed(Slowness.BODY),
        connections.slowlyUsed(Slowness.IDLE),
        connections.slowlyUsed(Slowness.WRITE),
        requests.inFlight(),
        requests.bodyBytesInFlight(),
        requests.rejected(),
        denied.sum(),
        calls.get(),
        taken.sum());
  }

  private static LocalMap<String, PortState> map(Vertx vertx) {
    return vertx.sharedData().getLocalMap(MAP);
  }

  /** The event loops on which the port is served. */
  Set<Executor> loops() {
    return loops;
  }

  ConnectionCounts connections() {
    return connections;
  }

  RequestLimit requests() {
    return requests;
  }

  IdempotencyWindow window() {
    return window;
  }

  Tickets tickets() {
    return tickets;
  }

  /** Requests to services that are not answered yet. */
  AtomicInteger calls() {
    return calls;
  }

  /** Requests to services that were taken, answered or not. */
  LongAdder taken() {
    return taken;
  }

  /** Requests that were answered with 401 or 403. */
  LongAdder denied() {
    return denied;
  }
}
