package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.DocumentMetricNames.*;
import static dev.weir.gateway.metrics.MetricNames.DIRECTORY;

import dev.weir.options.Checks;
import dev.weir.state.DocumentFactory;
import dev.weir.state.Documents;
import dev.weir.state.DocumentsStats;
import dev.weir.state.FactoryStats;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;

/**
 * The figures of a store of documents, and of its factories that are open when this is bound. Needs
 * weir-state on the class path.
 */
public final class DocumentMetrics implements MeterBinder, AutoCloseable {
  /** Stands for the directory of a store that has none. */
  private static final String NO_DIRECTORY = "none";

  private final Documents documents;
  private final List<Meters<?>> bound = new ArrayList<>();

  public DocumentMetrics(Documents documents) {
    this.documents = Checks.notNull("documents", documents);
  }

  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    String directory = documents.options().getDirectory();
    Tags tags = Tags.of(DIRECTORY, directory == null ? NO_DIRECTORY : directory);
    bound.add(
        new Meters<>(registry, tags, documents::stats)
            .add(DOCUMENTS_RESIDENT_BYTES, DocumentsStats::residentBytes)
            .add(DOCUMENTS_RESIDENT_LIMIT_BYTES, DocumentsStats::residentLimitBytes)
            .add(DOCUMENTS_MEMORY_BYTES, DocumentsStats::memoryBytes)
            .add(DOCUMENTS_MEMORY_LIMIT_BYTES, DocumentsStats::memoryLimitBytes)
            .add(DOCUMENTS_IN_FLIGHT_BYTES, DocumentsStats::inFlightBytes)
            .add(DOCUMENTS_IN_FLIGHT_LIMIT_BYTES, DocumentsStats::inFlightLimitBytes)
            .add(DOCUMENTS_STREAMS, DocumentsStats::streams)
            .add(DOCUMENTS_UNWRITABLE, stats -> Meters.truth(stats.fault() != null))
            .add(DOCUMENTS_EVICTIONS, DocumentsStats::evictions)
            .add(DOCUMENTS_COMMITS, DocumentsStats::commits)
            .add(DOCUMENTS_CHANGES, DocumentsStats::changes));
    documents.factories().forEach(factory -> bound.add(bind(registry, factory)));
  }

  /** A figure that the factory does not know has no meter. */
  private static Meters<?> bind(MeterRegistry registry, DocumentFactory factory) {
    Meters<FactoryStats> meters =
        new Meters<>(registry, Tags.of(FACTORY, factory.name()), factory::stats);
    factory
        .options()
        .getIndexes()
        .forEach(field -> meters.add(FACTORY_INDEX, Tags.of(FIELD, field), stats -> 1));
    FactoryStats now = factory.stats();
    if (now.residentDocuments() >= 0) {
      meters
          .add(FACTORY_RESIDENT_DOCUMENTS, FactoryStats::residentDocuments)
          .add(FACTORY_PAUSED_DOCUMENTS, FactoryStats::pausedDocuments);
    }
    if (now.loads() >= 0) {
      meters.add(FACTORY_LOADS, FactoryStats::loads);
    }
    return meters
        .add(FACTORY_DOCUMENTS, FactoryStats::documents)
        .add(FACTORY_HEAP_BYTES, FactoryStats::heapBytes)
        .add(FACTORY_OPERATIONS, FactoryStats::operations)
        .add(FACTORY_FAILED, FactoryStats::failed)
        .add(FACTORY_READS, FactoryStats::reads)
        .add(FACTORY_QUERIES, outcome("completed"), stats -> stats.queries().completed())
        .add(FACTORY_QUERIES, outcome("refused"), stats -> stats.queries().refused())
        .add(FACTORY_QUERIES, outcome("busy"), stats -> stats.queries().busy())
        .add(FACTORY_QUERIES, outcome("failed"), stats -> stats.queries().failed());
  }

  private static Tags outcome(String word) {
    return Tags.of(OUTCOME, word);
  }

  /** Takes the meters out of their registries. */
  @Override
  public synchronized void close() {
    bound.forEach(Meters::close);
    bound.clear();
  }
}
