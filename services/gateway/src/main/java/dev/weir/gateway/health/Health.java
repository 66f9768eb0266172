package dev.weir.gateway.health;

import dev.weir.flow.Weir;
import dev.weir.gateway.HealthOptions;
import dev.weir.gateway.metrics.MetricNames;
import dev.weir.options.Checks;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checks of one node: it is ready while all pass. Any thread.
 *
 * <p>Bound to a registry it gives {@link MetricNames#GATEWAY_READY} and {@link
 * MetricNames#GATEWAY_CHECK}, also of checks that come and go later.
 */
public final class Health implements MeterBinder {
  private static final Logger LOG = LoggerFactory.getLogger(Health.class);

  private final CopyOnWriteArrayList<HealthCheck> checks = new CopyOnWriteArrayList<>();

  /** What a check threw last, by the check's name; logged once while it stays the same. */
  private final Map<String, String> thrown = new ConcurrentHashMap<>();

  private final List<MeterRegistry> registries = new ArrayList<>();

  private Health() {}

  /**
   * Whether a Weir has opened its services, is not closing, is within its disk budgets, and can
   * write.
   *
   * @param options copied
   */
  public static Health of(Weir weir, HealthOptions options) {
    Health health = new Health();
    new WeirChecks(Checks.notNull("weir", weir), Checks.notNull("options", options))
        .all()
        .forEach(health::add);
    return health;
  }

  /**
   * Adds a check.
   *
   * @throws IllegalArgumentException if there is one of that name
   */
  public synchronized Health add(HealthCheck check) {
    Checks.notNull("check", check);
    if (checks.stream().anyMatch(other -> other.name().equals(check.name()))) {
      throw new IllegalArgumentException(
          "check is " + check.name() + ", allowed is each name once");
    }
    checks.add(check);
    registries.forEach(registry -> gauge(registry, check));
    return this;
  }

  /** Takes a check out; does nothing if there is none of that name. */
  public synchronized void remove(String name) {
    checks.removeIf(check -> check.name().equals(name));
    registries.forEach(
        registry ->
            registry
                .find(MetricNames.GATEWAY_CHECK.name())
                .tag(MetricNames.CHECK, name)
                .meters()
                .forEach(registry::remove));
  }

  /** Asks all checks; blocks as long as they do. */
  public HealthReport report() {
    Map<String, HealthResult> results = new LinkedHashMap<>();
    checks.forEach(check -> results.put(check.name(), ask(check)));
    return new HealthReport(results);
  }

  private HealthResult ask(HealthCheck check) {
    try {
      HealthResult result = Checks.notNull("the check's result", check.check());
      thrown.remove(check.name());
      return result;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      // Anybody may probe the node, and an exception may hold a secret.
      String text = UserFailure.text(e);
      if (!text.equals(thrown.put(check.name(), text))) {
        LOG.warn("Check {} failed", check.name(), UserFailure.forLog(e));
      }
      return HealthResult.fail("the check failed, see the log");
    }
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (registries.contains(registry)) {
      return;
    }
    registries.add(registry);
    Gauge.builder(MetricNames.GATEWAY_READY.name(), () -> report().ready() ? 1 : 0)
        .description(MetricNames.GATEWAY_READY.help())
        .register(registry);
    checks.forEach(check -> gauge(registry, check));
  }

  private void gauge(MeterRegistry registry, HealthCheck check) {
    Gauge.builder(MetricNames.GATEWAY_CHECK.name(), () -> ask(check).passed() ? 1 : 0)
        .description(MetricNames.GATEWAY_CHECK.help())
        .tag(MetricNames.CHECK, check.name())
        .register(registry);
  }
}
