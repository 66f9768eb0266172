package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.STORE_FAILED;

import dev.weir.options.ByteBudget;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.store.UninterruptibleThread;
import dev.weir.state.DocumentException;
import dev.weir.state.change.Change;
import dev.weir.state.change.Decision;
import dev.weir.state.change.KeptVersions;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.change.Records;
import dev.weir.state.change.State;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs the operations of its keys, one after another, and keeps their documents in
 * memory within a budget. An operation works on what the one before it has decided, committed or
 * not; its requester is told when all of that is committed. So the operations of one key need no
 * commit each.
 */
final class Shard {
  private static final Logger LOG = LoggerFactory.getLogger(Shard.class);
  private static final long REST_NS = TimeUnit.HOURS.toNanos(1);

  /**
   * After this part of the budget was read from disk or made, it is handed over, and the memory is
   * looked through.
   */
  private static final int HAND_OVERS_IN_BUDGET = 8;

  /** What was read or made for an operation outgrows it if it is more than so many times larger. */
  private static final int OUTGROWN = 2;

  /** Changes are refused at half of what may be outgrown, and wait for their commit before that. */
  private static final int AT_ONCE_IN_OUTGROWN = 4;

  private final int index;
  private final long limitBytes;
  private final ByteBudget resident;
  private final ByteBudget inFlight;
  private final ByteBudget outgrown;
  private final Endings endings;
  private final MemoryStore memory;
  private final Committer committer;
  private final Inbox<Task> inbox = new Inbox<>();
  private final UninterruptibleThread thread;

  /** The entries in memory, those that the eviction looks at next first. */
  private final ArrayDeque<Entry> ring = new ArrayDeque<>();

  /** What the tasks of one turn hand to the committer. */
  private final List<Item> decided = new ArrayList<>();

  private volatile long residentBytes;

  /** What was read from disk or made since the last hand-over. */
  private long resultBytes;

  /** What of {@link #residentBytes} was taken from the budget. */
  private long settledBytes;

  private volatile long evictions;

  Shard(int index, int shards, HeapShares heap, MemoryStore memory, Committer committer) {
    this.index = index;
    this.limitBytes = heap.resident.limitBytes() / shards;
    this.resident = heap.resident;
    this.inFlight = heap.inFlight;
    this.outgrown = heap.outgrown;
    this.endings = new Endings(heap);
    this.memory = memory;
    this.committer = committer;
    this.thread = new UninterruptibleThread(this::loop, "weir-documents-" + index);
    thread.start();
  }

  /** Where a factory keeps its entries of this shard. */
  Residents home(FactoryCore factory) {
    return factory.resident(index);
  }

  /** False if the shard is closed. */
  boolean add(Task task) {
    return inbox.add(task);
  }

  /**
   * The published state of a key that is in memory; null if it is not. Any thread.
   *
   * @param use whether this is a use that keeps the document in memory
   */
  State peek(FactoryCore factory, String key, boolean use) {
    Entry entry = entry(factory, key);
    if (entry == null) {
      return null;
    }
    if (use) {
      entry.touch();
    }
    return entry.published;
  }

  /**
   * The committed state of a key that is in memory; null if it is not, or if a change of it waits
   * for its commit. Any thread.
   */
  State peekCommitted(FactoryCore factory, String key) {
    Entry entry = entry(factory, key);
    if (entry == null) {
      return null;
    }
    State state = entry.published;
    // In this order: a state that is published early is pending before.
    return factory.commitIntervalNs > 0 && entry.isPending() ? null : state;
  }

  private Entry entry(FactoryCore factory, String key) {
    Entry entry = factory.resident(index).get(key);
    return entry == null || entry.dead ? null : entry;
  }

  long residentBytes() {
    return residentBytes;
  }

  long evictions() {
    return evictions;
  }

  /** Evicts what could not leave before it was committed. Any thread. */
  void committed() {
    if (residentBytes > limitBytes) {
      inbox.wake();
    }
  }

  /** Runs what waits, then ends. */
  void close() {
    inbox.close();
    thread.awaitEnd();
  }

  private void loop() {
    while (!inbox.isFinished()) {
      try {
        turn();
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error("a thread of documents failed and continues", e);
      }
    }
  }

  private void turn() {
    List<Task> tasks = inbox.take(REST_NS);
    for (int i = 0; i < tasks.size(); i++) {
      // A task leads to its result, which counts no more once the end is told: it must be free
      // then.
      run(tasks.set(i, null));
      if (resultBytes > limitBytes / HAND_OVERS_IN_BUDGET) {
        handOver();
      }
    }
    handOver();
    settle();
  }

  private void handOver() {
    if (!decided.isEmpty()) {
      // Not before: what a reader writes after this must not be committed without what it read. Nor
      // after the commit: who is told of it must read it.
      committer.add(List.copyOf(decided), () -> decided.forEach(Item::handedOver));
      decided.clear();
    }
    endings.flush();
    evict();
    resultBytes = 0;
  }

  private void run(Task task) {
    try {
      decide(task);
    } catch (DocumentException e) {
      endings.fail(task, e);
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("an operation on factory {} failed", task.factory.name, e);
      endings.fail(task, new DocumentException(STORE_FAILED, "the operation failed: " + e, e));
    }
  }

