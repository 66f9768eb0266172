package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CLOSED;
import static dev.weir.state.DocumentFailure.STORE_FAILED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.options.ByteBudget;
import dev.weir.options.Checks;
import dev.weir.options.HeapBudget;
import dev.weir.options.HeapExhaustion;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentVersion;
import dev.weir.state.DocumentsOptions;
import dev.weir.state.DocumentsStats;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.Query;
import dev.weir.state.QueryPage;
import dev.weir.state.change.Decider;
import dev.weir.state.change.Decision;
import dev.weir.state.change.Operation;
import dev.weir.state.change.State;
import dev.weir.state.index.IndexFields;
import dev.weir.state.je.DocumentFiles;
import dev.weir.state.je.FactoryContent;
import dev.weir.state.query.Plan;
import dev.weir.state.table.MemoryTables;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/**
 * The threads and files of a store of documents. A key belongs to one shard, whose thread decides
 * what its operations do; one thread commits what all shards have decided. Opening and closing
 * block; both, and {@link #openFactory}, are for threads that nobody interrupts.
 */
public final class Engine {
  /** Null if the store has no directory. */
  private final DocumentFiles files;

  private final HeapShares heap;
  private final ByteBudget inFlight;
  private final MemoryStore memory;
  private final Committer committer;
  private final List<Shard> shards = new ArrayList<>();
  private final QueryThread queries;
  private final Map<String, FactoryCore> factories = new ConcurrentHashMap<>();
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
    this.committer = new Committer(files, inFlight, sweep);
    int threads =
        options.getThreads() == 0
            ? Runtime.getRuntime().availableProcessors()
            : options.getThreads();
    for (int i = 0; i < threads; i++) {
      shards.add(new Shard(i, threads, heap, memory, committer));
    }
    committer.start(() -> shards.forEach(Shard::committed));
    this.queries = new QueryThread(this::peek);
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
   *     store has no directory
   * @throws IllegalArgumentException if it is to be in memory only, and to keep what is on disk
   */
  public synchronized FactoryCore openFactory(
      String name, FactoryOptions options, FactoryRules rules) {
    if (factories.containsKey(name)) {
      throw new IllegalStateException("factory " + name + " is open already");
    }
    Decider decider = new Decider(name, options, rules);
    FactoryCore factory;
    if (options.isPersisted()) {
      if (files == null) {
        throw new IllegalStateException(
            "the store has no directory, so factory " + name + " cannot be persisted");
      }
      FactoryContent content = files.openFactory(name, options);
      factory = new FactoryCore(name, options, decider, shards.size(), content, files.tables(name));
    } else {
      refuseInMemory(name, "historyVersions", options.getHistoryVersions());
      IndexFields fields = IndexFields.of(options.getIndexes());
      FactoryContent content = new FactoryContent(0, fields);
      MemoryTables tables = new MemoryTables(fields);
      factory = new FactoryCore(name, options, decider, shards.size(), content, tables);
    }
    factories.put(name, factory);
    return factory;
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
      keyBytes = keyBytes(factory, key);
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
      completion.end(
          null, new DocumentException(BUSY, "too many bytes of operations are under way"));
    } else if (!shard.add(task)) {
      task.fail(closed());
    }
  }

  private void runInMemory(
      FactoryCore factory,
      ConcurrentHashMap<String, Entry> home,
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

  private State peek(FactoryCore factory, String key) {
    return shard(key).peek(factory, key, false);
  }

  /**
   * Looks for a page of documents.
   *
   * @param done gets the page, or the failure
   */
  public void query(FactoryCore factory, Query query, BiConsumer<QueryPage, Throwable> done) {
    find(factory, query, false, done);
  }

  /** Counts the documents that match; gives them as a page without documents. */
  public void count(FactoryCore factory, Query query, BiConsumer<Long, Throwable> done) {
    Query all = new Query().setFilter(query.getFilter());
    find(factory, all, true, done);
  }

  @SuppressWarnings("unchecked") // a count is told as a number, a query as a page
  private <T> void find(
      FactoryCore factory, Query query, boolean counts, BiConsumer<T, Throwable> done) {
    Search search;
    try {
      if (closing) {
        throw closed();
      }
      Plan plan = Plan.of(query, factory.name, factory.fields);
      search = new Search(factory, plan, counts, (BiConsumer<Object, Throwable>) done);
    } catch (RuntimeException e) {
      done.accept(null, e);
      return;
    }
    queries.add(search);
  }

  /**
   * Reads a version of a document.
   *
   * @param done gets the version, or the failure
   */
  public void version(
      FactoryCore factory, String key, long version, BiConsumer<State, Throwable> done) {
    readKept(
        factory,
        key,
        (keyBytes, current) ->
            current.version() == version
                ? current
                : factory.version(key, keyBytes, version, current),
        done);
  }

  /**
   * Lists the kept versions of a document, the newest first.
   *
   * @param done gets the list, or the failure
   */
  public void versions(
      FactoryCore factory, String key, BiConsumer<List<DocumentVersion>, Throwable> done) {
    readKept(factory, key, (keyBytes, current) -> factory.versions(keyBytes, current.version()), done);
  }

  private <T> void readKept(
      FactoryCore factory,
      String key,
      BiFunction<byte[], State, T> read,
      BiConsumer<T, Throwable> done) {
    VersionReading<T> reading;
    factory.read();
    try {
      if (closing) {
        throw closed();
      }
      byte[] bytes = keyBytes(factory, key);
      reading =
          new VersionReading<>(factory, key, bytes, current -> read.apply(bytes, current), done);
    } catch (DocumentException e) {
      factory.ended(true);
      done.accept(null, e);
      return;
    }
    queries.add(reading);
  }

  private static DocumentException closed() {
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

  private static byte[] keyBytes(FactoryCore factory, String key) {
    if (key == null || key.isEmpty()) {
      throw new DocumentException(BAD_REQUEST, "the key is missing or empty");
    }
    int most = factory.options().getMaxKeyBytes();
    if (key.length() <= most) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      if (bytes.length <= most) {
        if (isHalved(key)) {
          throw new DocumentException(BAD_REQUEST, "the key has half a character (a surrogate)");
        }
        return bytes;
      }
    }
    throw new DocumentException(
        TOO_LARGE, "the key has " + key.length() + " characters, allowed are " + most + " bytes");
  }

  /** Whether there is a surrogate without its other half, which has no form in UTF-8. */
  private static boolean isHalved(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (Character.isSurrogate(key.charAt(i))) {
        return !StandardCharsets.UTF_8.newEncoder().canEncode(key);
      }
    }
    return false;
  }

  /** What operations under way may hold. */
  public ByteBudget inFlight() {
    return inFlight;
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
        committer.fault());
  }

  /** Ends what is under way, commits, and closes the files. */
  public void close() {
    closing = true;
    queries.close();
    shards.forEach(Shard::close);
    committer.close();
    if (files != null) {
      files.close();
    }
    heap.close(files != null);
  }
}
