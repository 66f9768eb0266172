package dev.weir.group.documents;

import static dev.weir.state.DocumentFailure.BAD_REQUEST;
import static dev.weir.state.DocumentFailure.MEMORY_FULL;

import dev.weir.group.GroupMessage;
import dev.weir.group.GroupProcessor;
import dev.weir.group.GroupState;
import dev.weir.group.GroupTimer;
import dev.weir.group.RefusedException;
import dev.weir.state.DocumentException;
import dev.weir.state.FactoryOptions;
import dev.weir.state.FactoryRules;
import dev.weir.state.Query;
import dev.weir.state.change.Decider;
import dev.weir.state.change.Decision;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.Operation;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import dev.weir.state.engine.Outcome;
import dev.weir.state.index.IndexFields;
import dev.weir.state.query.Plan;
import dev.weir.state.table.MemoryTables;
import dev.weir.state.table.Range;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The documents of one shard. Operations change them on the primary alone, so the rules of a
 * factory run there and once; what changed is replicated.
 */
public final class DocumentProcessor implements GroupProcessor<Object> {
  private static final String TIMER = "expiry";

  /**
   * Documents that one timer deletes: others wait meanwhile. They are fewer where these take half
   * of what a call may change, so that the last one fits too, or {@link CallTime} is over.
   */
  private static final int MAX_EXPIRED = 100;

  /** The least time from one such timer to the next. */
  private static final long EXPIRY_PAUSE_MS = 10;

  /** Members of this version of the application have their documents on the disk. */
  private static final int STORED = 2;

  private final String factory;
  private final String fields;
  private final IndexFields indexes;
  private final Decider decider;
  private final long maxHeapBytes;
  private final boolean isStored;
  private final LongSupplier nanoTime;

  /** Estimated heap of the log of changes; 0 if there is none. */
  private final long logBytes;

  /**
   * @param maxHeapBytes what the shard may hold on this member, estimated
   * @param logBytes of these, what its log of changes may hold; 0 for no log
   * @param isStored whether the documents are on the disk: then the shard may hold more, unless a
   *     member keeps all in memory because it is of an earlier version
   */
  public DocumentProcessor(
      String factory,
      FactoryOptions options,
      FactoryRules rules,
      long maxHeapBytes,
      long logBytes,
      boolean isStored) {
    this(factory, options, rules, maxHeapBytes, logBytes, isStored, System::nanoTime);
  }

  DocumentProcessor(
      String factory,
      FactoryOptions options,
      FactoryRules rules,
      long maxHeapBytes,
      long logBytes,
      boolean isStored,
      LongSupplier nanoTime) {
    this.factory = factory;
    this.fields = String.join(" ", options.getIndexes());
    this.indexes = IndexFields.of(options.getIndexes());
    this.decider = new Decider(factory, options, rules);
    this.maxHeapBytes = maxHeapBytes - logBytes;
    this.logBytes = logBytes;
    this.isStored = isStored;
    this.nanoTime = nanoTime;
  }

  @Override
  public Object handle(GroupMessage<Object> message, GroupState state) {
    try {
      if (message.body() instanceof JsonObject command) {
        new ShardLog(state).seal(command.getLong(ShardLog.SEAL, 0L), message.timestampMs());
        return null;
      }
      Operation operation = ShardRequest.decode((Buffer) message.body());
      return ShardReply.encode(run(message.key(), operation, message.timestampMs(), state));
    } catch (DocumentException e) {
      throw refused(e);
    }
  }

  @Override
  public int version() {
    return STORED;
  }

  private static RefusedException refused(DocumentException failure) {
    return new RefusedException(failure.failure().code(), failure.getMessage());
  }

  private Outcome run(String key, Operation operation, long nowMs, GroupState state) {
    ShardTables tables = tables(state);
    State before = tables.get(key);
    Decision decision = decider.decide(key, before, operation, tables.floor(), nowMs);
    State after = decision.after();
    if (after != before) {
      MemoryTables.Update update = MemoryTables.update(indexes, bytes(key), before, after);
      if (!isStored || state.version() < STORED) {
        checkRoom(key, tables, ShardTables.moreBytes(update, before, after));
      }
      if (tables.fields() == null) {
        tables.setFields(fields);
      }
      log(tables, update.key(), before, after, nowMs, state);
      tables.change(key, update, before, after);
      setTimer(tables, after.expiresAtMs(), state);
    }
    boolean isAction = operation.kind() == Operation.Kind.ACT;
    return new Outcome(
        isAction ? State.ABSENT : decision.shown(), decision.reply(), decision.created());
  }

