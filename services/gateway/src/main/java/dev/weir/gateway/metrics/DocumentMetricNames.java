package dev.weir.gateway.metrics;

import static dev.weir.gateway.metrics.MetricNames.DIRECTORY;

import dev.weir.gateway.metrics.Metric.Type;
import java.util.List;

/** The metrics of documents; {@link MetricNames#all()} has them too. */
public final class DocumentMetricNames {
  /** Tag: name of a factory of documents. */
  public static final String FACTORY = "factory";

  /** Tag: the path of a field that has an index. */
  public static final String FIELD = "field";

  /** Tag: how queries ended, in small letters. */
  public static final String OUTCOME = "outcome";

  public static final Metric DOCUMENTS_RESIDENT_BYTES =
      documents(
          "resident.bytes", "bytes", "heap of documents in memory that are on disk too, estimated");
  public static final Metric DOCUMENTS_RESIDENT_LIMIT_BYTES =
      documents("resident.limit.bytes", "bytes", "above it documents leave the memory");
  public static final Metric DOCUMENTS_MEMORY_BYTES =
      documents(
          "memory.bytes",
          "bytes",
          "heap of documents that are in memory only, estimated, and the share of replicated"
              + " factories");
  public static final Metric DOCUMENTS_MEMORY_LIMIT_BYTES =
      documents(
          "memory.limit.bytes", "bytes", "above it writes of documents in memory only are refused");
  public static final Metric DOCUMENTS_IN_FLIGHT_BYTES =
      documents("in.flight.bytes", "bytes", "heap of operations under way, estimated");
  public static final Metric DOCUMENTS_IN_FLIGHT_LIMIT_BYTES =
      documents("in.flight.limit.bytes", "bytes", "above it operations are refused");
  public static final Metric DOCUMENTS_STREAMS =
      documents(
          "streams", "streams", "of changes that are open, and requests that wait for changes");
  public static final Metric DOCUMENTS_UNWRITABLE =
      documents("unwritable", "0 or 1", "1 while nothing can be written");
  public static final Metric DOCUMENTS_EVICTIONS =
      documentsCounter("evictions", "documents", "that left the memory");
  public static final Metric DOCUMENTS_COMMITS =
      documentsCounter("commits", "commits", "transactions");
  public static final Metric DOCUMENTS_CHANGES =
      documentsCounter("changes", "changes", "committed");
  public static final Metric FACTORY_DOCUMENTS =
      factory("documents", "documents", "that the factory has");
  public static final Metric FACTORY_RESIDENT_DOCUMENTS =
      factory("resident.documents", "documents", "in memory; none of a replicated factory");
  public static final Metric FACTORY_PAUSED_DOCUMENTS =
      factory("paused.documents", "documents", "on disk only; none of a replicated factory");
  public static final Metric FACTORY_HEAP_BYTES =
      factory("heap.bytes", "bytes", "heap of documents in memory, estimated");
  public static final Metric FACTORY_OPERATIONS =
      factoryCounter("operations", "operations", "that have ended, reads included");
  public static final Metric FACTORY_FAILED =
      factoryCounter("failed", "operations", "that failed, refusals included");
  public static final Metric FACTORY_READS =
      factoryCounter("reads", "operations", "reads of documents");
  public static final Metric FACTORY_LOADS =
      factoryCounter(
          "loads",
          "operations",
          "that had to read the disk, because the document was not in memory; none of a"
              + " replicated factory");
  public static final Metric FACTORY_QUERIES =
      new Metric(
          "weir.factory.queries",
          Type.COUNTER,
          "queries",
          List.of(FACTORY, OUTCOME),
          "by outcome: completed, refused, busy or failed; each page counts");

  public static final Metric FACTORY_INDEX =
      new Metric(
          "weir.factory.index",
          Type.GAUGE,
          "fields",
          List.of(FACTORY, FIELD),
          "1 for each that has an index");

  private DocumentMetricNames() {}

  private static Metric documents(String name, String unit, String meaning) {
    return new Metric("weir.documents." + name, Type.GAUGE, unit, List.of(DIRECTORY), meaning);
  }

  private static Metric documentsCounter(String name, String unit, String meaning) {
    return new Metric("weir.documents." + name, Type.COUNTER, unit, List.of(DIRECTORY), meaning);
  }

  private static Metric factory(String name, String unit, String meaning) {
    return new Metric("weir.factory." + name, Type.GAUGE, unit, List.of(FACTORY), meaning);
  }

  private static Metric factoryCounter(String name, String unit, String meaning) {
    return new Metric("weir.factory." + name, Type.COUNTER, unit, List.of(FACTORY), meaning);
  }
}
