package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.*;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.ServiceStats;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.queue.QueueStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/** The figures of one service and of its disk tier, until it is closed. */
public final class ServiceMetrics implements MeterBinder, AutoCloseable {
  private final Service service;
  private final HeapBudget heap;
  private final List<Meters<?>> bound = new ArrayList<>();

  /**
   * @param heap of the service's node
   */
  public ServiceMetrics(Service service, HeapBudget heap) {
    this.service = Checks.notNull("service", service);
    this.heap = Checks.notNull("heap", heap);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    ServiceOptions options = service.options();
    bound.add(bindService(registry, options));
    if (service.queueStats() != null) {
      bound.add(bindQueue(registry, options));
    }
  }

  private Meters<ServiceStats> bindService(MeterRegistry registry, ServiceOptions options) {
    long memoryLimit =
        Math.min(options.getMemoryBytes(), heap.share(HeapBudget.Share.MEMORY_TIERS).limitBytes());
    long diskLimit = service.queueStats() == null ? 0 : options.getDiskBytes();
    return new Meters<>(registry, Tags.of(ADDRESS, service.address()), service::stats)
        .add(SERVICE_WORKERS, ServiceStats::workers)
        .add(SERVICE_WORKERS_BUSY, ServiceStats::busyWorkers)
        .add(SERVICE_PAUSED, stats -> Meters.truth(stats.paused()))
        .add(SERVICE_MEMORY_MESSAGES, ServiceStats::waitingInMemory)
        .add(SERVICE_MEMORY_LIMIT_MESSAGES, stats -> options.getMemoryMessages())
        .add(SERVICE_MEMORY_BYTES, ServiceStats::waitingInMemoryBytes)
        .add(SERVICE_MEMORY_LIMIT_BYTES, stats -> memoryLimit)
        .add(SERVICE_DISK_MESSAGES, ServiceStats::waitingOnDisk)
        .add(SERVICE_DISK_BYTES, ServiceStats::waitingOnDiskBytes)
        .add(SERVICE_DISK_LIMIT_BYTES, stats -> diskLimit)
        .add(SERVICE_SCHEDULED, ServiceStats::scheduled)
        .add(SERVICE_DEAD_LETTERS, ServiceStats::deadLetters)
        .add(SERVICE_WAITED_MAX, stats -> Meters.seconds(stats.waitedNsMax()))
        .add(SERVICE_ACCEPTED, ServiceStats::accepted)
        .add(SERVICE_COMPLETED, ServiceStats::completed)
        .add(SERVICE_FAILED, ServiceStats::failed)
        .add(SERVICE_REJECTED, ServiceStats::rejected)
        .add(SERVICE_DROPPED, ServiceStats::dropped)
        .add(SERVICE_EXPIRED, ServiceStats::expired)
        .add(SERVICE_SPILLED, ServiceStats::spilled)
        .add(SERVICE_WRITTEN, ServiceStats::written)
        .add(SERVICE_WRITTEN_BYTES, ServiceStats::writtenBytes)
        .add(SERVICE_RECOVERED, ServiceStats::recovered)
        .add(SERVICE_ABANDONED, ServiceStats::abandonedRequests)
        .add(SERVICE_RETRIED, ServiceStats::retried)
        .add(SERVICE_WAITED, stats -> Meters.seconds(stats.waitedNsTotal()));
  }

  private Meters<QueueStats> bindQueue(MeterRegistry registry, ServiceOptions options) {
    return new Meters<>(registry, Tags.of(QUEUE, service.address()), service::queueStats)
        .add(QUEUE_WAITING, QueueStats::waiting)
        .add(QUEUE_UNACKNOWLEDGED, QueueStats::unacknowledged)
        .add(QUEUE_SCHEDULED, QueueStats::scheduled)
        .add(QUEUE_BYTES, QueueStats::bytes)
        .add(QUEUE_LIMIT_BYTES, stats -> options.getDiskBytes())
        .add(QUEUE_BUFFERED_BYTES, QueueStats::bufferedBytes)
        .add(QUEUE_DEAD_LETTERS, QueueStats::deadLetters)
        .add(QUEUE_DEAD_LETTER_BYTES, QueueStats::deadLetterBytes)
        .add(QUEUE_APPENDED, QueueStats::appended)
        .add(QUEUE_DELIVERED, QueueStats::delivered)
        .add(QUEUE_ACKNOWLEDGED, QueueStats::acknowledged)
        .add(QUEUE_REJECTED, QueueStats::rejected)
        .add(QUEUE_DROPPED, QueueStats::dropped)
        .add(QUEUE_WRITTEN, QueueStats::writtenMessages)
        .add(QUEUE_WRITTEN_BYTES, QueueStats::writtenBytes)
        .add(QUEUE_COMMITS, QueueStats::commits)
        .add(QUEUE_READ, QueueStats::readMessages)
        .add(QUEUE_RECOVERED, QueueStats::recovered)
        .add(QUEUE_RECOVERED_TRANSIENT, QueueStats::recoveredTransient)
        .add(QUEUE_CORRUPT_PACKETS, QueueStats::corruptPackets)
        .add(QUEUE_LOST, QueueStats::lost)
        .add(QUEUE_RETRIED, QueueStats::retried)
        .add(QUEUE_EXPIRED, QueueStats::expired)
        .add(QUEUE_DUPLICATES, QueueStats::duplicates)
        .add(QUEUE_PURGED, QueueStats::purged)
        .add(QUEUE_DEAD_LETTERED, QueueStats::deadLettered)
        .add(QUEUE_DEAD_LETTERS_TRIMMED, QueueStats::deadLettersTrimmed);
  }

  /** Takes the meters out of their registries. */
  @Override
  public synchronized void close() {
    bound.forEach(Meters::close);
    bound.clear();
  }
}