  private void decide(Task task) {
    FactoryCore factory = task.factory;
    if (factory.memory != null) {
      endings.succeed(
          task,
          memory.run(factory, factory.resident(index), task.key, task.keyBytes, task.operation));
      return;
    }
    Entry entry = find(factory, task.key);
    State before;
    if (entry == null) {
      before = factory.tables.get(task.keyBytes);
      factory.loaded();
      task.outgrownBytes = take(task, before.bytes(), 0);
      task.resultBytes = before.bytes();
    } else {
      entry.touch();
      before = task.operation.isRead() ? entry.published : entry.latest;
    }
    Decision decision;
    try {
      decision =
          factory.decider.decide(
              task.key, before, task.operation, factory.floor(), System.currentTimeMillis());
    } catch (DocumentException e) {
      if (mustWait(task, entry)) {
        hand(Item.refusal(entry, task, e));
        return;
      }
      throw e;
    } finally {
      if (entry == null && !before.isAbsent()) {
        entry = insert(factory, task.key, before);
      }
    }
    Outcome outcome = Outcome.of(decision);
    if (decision.after() != before) {
      long nowMs = System.currentTimeMillis();
      Change change = changeOf(task, before, decision, nowMs);
      // Before anything is changed: there may be no room for it.
      long outgrownBytes = take(task, change.heapBytes(), outgrown.limitBytes() / 2);
      Entry changed = entry == null ? insert(factory, task.key, before) : entry;
      change(task, changed, change, outgrownBytes, nowMs, outcome);
    } else if (mustWait(task, entry)) {
      hand(Item.answer(entry, task, outcome));
    } else {
      endings.succeed(task, outcome);
    }
  }

  /** Whether an operation was decided on what is not committed and must be. */
  private static boolean mustWait(Task task, Entry entry) {
    return entry != null
        && !task.operation.isRead()
        && task.factory.commitIntervalNs == 0
        && entry.isPending();
  }

  /**
   * Takes what was read or made for an operation. An operation that was accepted is not refused for
   * what is about as large as itself, and not if no other has outgrown its operation.
   *
   * @param spare what must be left for others: while the disk takes no changes, documents are read
   * @return what of it has outgrown its operation
   * @throws DocumentException {@code BUSY} if there is no room
   */
  private long take(Task task, long bytes, long spare) {
    long outgrownBytes = bytes > OUTGROWN * task.heldBytes() ? bytes : 0;
    if (outgrownBytes > 0) {
      if (!outgrown.hasRoom(bytes + spare) && outgrown.usedBytes() > task.outgrownBytes) {
        throw Held.busy();
      }
      outgrown.take(bytes);
    }
    inFlight.take(bytes);
    resultBytes += bytes;
    return outgrownBytes;
  }

  private static Change changeOf(Task task, State before, Decision decision, long nowMs) {
    FactoryCore factory = task.factory;
    State after = decision.after();
    KeptVersions kept =
        KeptVersions.of(before, after, decision.created(), factory.earlierVersions, nowMs);
    return Records.change(factory.name, factory.fields, task.keyBytes, before, after, kept);
  }

  /**
   * @param change its bytes are taken already
   */
  private void change(
      Task task, Entry entry, Change change, long outgrownBytes, long nowMs, Outcome outcome) {
    FactoryCore factory = task.factory;
    State after = change.after();
    State before = entry.latest;
    if (after.isAbsent()) {
      factory.raiseFloor(before.version());
    }
    entry.latest = after;
    long bytes = entry.heapBytes();
    residentBytes += bytes - entry.bytes;
    entry.home.add(bytes - entry.bytes);
    entry.bytes = bytes;
    // A flood is slowed to the speed of commits before it is refused.
    boolean atOnce =
        factory.commitIntervalNs > 0
            && inFlight.usedBytes() < inFlight.limitBytes() / 2
            && outgrown.usedBytes() < outgrown.limitBytes() / AT_ONCE_IN_OUTGROWN;
    Item item = Item.change(entry, factory, change, after, atOnce ? null : task, outcome);
    item.outgrownBytes = outgrownBytes;
    item.added = (after.isAbsent() ? 0 : 1) - (before.isAbsent() ? 0 : 1);
    if (factory.feed != null) {
      item.logged = LoggedChange.decided(task.keyBytes, before, after, nowMs);
    }
    hand(item);
    if (atOnce) {
      endings.succeed(task, outcome);
    }
  }

  private void hand(Item item) {
    item.entry.begin();
    decided.add(item);
  }

  private Entry find(FactoryCore factory, String key) {
    Entry entry = factory.resident(index).get(key);
    if (entry != null && entry.dead) {
      // It is still in the ring, which finds out by itself.
      remove(entry);
      return null;
    }
    return entry;
  }

  private Entry insert(FactoryCore factory, String key, State state) {
    Residents home = factory.resident(index);
    Entry entry = new Entry(key, state, home);
    home.put(key, entry);
    ring.add(entry);
    residentBytes += entry.bytes;
    home.add(entry.bytes);
    return entry;
  }

  private void remove(Entry entry) {
    if (entry.home.remove(entry.key, entry)) {
      residentBytes -= entry.bytes;
      entry.home.add(-entry.bytes);
    }
  }

  /** Tells the budget what this shard holds. */
  private void settle() {
    long bytes = residentBytes;
    if (bytes > settledBytes) {
      resident.take(bytes - settledBytes);
    } else if (bytes < settledBytes) {
      resident.give(settledBytes - bytes);
    }
    settledBytes = bytes;
  }

  /** Takes documents out of the memory: those that nobody used since the last look at them. */
  private void evict() {
    int looks = residentBytes > limitBytes ? 2 * ring.size() : 0;
    for (; looks > 0 && residentBytes > limitBytes; looks--) {
      Entry entry = ring.poll();
      if (entry.dead) {
        remove(entry);
      } else if (entry.touched || entry.isPending()) {
        entry.touched = false;
        ring.add(entry);
      } else {
        remove(entry);
        evictions++;
      }
    }
  }
}
