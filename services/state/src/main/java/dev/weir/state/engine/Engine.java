package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CLOSED;
import static dev.weir.state.DocumentFailure.MEMORY_FULL;
import static dev.weir.state.DocumentFailure.STORE_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.options.ByteBudget;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.options.HeapExhaustion;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.DocumentsStats;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.change.Decider;
import dev.weir.state.change.Decision;
import dev.weir.state.change.Operation;
import dev.weir.state.change.State;
import dev.weir.state.index.IndexFields;
import dev.weir.state.je.DocumentFiles;
import dev.weir.state.je.FactoryContent;
import dev.weir.state.table.MemoryTables;
import dev.weir.state.table.Tables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads and files of a store of documents. A key belongs to one shard, whose thread decides
 * what its operations do; one thread commits what all shards have decided. Opening and closing
 * block; both, and {@link #openFactory}, are for threads that nobody interrupts.
 */
public final class Engine {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

  /** Null if the store has no directory. */
  private final DocumentFiles files;

  private final HeapShares heap;
  private final ByteBudget inFlight;
  private final MemoryStore memory;
  private final Committer committer;
  private final List<Shard> shards = new ArrayList<>();
  private final Readings readings;
  private final Map<String, FactoryCore> factories = new ConcurrentHashMap<>();

  /** Names of factories whose documents are not here. */
  private final Set<String> others = new HashSet<>();

  private volatile boolean closing;

  /**
   * Opens the directory and starts the threads.
   *
   * @param budget the heap of the node; null for a budget of the store's own
   */
  public Engine(DocumentsOptions options, HeapBudget budget) {
    this.heap = new HeapShares(options, budget);
    this.inFlight = heap.inFlight;
    this.memory = new MemoryStore(heap.memory);
    this.files = options.getDirectory() == null ? null : files(options);
    ExpirySweep sweep =
        new ExpirySweep(options.getExpirySweepMs(), factories::values, this::expire);
    this.committer = new Committer(files, heap, sweep);
    int threads =
        options.getThreads() == 0
            ? Runtime.getRuntime().availableProcessors()
            : options.getThreads();
    for (int i = 0; i < threads; i++) {
      shards.add(new Shard(i, threads, heap, memory, committer));
    }
    committer.start(() -> shards.forEach(Shard::committed));
    this.readings = new Readings(this::peek, options.getMaxStreams(), inFlight);
  }

  private DocumentFiles files(DocumentsOptions options) {
    DocumentFiles opened =
        new DocumentFiles(
            Path.of(options.getDirectory()),
            heap.cacheBytes,
            options.getLogFileBytes(),
            options.getMinFreeBytes());
    heap.takeCache();
    return opened;
  }

  /**
   * Opens a factory.
   *
   * @param options not changed afterwards
   * @param rules not changed afterwards
   * @throws IllegalStateException if a factory of that name is open, or is to be on disk and the
   *     store has no directory, or if the store is closed
   * @throws IllegalArgumentException if it is to be in memory only, and to keep what is on disk
   */
  public synchronized FactoryCore openFactory(
      String name, FactoryOptions options, FactoryRules rules) {
    if (factories.containsKey(name) || others.contains(name)) {
      throw isOpen(name);
    }
    if (closing) {
      throw new IllegalStateException("the store is closed");
    }
    Decider decider = new Decider(name, options, rules);
    FactoryCore factory;
    if (options.isPersisted()) {
      if (files == null) {
        throw new IllegalStateException(
            "the store has no directory, so factory " + name + " cannot be persisted");
      }
      FactoryContent content = files.openFactory(name, options);
      ChangeFeed feed =
          options.getChangeLogBytes() == 0
              ? null
              : new ChangeFeed(content.lastChange(), files.isAfterCrash());
      Tables tables = files.tables(name);
      factory = new FactoryCore(name, options, decider, shards.size(), content, tables, feed);
    } else {
      refuseInMemory(name, "historyVersions", options.getHistoryVersions());
      refuseInMemory(name, "changeLogBytes", options.getChangeLogBytes());
      IndexFields fields = IndexFields.of(options.getIndexes());
      FactoryContent content = new FactoryContent(0, fields, 0, 0);
      MemoryTables tables = new MemoryTables(fields);
      factory = new FactoryCore(name, options, decider, shards.size(), content, tables, null);
    }
    if (options.getMaxDocumentBytes() > inFlight.limitBytes()) {
      LOG.warn(
          "factory {}: maxDocumentBytes is {}, but operations of more than inFlightBytes, {}, are"
              + " refused as too large",
          name,
          options.getMaxDocumentBytes(),
          inFlight.limitBytes());
    }
    factories.put(name, factory);
    return factory;
  }

  /**
   * Takes a name and heap for a factory whose documents are not here.
   *
   * @throws IllegalStateException if a factory of that name is open
   * @throws DocumentException if there is not so much heap for documents in memory
   */
  public synchronized void addOther(String name, long heapBytes) {
    if (factories.containsKey(name) || others.contains(name)) {
      throw isOpen(name);
    }
    if (!heap.memory.tryTake(heapBytes)) {
      throw new DocumentException(
          MEMORY_FULL,
          "factory "
              + name
              + " asks for "
              + heapBytes
              + " bytes of heap, documents in memory have "
              + heap.memory.usedBytes()
              + " of "
              + heap.memory.limitBytes());
    }
    others.add(name);
  }

  private static IllegalStateException isOpen(String name) {
    return new IllegalStateException("factory " + name + " is open already");
  }

  private static void refuseInMemory(String name, String option, long value) {
    if (value != 0) {
      throw Checks.notAllowed(option, value, "0 in factory " + name + ", which is not persisted");
    }
  }

  /**
   * Runs an operation. A read of a document in memory ends before this returns.
   *
   * @param completion called once, on this thread or on one of the store
   */
  public void submit(FactoryCore factory, String key, Operation operation, Completion completion) {
    byte[] keyBytes;
    try {
      if (closing) {
        throw closed();
      }
      keyBytes = Keys.bytes(factory, key);
    } catch (DocumentException e) {
      factory.ended(true);
      completion.end(null, e);
      return;
    }
    Shard shard = shard(key);
    if (operation.isRead()) {
      factory.read();
      State state = shard.peek(factory, key, true);
      if (state != null) {
        read(factory, key, state, operation, completion);
        return;
      }
    }
    if (factory.memory != null && !factory.decider.hasRules()) {
      runInMemory(factory, shard.home(factory), key, keyBytes, operation, completion);
      return;
    }
    Task task = new Task(factory, key, keyBytes, operation, completion, inFlight);
    if (!inFlight.tryTake(task.heldBytes())) {
      factory.ended(true);
      completion.end(null, noRoom(task));
    } else if (!shard.add(task)) {
      task.fail(closed());
    }
  }

  /** Why there is no room for an operation: there never is for this one, or there is none now. */
  private DocumentException noRoom(Task task) {
    DocumentException tooLarge = task.factory.decider.tooLarge(task.key, task.operation);
    if (tooLarge != null) {
      return tooLarge;
    }
    return task.heldBytes() > inFlight.limitBytes()
        ? new DocumentException(
            TOO_LARGE,
            "document "
                + task.key
                + ": the operation takes "
                + task.heldBytes()
                + " bytes of heap, inFlightBytes is "
                + inFlight.limitBytes()
                + ", maxDocumentBytes is "
                + task.factory.options().getMaxDocumentBytes())
        : new DocumentException(BUSY, "too many bytes of operations are under way");
  }

  private void runInMemory(
      FactoryCore factory,
      Residents home,
      String key,
      byte[] keyBytes,
      Operation operation,
      Completion completion) {
    Outcome outcome;
    try {
      outcome = memory.run(factory, home, key, keyBytes, operation);
    } catch (DocumentException e) {
      factory.ended(true);
      completion.end(null, e);
      return;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      factory.ended(true);
      completion.end(null, new DocumentException(STORE_FAILED, "the operation failed: " + e, e));
      return;
    }
    factory.ended(false);
    completion.end(outcome, null);
  }

  /** The shard of a key. */
  private Shard shard(String key) {
    return shards.get(Math.floorMod(spread(key.hashCode()), shards.size()));
  }

  private State peek(FactoryCore factory, String key, boolean committed) {
    Shard shard = shard(key);
    return committed ? shard.peekCommitted(factory, key) : shard.peek(factory, key, false);
  }

  /** What is refused from the start of the close on. */
  static DocumentException closed() {
    return new DocumentException(CLOSED, "the store is closed");
  }

  private static void read(
      FactoryCore factory, String key, State state, Operation operation, Completion completion) {
    Decision decision;
    try {
      decision = factory.decider.decide(key, state, operation, 0, System.currentTimeMillis());
    } catch (DocumentException e) {
      factory.ended(true);
      completion.end(null, e);
      return;
    }
    factory.ended(false);
    completion.end(Outcome.of(decision), null);
  }

  private void expire(FactoryCore factory, byte[] key) {
    submit(
        factory,
        new String(key, StandardCharsets.UTF_8),
        Operation.EXPIRE,
        (outcome, failure) -> {});
  }

  private static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ mixed >>> 16;
  }

  /** What is read of factories beside single documents. */
  public Readings readings() {
    return readings;
  }

  /** What operations and answers under way may hold. */
  public ByteBudget inFlight() {
    return inFlight;
  }

  /** What of {@link #inFlight} is much larger than the operations that it is of. */
  public ByteBudget outgrown() {
    return heap.outgrown;
  }

  public DocumentsStats stats() {
    return new DocumentsStats(
        shards.stream().mapToLong(Shard::residentBytes).sum(),
        heap.resident.limitBytes(),
        heap.memory.usedBytes(),
        heap.memory.limitBytes(),
        inFlight.usedBytes(),
        inFlight.limitBytes(),
        shards.stream().mapToLong(Shard::evictions).sum(),
        committer.commits(),
        committer.changes(),
        readings.streams().count(),
        committer.fault());
  }

  /** How many documents each factory on disk has. */
  private Map<String, Long> documents() {
    return factories.values().stream()
        .filter(factory -> factory.memory == null)
        .collect(Collectors.toMap(FactoryCore::name, FactoryCore::documents));
  }

  /** Ends what is under way, commits, and closes the files. */
  public void close() {
    closing = true;
    readings.close(factories.values());
    shards.forEach(Shard::close);
    committer.close();
    if (files != null) {
      files.close(committer.hasFailed() ? Map.of() : documents());
    }
    heap.close(files != null);
  }
}
