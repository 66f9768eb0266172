package dev.weir.queue.store;

import dev.weir.options.Checks;
import dev.weir.queue.DeadLetter;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.DeadLetters;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DeadLetterTable.Found;
import dev.weir.queue.je.DeadLetterTable.Requeued;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DetachedMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead letters of a queue. All work is done by the writer thread, between its transactions, so
 * that one thread alone changes the tables; much work is done in parts.
 */
public final class JeDeadLetters<T> implements DeadLetters<T> {
  private static final Logger LOG = LoggerFactory.getLogger(JeDeadLetters.class);
  private static final int PART = 500;

  private final StoreEngine store;
  private final StoreTasks tasks;
  private final DeadLetterTable table;
  private final StoredQueue<T> queue;
  private final QueueState<T> state;
  private final DeadBook book;
  private final long openedMs;

  JeDeadLetters(StoreEngine store, StoredQueue<T> queue, QueueState<T> state) {
    this.store = store;
    this.tasks = store.tasks();
    this.table = new DeadLetterTable(store.files(), queue.name());
    this.queue = queue;
    this.state = state;
    this.book = state.dead;
    this.openedMs = state.nowMs();
  }

  /**
   * Runs work on the writer thread. Not of a queue that is closed: whoever has it open since then
   * counts the dead letters.
   */
  private <V> V call(Supplier<V> work) {
    return tasks.call(
        () -> {
          if (state.locked(() -> state.closed)) {
            throw state.limits.failure(Reason.CLOSED);
          }
          return work.get();
        });
  }

  @Override
  public long count() {
    return state.locked(() -> book.count);
  }

  @Override
  public long bytes() {
    return state.locked(() -> book.bytes);
  }

  @Override
  public List<DeadLetter<T>> list(long fromNumber, int max) {
    Checks.range("max", max, 1, MAX_LIST);
    return call(
        () -> {
          List<DeadLetter<T>> listed = new ArrayList<>();
          long from = fromNumber;
          List<Found> page;
          do {
            page = find(from, Long.MAX_VALUE, max);
            for (Found found : page) {
              DetachedMessage<T> message = table.decode(found, queue.serde());
              if (message != null) {
                listed.add(message.deadLetter(found.key()));
              }
              from = found.key().number() + 1;
            }
            // An empty list says that there are no more, not that all of a page are damaged.
          } while (listed.isEmpty() && !page.isEmpty());
          return listed;
        });
  }

  @Override
  public Optional<DeadLetter<T>> read(long number) {
    return list(number, 1).stream().filter(letter -> letter.number() == number).findFirst();
  }

  @Override
  public boolean requeue(long number) {
    return requeue(() -> find(number, number, 1)) > 0;
  }

  /**
   * Between two transactions. A number whose write has failed is written later: the mark ends
   * before it.
   */
  @Override
  public Mark mark() {
    return call(
        () ->
            state.locked(
                () -> {
                  long last = book.lastNumber();
                  long lastUnreadable = book.lastUnreadable();
                  for (long number : state.deferred.unwrittenDeadLetters().toArray()) {
                    if (number < DeadKey.UNREADABLE) {
                      last = Math.min(last, number - 1);
                    } else {
                      lastUnreadable = Math.min(lastUnreadable, number - 1);
                    }
                  }
                  return new Mark(openedMs, last, lastUnreadable);
                }));
  }

  private void requireOfThisOpening(Mark mark) {
    if (Checks.notNull("upTo", mark).openedMs() != openedMs) {
      throw new IllegalArgumentException(
          "upTo is " + mark + ", allowed is a mark since queue " + queue.name() + " was opened");
    }
  }

  @Override
  public long requeueAll() {
    return requeueAll(
        new Mark(openedMs, state.locked(book::lastNumber), state.locked(book::lastUnreadable)));
  }

  @Override
  public long requeueAll(Mark upTo) {
    requireOfThisOpening(upTo);
    return requeueAll(0, upTo.last()) + requeueAll(DeadKey.UNREADABLE, upTo.lastUnreadable());
  }

  private long requeueAll(long first, long last) {
    long requeued = 0;
    long from = first;
    while (from <= last) {
      long start = from;
      List<Found> part = call(() -> find(start, last, PART));
      if (part.isEmpty()) {
        break;
      }
      requeued += requeue(() -> part);
      from = part.get(part.size() - 1).key().number() + 1;
    }
    return requeued;
  }

