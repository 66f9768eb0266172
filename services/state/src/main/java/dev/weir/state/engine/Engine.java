package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.BUSY;
import static dev.weir.state.DocumentFailure.CLOSED;
import static dev.weir.state.DocumentFailure.TOO_LARGE;

import dev.weir.options.ByteBudget;
import dev.weir.state.DocumentException;
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
import dev.weir.state.je.DocumentFiles;
import dev.weir.state.je.FactoryContent;
import dev.weir.state.query.Plan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The threads and files of a store of documents. A key belongs to one shard, whose thread decides
 * what its operations do; one thread commits what all shards have decided. Opening and closing
 * block; both, and {@link #openFactory}, are for threads that nobody interrupts.
 */
public final class Engine {
  private static final int RESIDENT_PART = 4;
  private static final int IN_FLIGHT_PART = 8;
  private static final int CACHE_PART = 8;

  private final DocumentFiles files;
  private final ByteBudget inFlight;
  private final long residentLimitBytes;
  private final Committer committer;
  private final List<Shard> shards = new ArrayList<>();
  private final QueryThread queries;
  private final Map<String, FactoryCore> factories = new ConcurrentHashMap<>();
  private volatile boolean closing;

  /** Opens the directory and starts the threads. */
  public Engine(DocumentsOptions options) {
    this.residentLimitBytes = share(options.getResidentBytes(), RESIDENT_PART);
    this.inFlight = new ByteBudget(share(options.getInFlightBytes(), IN_FLIGHT_PART));
    this.files =
        new DocumentFiles(
            Path.of(options.getDirectory()),
            share(options.getCacheBytes(), CACHE_PART),
            options.getLogFileBytes(),
            options.getMinFreeBytes());
    ExpirySweep sweep =
        new ExpirySweep(files, options.getExpirySweepMs(), factories::values, this::expire);
    this.committer = new Committer(files, inFlight, sweep);
    int threads =
        options.getThreads() == 0
            ? Runtime.getRuntime().availableProcessors()
            : options.getThreads();
    for (int i = 0; i < threads; i++) {
      shards.add(new Shard(i, residentLimitBytes / threads, files, inFlight, committer));
    }
    committer.start();
    this.queries = new QueryThread(files, this::peek);
  }

  private static long share(long bytes, int part) {
    return bytes == 0
        ? Math.max(DocumentsOptions.MIN_BUDGET_BYTES, Runtime.getRuntime().maxMemory() / part)
        : bytes;
  }

  /**
   * Opens a factory.
   *
   * @param options not changed afterwards
   * @param rules not changed afterwards
   * @throws IllegalStateException if a factory of that name is open
   */
  public FactoryCore openFactory(String name, FactoryOptions options, FactoryRules rules) {
    FactoryContent content = files.openFactory(name, options.getIndexes());
    Decider decider = new Decider(name, options, rules);
    FactoryCore factory = new FactoryCore(name, options, decider, shards.size(), content);
    if (factories.putIfAbsent(name, factory) != null) {
      throw new IllegalStateException("factory " + name + " is open already");
    }
    return factory;
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
    Task task = new Task(factory, key, keyBytes, operation, completion, inFlight);
    if (!inFlight.tryTake(task.heldBytes())) {
      factory.ended(true);
      completion.end(
          null, new DocumentException(BUSY, "too many bytes of operations are under way"));
    } else if (!shard.add(task)) {
      task.fail(closed());
    }
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
    completion.end(new Outcome(decision.shown(), null), null);
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
    return key.chars().anyMatch(each -> Character.isSurrogate((char) each))
        && !StandardCharsets.UTF_8.newEncoder().canEncode(key);
  }

  public DocumentsStats stats() {
    return new DocumentsStats(
        shards.stream().mapToLong(Shard::residentBytes).sum(),
        residentLimitBytes,
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
    files.close();
  }
}
