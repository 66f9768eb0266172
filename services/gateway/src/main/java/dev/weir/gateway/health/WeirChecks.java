package dev.weir.gateway.health;

import dev.weir.flow.Service;
import dev.weir.flow.Weir;
import dev.weir.gateway.HealthOptions;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueStats;
import dev.weir.queue.StoreStats;
import java.util.List;
import java.util.Objects;

/** The checks of a Weir that must pass before its node gets requests. */
final class WeirChecks {
  private final Weir weir;
  private final HealthOptions options;

  WeirChecks(Weir weir, HealthOptions options) {
    this.weir = weir;
    this.options = new HealthOptions(options);
  }

  List<HealthCheck> all() {
    return List.of(
        HealthCheck.of("recovery", this::recovery),
        HealthCheck.of("draining", this::draining),
        HealthCheck.of("disk", this::disk),
        HealthCheck.of("store", this::store));
  }

  private HealthResult recovery() {
    List<String> opening = weir.opening();
    return opening.isEmpty()
        ? HealthResult.pass()
        : HealthResult.fail("opening " + String.join(", ", opening));
  }

  private HealthResult draining() {
    if (weir.isClosing()) {
      return HealthResult.fail("closing");
    }
    List<String> closing =
        weir.services().stream().filter(Service::isClosing).map(Service::address).toList();
    return closing.isEmpty()
        ? HealthResult.pass()
        : HealthResult.fail("closing " + String.join(", ", closing));
  }

  private HealthResult disk() {
    List<String> over =
        weir.services().stream().map(this::overBudget).filter(Objects::nonNull).toList();
    return over.isEmpty() ? HealthResult.pass() : HealthResult.fail(String.join(", ", over));
  }

  /** A line about a service that has used up its share, else null. */
  private String overBudget(Service service) {
    QueueStats stats = service.queueStats();
    if (stats == null) {
      return null;
    }
    double percent = 100.0 * stats.bytes() / service.options().getDiskBytes();
    return percent < options.getDiskPercent()
        ? null
        : service.address() + " uses " + (long) percent + " % of its disk budget";
  }

  private HealthResult store() {
    StoreStats stats = weir.storeStats();
    if (stats == null || stats.fault() == null) {
      return HealthResult.pass();
    }
    return HealthResult.fail(
        stats.fault() == Reason.DISK_FULL
            ? "less than " + stats.minFreeBytes() + " bytes are free"
            : "nothing can be written: " + stats.fault());
  }
}
