package dev.weir.state.engine;

import static dev.weir.state.DocumentFailure.STORE_FAILED;

import dev.weir.options.ByteBudget;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.store.UninterruptibleThread;
import dev.weir.state.DocumentException;
import dev.weir.state.DocumentFailure;
import dev.weir.state.change.Batch;
import dev.weir.state.change.Change;
import dev.weir.state.change.LoggedChange;
import dev.weir.state.je.DocumentFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that commits. Each turn takes what waits, in its order and bounded by bytes, and
 * applies it in one transaction: under load batches grow, at rest a change is committed alone. What
 * nobody waits for is committed when its interval is over.
 */
final class Committer {
  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);
  private static final int MAX_BATCH_ITEMS = 4_096;
  private static final long MAX_BATCH_BYTES = 4 << 20;
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Null if nothing is on disk. */
  private final DocumentFiles files;

  private final ByteBudget inFlight;
  private final Endings endings;
  private final ExpirySweep sweep;
  private final Inbox<List<Item>> inbox = new Inbox<>();
  private final ArrayDeque<Item> waiting = new ArrayDeque<>();
  private final UninterruptibleThread thread =
      new UninterruptibleThread(this::loop, "weir-documents-commit");

  /** Bytes of {@link #waiting}. */
  private long waitingBytes;

  /** Items of {@link #waiting} that somebody waits for. */
  private int urgent;

  /** Items of {@link #waiting} that nobody waits for any more. */
  private int acknowledged;

  /** When the first item that nobody waits for must be committed; used if there is one. */
  private long dueNs;

  /** When a commit is tried again, or its conditions are looked at; used if there is a fault. */
  private long retryNs;

  /** Counts the batches, so that an entry knows whether it is in this one. */
  private long batchNumber;

  private Runnable afterCommit;
  private volatile DocumentFailure fault;

  /** Whether a commit has failed since the start: what is on disk then is not certain. */
  private volatile boolean hasFailed;

  private volatile long commits;
  private volatile long changes;

  Committer(DocumentFiles files, HeapShares heap, ExpirySweep sweep) {
    this.files = files;
    this.inFlight = heap.inFlight;
    this.endings = new Endings(heap);
    this.sweep = sweep;
  }

  /**
   * @param afterCommit called on the thread of the committer
   */
  void start(Runnable afterCommit) {
    this.afterCommit = afterCommit;
    thread.start();
  }

  void add(List<Item> items, Runnable added) {
    inbox.add(items, added);
  }

  DocumentFailure fault() {
    return fault;
  }

  boolean hasFailed() {
    return hasFailed;
  }

  long commits() {
    return commits;
  }

  long changes() {
    return changes;
  }

  /** Commits what waits, then ends; the shards have ended before. */
  void close() {
    inbox.close();
    thread.awaitEnd();
  }

  private void loop() {
    while (!inbox.isFinished()) {
      takeAll();
      try {
        repair();
        while (isTime()) {
          commitNext();
        }
        recover();
        if (fault == null) {
          sweep.run();
        }
      } catch (Throwable e) {
        HeapExhaustion.report(e);
        LOG.error("the commit thread failed and continues", e);
      }
    }
    end();
  }

  /** In a frame of its own: the items lead to results, and are to be free while others commit. */
  private void takeAll() {
    for (List<Item> items : inbox.take(restNs())) {
      items.forEach(this::queue);
    }
  }

  private void end() {
    while (!waiting.isEmpty()) {
      int before = waiting.size();
      commitNext();
      if (waiting.size() == before) {
        LOG.error("{} acknowledged changes are lost: {}", acknowledged, fault);
        DocumentException lost = new DocumentException(fault, "the store closes, and cannot write");
        waiting.forEach(item -> item.failed(lost, endings));
        endings.flush();
        return;
      }
    }
  }

  private void queue(Item item) {
    waiting.add(item);
    waitingBytes += item.heldBytes;
    if (item.isUrgent()) {
      urgent++;
    } else {
      long nextNs = System.nanoTime() + item.factory.commitIntervalNs;
      dueNs = hasAcknowledged() && nextNs - dueNs > 0 ? dueNs : nextNs;
      acknowledged++;
    }
  }

  private boolean hasAcknowledged() {
    return acknowledged > 0;
  }

  private boolean isTime() {
    if (waiting.isEmpty()) {
      return false;
    }
    long nowNs = System.nanoTime();
    if (fault != null) {
      return nowNs - retryNs >= 0;
    }
    return urgent > 0
        || nowNs - dueNs >= 0
        || waitingBytes > inFlight.limitBytes() / 2
        || inbox.isClosed();
  }

  private long restNs() {
    long nowNs = System.nanoTime();
    if (fault != null) {
      return Math.max(1, retryNs - nowNs);
    }
    long untilNs = sweep.restNs();
    if (!waiting.isEmpty()) {
      untilNs = Math.min(untilNs, dueNs - nowNs);
    }
    return Math.max(1, untilNs);
  }

  private void commitNext() {
    List<Item> items = new ArrayList<>();
    List<Change> batch = new ArrayList<>();
    Map<String, List<LoggedChange>> logged = new HashMap<>();
    Set<ChangeFeed> feeds = new HashSet<>();
    boolean toDevice = false;
    long bytes = 0;
    long changed = 0;
    batchNumber++;
    while (!waiting.isEmpty() && items.size() < MAX_BATCH_ITEMS && bytes < MAX_BATCH_BYTES) {
      Item item = take();
      if (item.entry.dead) {
        item.failed(new DocumentException(STORE_FAILED, "an earlier change of it failed"), endings);
        continue;
      }
      items.add(item);
      bytes += item.heldBytes;
      toDevice |= item.factory.toDevice;
      if (item.change != null) {
        changed++;
        add(batch, item);
        if (item.logged != null) {
          log(item);
          logged.computeIfAbsent(item.factory.name, none -> new ArrayList<>()).add(item.logged);
          feeds.add(item.factory.feed);
        }
      }
    }
    try {
      if (!batch.isEmpty()) {
        files.apply(new Batch(batch, logged, toDevice));
        noFault();
        commits++;
        changes += changed;
      }
      items.forEach(item -> item.committed(endings));
      // A reader of a change finds its document, and a writer whose call has completed the change.
      feeds.forEach(ChangeFeed::publish);
    } catch (DocumentException e) {
      failed(items, e);
      return;
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.error("a commit failed", e);
      failed(items, new DocumentException(STORE_FAILED, "the commit failed: " + e, e));
      return;
    } finally {
      endings.flush();
    }
    afterCommit.run();
  }

  /** Of the versions of a key in one batch only the last is written. */
  private void add(List<Change> batch, Item item) {
    Entry entry = item.entry;
    if (entry.batch == batchNumber) {
      batch.set(entry.place, batch.get(entry.place).then(item.change));
    } else {
      entry.batch = batchNumber;
      entry.place = batch.size();
      batch.add(item.change);
    }
  }

  /** Gives a change its place in the log; it keeps the place when its commit is tried again. */
  private static void log(Item item) {
    if (item.logged.position() == 0) {
      item.logged = item.logged.at(item.factory.feed.next());
    }
  }

  private Item take() {
    Item item = waiting.poll();
    waitingBytes -= item.heldBytes;
    if (item.isUrgent()) {
      urgent--;
    } else {
      acknowledged--;
    }
    return item;
  }

  /** Who waits is told; what was acknowledged stays, in its order, and is tried again. */
  private void failed(List<Item> items, DocumentException failure) {
    if (fault != failure.failure()) {
      LOG.error("nothing is committed until it is over: {}", failure.getMessage());
    }
    fault = failure.failure();
    hasFailed = true;
    for (int i = items.size() - 1; i >= 0; i--) {
      Item item = items.get(i);
      if (item.staysAfterFailure()) {
        waiting.addFirst(item);
        waitingBytes += item.heldBytes;
        urgent += item.isUrgent() ? 1 : 0;
        acknowledged += item.isUrgent() ? 0 : 1;
      } else {
        item.failed(failure, endings);
      }
    }
    retryNs = System.nanoTime() + RETRY_NS;
  }

  /** Opens the files anew when JE has given up; a read may be what it failed at. */
  private void repair() {
    if (files == null || files.isValid() || fault != null && System.nanoTime() - retryNs < 0) {
      return;
    }
    try {
      files.reopen();
    } catch (DocumentException e) {
      LOG.debug("the store cannot be opened again", e);
      fault = e.failure();
      retryNs = System.nanoTime() + RETRY_NS;
    }
  }

  /** Ends a fault whose cause is gone while nothing waits for a commit that would show it. */
  private void recover() {
    if (fault == null || !waiting.isEmpty() || System.nanoTime() - retryNs < 0) {
      return;
    }
    try {
      files.requireWritable();
      noFault();
    } catch (DocumentException e) {
      LOG.debug("the fault lasts", e);
      fault = e.failure();
      retryNs = System.nanoTime() + RETRY_NS;
    }
  }

  private void noFault() {
    if (fault != null) {
      LOG.info("the store commits again");
      fault = null;
    }
  }
}
