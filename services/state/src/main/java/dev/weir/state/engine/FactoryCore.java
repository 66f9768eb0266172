package dev.weir.state.engine;

import dev.weir.queue.Durability;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.DocumentVersion;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryStats;
import dev.weir.state.change.Decider;
import dev.weir.state.change.State;
import dev.weir.state.index.IndexFields;
import dev.weir.state.je.FactoryContent;
import dev.weir.state.table.MemoryTables;
import dev.weir.state.table.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** A factory as the threads of the store know it: its documents in memory, and its counters. */
public final class FactoryCore {
  final String name;
  final Decider decider;
  final IndexFields fields;
  final boolean toDevice;
  final Tables tables;

  /** The tables of a factory that is never on disk; null for any other. */
  final MemoryTables memory;

  /** 0 if a write is acknowledged when it is committed. */
  final long commitIntervalNs;

  /** How many versions are kept of a document beside the current one. */
  final int earlierVersions;

  /** Null if the factory has no log of changes. */
  final ChangeFeed feed;

  private final FactoryOptions options;

  /** By the index of the shard. */
  private final List<Residents> resident = new ArrayList<>();

  /** The largest version that was deleted. */
  private final AtomicLong floor;

  private final LongAdder operations = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final QueryCounts queries = new QueryCounts();

  /** Those on disk, as far as their commits have ended. */
  private final AtomicLong documents;

  /**
   * @param tables a {@link MemoryTables} if the factory is never on disk
   * @param feed null if the factory has no log of changes
   */
  FactoryCore(
      String name,
      FactoryOptions options,
      Decider decider,
      int shards,
      FactoryContent content,
      Tables tables,
      ChangeFeed feed) {
    this.name = name;
    this.options = options;
    this.decider = decider;
    this.fields = content.fields();
    this.tables = tables;
    this.feed = feed;
    this.memory = tables instanceof MemoryTables inMemory ? inMemory : null;
    this.toDevice = options.getDurability() == Durability.MACHINE;
    this.commitIntervalNs =
        memory == null ? TimeUnit.MILLISECONDS.toNanos(options.getCommitIntervalMs()) : 0;
    this.earlierVersions = options.getHistoryVersions();
    this.floor = new AtomicLong(content.floor());
    this.documents = new AtomicLong(content.documents());
    for (int i = 0; i < shards; i++) {
      resident.add(new Residents());
    }
  }

  public String name() {
    return name;
  }

  /** Whether the factory has a log of changes. */
  public boolean logsChanges() {
    return feed != null;
  }

  /** Not to be changed. */
  public FactoryOptions options() {
    return options;
  }

  Residents resident(int shard) {
    return resident.get(shard);
  }

  long floor() {
    return floor.get();
  }

  void raiseFloor(long version) {
    floor.accumulateAndGet(version, Math::max);
  }

  /** A kept version of a document that exists. */
  State version(String key, byte[] keyBytes, long version, State current) {
    // What is above the current version is not committed.
    State kept = version > current.version() ? null : tables.version(keyBytes, version);
    if (kept == null) {
      throw new DocumentException(
          DocumentFailure.NOT_FOUND,
          "document "
              + key
              + " has version "
              + current.version()
              + ", and version "
              + version
              + " is not kept");
    }
    return kept;
  }

  /** The kept versions of a document up to the current one, the newest first. */
  List<DocumentVersion> versions(byte[] keyBytes, long current) {
    if (earlierVersions == 0) {
      throw new DocumentException(
          DocumentFailure.BAD_REQUEST,
          "factory " + name + " keeps no versions: its historyVersions is 0");
    }
    return tables.versions(keyBytes, current);
  }

  void ended(boolean failure) {
    operations.increment();
    if (failure) {
      failed.increment();
    }
  }

  /** Documents were created and deleted on disk. */
  void added(int difference) {
    documents.addAndGet(difference);
  }

  /** Documents on disk. */
  long documents() {
    return documents.get();
  }

  /**
   * A query has ended.
   *
   * @param failure null if it was answered
   */
  void queried(Throwable failure) {
    queries.add(failure);
  }

  void read() {
    reads.increment();
  }

  void loaded() {
    loads.increment();
  }

  public FactoryStats stats() {
    long inMemory = resident.stream().mapToLong(Residents::mappingCount).sum();
    return new FactoryStats(
        operations.sum(),
        failed.sum(),
        reads.sum(),
        loads.sum(),
        inMemory,
        memory == null ? documents.get() : inMemory,
        queries.stats(),
        resident.stream().mapToLong(Residents::heapBytes).sum());
  }
}