  /** Not into a purge under way, which would take them along: after it. */
  private long requeue(Supplier<List<Found>> letters) {
    OptionalLong requeued;
    do {
      queue.purges().await();
      requeued =
          call(
              () ->
                  queue.purges().isRunning()
                      ? OptionalLong.empty()
                      : OptionalLong.of(requeue(letters.get())));
    } while (requeued.isEmpty());
    return requeued.getAsLong();
  }

  @Override
  public boolean purge(long number) {
    return call(() -> remove(findKeys(number, number, 1))) > 0;
  }

  @Override
  public long purgeAll() {
    return purgeAll(
        new Mark(openedMs, state.locked(book::lastNumber), state.locked(book::lastUnreadable)));
  }

  @Override
  public long purgeAll(Mark upTo) {
    requireOfThisOpening(upTo);
    return purgeAll(0, upTo.last()) + purgeAll(DeadKey.UNREADABLE, upTo.lastUnreadable());
  }

  private long purgeAll(long first, long last) {
    long purged = 0;
    long part;
    do {
      part = call(() -> remove(findKeys(first, last, PART)));
      purged += part;
    } while (part > 0);
    return purged;
  }

  // ---- on the writer thread

  void trimIfDue() {
    long nowMs = state.nowMs();
    if (state.locked(() -> book.nextTrimMs(state.options.getDeadLetters())) <= nowMs) {
      trim(nowMs);
    }
  }

  /** Removes what is more than is to be kept, a part at a time. */
  private void trim(long nowMs) {
    DeadLetterOptions keep = state.options.getDeadLetters();
    long count = state.locked(book::trimmableCount);
    long bytes = state.locked(book::trimmableBytes);
    List<Found> over = new ArrayList<>();
    List<Found> oldest = findKeys(0, DeadKey.UNREADABLE - 1, PART);
    if (oldest.isEmpty()) {
      state.change(book::clear);
    }
    for (Found found : oldest) {
      boolean old = keep.getMaxAgeMs() > 0 && found.key().diedAtMs() <= nowMs - keep.getMaxAgeMs();
      if (!old && count <= keep.getMaxCount() && bytes <= keep.getMaxBytes()) {
        state.change(() -> book.startAt(found.key()));
        break;
      }
      over.add(found);
      count--;
      bytes -= found.key().bytes();
    }
    if (!over.isEmpty()) {
      LOG.warn(
          "queue {}: {} dead letters too many or too old are removed", queue.name(), over.size());
      List<DeadKey> trimmed = delete(over);
      state.change(
          () -> {
            trimmed.forEach(book::remove);
            book.trimmed += trimmed.size();
          });
    }
  }

  private List<Found> find(long fromNumber, long lastNumber, int max) {
    return committed(fromNumber, from -> table.find(from, lastNumber, max));
  }

  private List<Found> findKeys(long fromNumber, long lastNumber, int max) {
    return committed(fromNumber, from -> table.findKeys(from, lastNumber, max));
  }

  /** The first page with a dead letter that is not only what a failed write has left. */
  private List<Found> committed(long fromNumber, LongFunction<List<Found>> find) {
    Set<Long> uncertain = state.locked(state.deferred::uncertainDeadLetters);
    long from = Math.max(fromNumber, firstNumber());
    List<Found> known;
    boolean isLast;
    do {
      List<Found> page = find.apply(from);
      isLast = page.isEmpty();
      from = isLast ? from : page.get(page.size() - 1).key().number() + 1;
      known = page.stream().filter(found -> !uncertain.contains(found.key().number())).toList();
    } while (known.isEmpty() && !isLast);
    return known;
  }

  private long firstNumber() {
    return state.locked(() -> book.firstNumber);
  }

  /** In one transaction: each is either a dead letter or in the queue. */
  private long requeue(List<Found> letters) {
    long dueMs = state.locked(() -> state.deferred.soonMs(state.nowMs()));
    List<Requeued> requeued = table.requeue(letters, dueMs);
    state.change(
        () -> {
          for (Requeued each : requeued) {
            book.remove(each.from());
            state.deferred.requeued(each.to());
          }
          state.limits.keepBudget(state.dispatcher);
        });
    return requeued.size();
  }

  private List<DeadKey> delete(List<Found> letters) {
    List<DeadKey> deleted = table.delete(letters);
    store.deleted();
    return deleted;
  }

  private long remove(List<Found> letters) {
    List<DeadKey> removed = delete(letters);
    state.change(() -> removed.forEach(book::remove));
    return removed.size();
  }
}
