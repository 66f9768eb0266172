package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.flow.Weir;
import dev.weir.options.Checks;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.StoreStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/** The figures of the data directory of a Weir; nothing if it has none. Reading them blocks. */
public final class StoreMetrics implements MeterBinder, AutoCloseable {
  private final Weir weir;
  private final List<Meters<?>> bound = new ArrayList<>();

  public StoreMetrics(Weir weir) {
    this.weir = Checks.notNull("weir", weir);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    String directory = weir.options().getDirectory();
    if (directory == null) {
      return;
    }
    bound.add(
        new Meters<>(registry, Tags.of(DIRECTORY, directory), weir::storeStats)
            .add(STORE_LOG_FILES, StoreStats::logFiles)
            .add(STORE_LOG_BYTES, StoreStats::logBytes)
            .add(STORE_FREE_BYTES, StoreStats::usableBytes)
            .add(STORE_MIN_FREE_BYTES, StoreStats::minFreeBytes)
            .add(STORE_FULL, stats -> Meters.truth(stats.fault() == Reason.DISK_FULL))
            .add(
                STORE_FAILED,
                stats -> Meters.truth(stats.fault() != null && stats.fault() != Reason.DISK_FULL)));
  }

  /** Takes the meters out of their registries. */
  @Override
  public synchronized void close() {
    bound.forEach(Meters::close);
    bound.clear();
  }
}