  /** Before the tables are changed. */
  private void log(
      ShardTables tables, byte[] key, State before, State after, long nowMs, GroupState state) {
    ShardLog log = new ShardLog(state);
    if (logBytes == 0) {
      log.skip(nowMs);
    } else {
      LoggedChange change = LoggedChange.decided(key, before, after, nowMs);
      log.append(change, tables.documents() > 0, logBytes);
    }
  }

  private static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** Entries of the index have numbers of fields, so these stay. */
  private ShardTables tables(GroupState state) {
    ShardTables tables = new ShardTables(state);
    String known = tables.fields();
    if (known != null && !known.equals(fields)) {
      throw new DocumentException(
          BAD_REQUEST,
          "factory "
              + factory
              + " has indexes on ["
              + known
              + "], but this member was started with ["
              + fields
              + "]: those of a replicated factory cannot be changed");
    }
    return tables;
  }

  private void checkRoom(String key, ShardTables tables, long moreBytes) {
    if (moreBytes > 0 && tables.heapBytes() + moreBytes > maxHeapBytes) {
      throw new DocumentException(
          MEMORY_FULL,
          "factory "
              + factory
              + " has no room for document "
              + key
              + ": its shard has "
              + tables.heapBytes()
              + " of "
              + maxHeapBytes
              + " bytes of heap");
    }
  }

  /** Has expired documents deleted: the timer fires at the earliest expiry, or before it. */
  private static void setTimer(ShardTables tables, long expiresAtMs, GroupState state) {
    long setMs = tables.timerMs();
    if (expiresAtMs != 0 && (setMs == 0 || expiresAtMs < setMs)) {
      state.timers().set(TIMER, expiresAtMs, null);
      tables.setTimerMs(expiresAtMs);
    }
  }

  @Override
  public void onTimer(GroupTimer timer, GroupState state) {
    CallTime time = new CallTime(nanoTime);
    ShardTables tables = new ShardTables(state);
    tables.setTimerMs(0);
    List<byte[]> expired = new ArrayList<>();
    long[] nextMs = {0};
    tables.scanIndex(
        new Range(new byte[0], new byte[] {0, Records.EXPIRY_FIELD + 1}, false),
        entry -> {
          if (expired.size() < MAX_EXPIRED && Records.isExpired(entry, timer.timestampMs())) {
            return expired.add(Records.keyOfExpiry(entry));
          }
          nextMs[0] = Math.max(Records.expiryMs(entry), timer.timestampMs() + EXPIRY_PAUSE_MS);
          return false;
        });
    int leastRoom = state.room() / 2;
    for (byte[] key : expired) {
      delete(key, tables, timer.timestampMs(), state);
      if (state.room() < leastRoom || time.isOver()) {
        nextMs[0] = timer.timestampMs() + EXPIRY_PAUSE_MS;
        break;
      }
    }
    setTimer(tables, nextMs[0], state);
  }

  private void delete(byte[] keyBytes, ShardTables tables, long nowMs, GroupState state) {
    String key = ShardTables.text(keyBytes);
    State before = tables.get(key);
    MemoryTables.Update update = MemoryTables.update(indexes, keyBytes, before, State.ABSENT);
    log(tables, keyBytes, before, State.ABSENT, nowMs, state);
    tables.change(key, update, before, State.ABSENT);
  }

  @Override
  public Object read(GroupMessage<Object> message, GroupState state) {
    try {
      if (message.body() instanceof JsonObject question) {
        return answer(question, message.timestampMs(), state);
      }
      Operation operation = ShardRequest.decode((Buffer) message.body());
      if (!operation.isRead()) {
        throw new DocumentException(BAD_REQUEST, "a read changes nothing");
      }
      State found = tables(state).get(message.key());
      Decision decision = decider.decide(message.key(), found, operation, 0, message.timestampMs());
      return ShardReply.encode(new Outcome(decision.shown(), null, false));
    } catch (DocumentException e) {
      throw refused(e);
    }
  }

  /** Of a question without members the figures of the shard. */
  private Buffer answer(JsonObject question, long nowMs, GroupState state) {
    if (question.isEmpty()) {
      ShardTables tables = tables(state);
      long bytes = tables.heapBytes() + new ShardLog(state).heapBytes();
      return new ShardQueries.Figures(tables.documents(), bytes).encode();
    }
    JsonObject changes = question.getJsonObject(ShardLog.CHANGES);
    return changes == null
        ? query(question, nowMs, state).encode()
        : new ShardLog(state).read(changes.getLong("after"), changes.getInteger("limit")).encode();
  }

  private ShardPage query(JsonObject question, long nowMs, GroupState state) {
    Query query = new Query(question.getJsonObject(ShardSearch.QUERY));
    Plan plan = Plan.of(query, factory, indexes);
    boolean counts = question.getBoolean(ShardSearch.COUNTS);
    return new ShardSearch(tables(state), plan, counts, nowMs, new CallTime(nanoTime)).run();
  }
}
