package dev.weir.queue.store;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.Checks;
import dev.weir.queue.DeadLetter;
import dev.weir.queue.DeadLetterOptions;
import dev.weir.queue.DeadLetters;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
  private static final long PART_BYTES = 4 << 20;

  private final StoreTasks tasks;
  private final JeFiles files;
  private final StoredQueue<T> queue;
  private final QueueState<T> state;
  private final DeadBook book;

  JeDeadLetters(StoreTasks tasks, JeFiles files, StoredQueue<T> queue, QueueState<T> state) {
    this.tasks = tasks;
    this.files = files;
    this.queue = queue;
    this.state = state;
    this.book = state.dead;
  }

  private record Found(DeadKey key, ByteBuffer record) {}

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
    return tasks.call(
        () -> {
          List<DeadLetter<T>> listed = new ArrayList<>();
          for (Found found : find(fromNumber, Long.MAX_VALUE, max, true)) {
            SideMessage<T> message = decode(found, queue.serde());
            if (message != null) {
              listed.add(message.deadLetter(found.key));
            }
          }
          return listed;
        });
  }

  @Override
  public Optional<DeadLetter<T>> read(long number) {
    return list(number, 1).stream().filter(letter -> letter.number() == number).findFirst();
  }

  @Override
  public boolean requeue(long number) {
    return requeue(() -> find(number, number, 1, true)) > 0;
  }

  @Override
  public long requeueAll() {
    long requeued = 0;
    long from = 0;
    long last = state.locked(book::lastNumber);
    while (from <= last) {
      long start = from;
      List<Found> part = tasks.call(() -> find(start, last, PART, true));
      if (part.isEmpty()) {
        break;
      }
      requeued += requeue(() -> part);
      from = part.get(part.size() - 1).key.number() + 1;
    }
    return requeued;
  }

  /** Not into a purge under way, which would take them along: after it. */
  private long requeue(Supplier<List<Found>> letters) {
    OptionalLong requeued;
    do {
      queue.purges().await();
      requeued =
          tasks.call(
              () ->
                  queue.purges().isRunning()
                      ? OptionalLong.empty()
                      : OptionalLong.of(requeue(letters.get())));
    } while (requeued.isEmpty());
    return requeued.getAsLong();
  }

  @Override
  public boolean purge(long number) {
    return tasks.call(() -> remove(find(number, number, 1, false))) > 0;
  }

  @Override
  public long purgeAll() {
    long purged = 0;
    long last = state.locked(book::lastNumber);
    long part;
    do {
      part = tasks.call(() -> remove(find(0, last, PART, false)));
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
    long count = state.locked(() -> book.count);
    long bytes = state.locked(() -> book.bytes);
    List<Found> over = new ArrayList<>();
    List<Found> oldest = find(0, Long.MAX_VALUE, PART, false);
    if (oldest.isEmpty()) {
      state.change(book::clear);
    }
    for (Found found : oldest) {
      boolean old = keep.getMaxAgeMs() > 0 && found.key.diedAtMs() + keep.getMaxAgeMs() <= nowMs;
      if (!old && count <= keep.getMaxCount() && bytes <= keep.getMaxBytes()) {
        state.change(() -> book.startAt(found.key));
        break;
      }
      over.add(found);
      count--;
      bytes -= found.key.bytes();
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

  private List<Found> find(long fromNumber, long lastNumber, int max, boolean withRecords) {
    List<Found> found = new ArrayList<>();
    if (!files.hasExtra(Extra.DEAD, queue.name())) {
      return found;
    }
    DatabaseEntry key =
        new DatabaseEntry(DeadKey.from(Math.max(fromNumber, state.locked(() -> book.firstNumber))));
    DatabaseEntry value = new DatabaseEntry();
    if (!withRecords) {
      value.setPartial(0, 0, true);
    }
    long bytes = 0;
    try (Cursor cursor = table().openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS && found.size() < max && bytes < PART_BYTES) {
        DeadKey next = DeadKey.of(key.getData());
        if (next.number() > lastNumber) {
          break;
        }
        bytes += value.getSize();
        found.add(new Found(next, withRecords ? ByteBuffer.wrap(value.getData()) : null));
        status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
      }
    }
    return found;
  }

  private Database table() {
    return files.extra(Extra.DEAD, queue.name());
  }

  private <V> SideMessage<V> decode(Found found, Serde<V> serde) {
    try {
      return SideCodec.decode(found.key.sequence(), found.record.duplicate(), serde);
    } catch (QueueException e) {
      LOG.error("queue {}: a dead letter cannot be read: {}", queue.name(), e.getMessage());
      return null;
    }
  }

  /** In one transaction: either it is a dead letter or it is in the queue. */
  private long requeue(List<Found> letters) {
    List<DeadKey> from = new ArrayList<>();
    List<SideKey> to = new ArrayList<>();
    long dueMs = state.locked(() -> state.deferred.soonMs(state.nowMs()));
    Database target = files.extra(Extra.SIDE, queue.name());
    QueueTables.transact(
        files,
        Durability.COMMIT_SYNC,
        transaction -> {
          for (Found found : letters) {
            SideMessage<byte[]> letter = decode(found, Serde.BYTES);
            if (letter == null || !SideTables.delete(table(), transaction, found.key.toBytes())) {
              continue;
            }
            from.add(found.key);
            to.add(SideTables.requeue(target, transaction, letter, dueMs));
          }
        });
    state.change(
        () -> {
          from.forEach(book::remove);
          to.forEach(state.deferred::requeued);
        });
    return to.size();
  }

  private long remove(List<Found> letters) {
    List<DeadKey> removed = delete(letters);
    state.change(() -> removed.forEach(book::remove));
    return removed.size();
  }

  private List<DeadKey> delete(List<Found> letters) {
    List<DeadKey> removed = new ArrayList<>();
    QueueTables.transact(
        files,
        Durability.COMMIT_SYNC,
        transaction -> {
          for (Found found : letters) {
            if (SideTables.delete(table(), transaction, found.key.toBytes())) {
              removed.add(found.key);
            }
          }
        });
    return removed;
  }
}
