package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.StoreClock;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Changes the times of one queue's messages that wait for a time. One thread at a time changes the
 * table: the store's writer, the one that opens a queue, or whoever has opened a closed directory.
 */
public final class ScheduleTable {
  private static final int RECORDS_PER_PART = 1000;
  private static final long BYTES_PER_PART = 1 << 20;

  /** A clock that is back by less is taken for right. */
  private static final long TOLERANCE_MS = 1000;

  private final JeFiles files;
  private final String queue;

  public ScheduleTable(JeFiles files, String queue) {
    this.files = files;
    this.queue = queue;
  }

  private Records table() {
    return files.tables().get(Table.DEFERRED, queue);
  }

  // ---- the clock that times were written by

  /**
   * Notes the clock in the transaction that writes messages that wait for a time.
   *
   * @param nowMs time of the store
   * @param leadMs its lead over the time of day, see {@link StoreClock#leadMs}
   */
  public void noteTime(StoreTransaction transaction, long nowMs, long leadMs) {
    putNote(transaction, nowMs, leadMs);
  }

  private void putNote(StoreTransaction transaction, long... values) {
    ByteBuffer note = ByteBuffer.allocate(values.length * Long.BYTES);
    note.asLongBuffer().put(values);
    files.meta().put(transaction, noteKey(), new DatabaseEntry(note.array()));
  }

  private DatabaseEntry noteKey() {
    return new DatabaseEntry(("time." + queue).getBytes(StandardCharsets.UTF_8));
  }

  /** What was noted last; null for nothing. */
  private LongBuffer note() {
    DatabaseEntry value = new DatabaseEntry();
    boolean known = files.meta().get(noteKey(), value);
    return known ? ByteBuffer.wrap(value.getData()).asLongBuffer() : null;
  }

  // ---- the opening

  /**
   * Judges the times at the opening of the queue. At the first opening by a store, its time is the
   * time of day; later its clock has gone on, and only the longest delay is judged. If the two were
   * apart when a time was written last, all times change by that. If the time of day is behind the
   * one of then, all times come forward by the difference. No message waits longer than {@code
   * maxDelayMs}.
   *
   * @param first whether the store opens the queue for the first time
   * @return number of messages whose time has changed
   */
  public long judge(StoreClock clock, long maxDelayMs, boolean first) {
    long nowMs = clock.nowMs();
    if (!files.tables().has(Table.DEFERRED, queue)) {
      return 0;
    }
    long changed = 0;
    LongBuffer note = first ? note() : null;
    if (note != null) {
      long lastMs = note.get();
      long leadMs = note.get();
      long backMs = lastMs - leadMs - nowMs;
      long earlierMs =
          note.hasRemaining() ? note.get() : leadMs + (backMs > TOLERANCE_MS ? backMs : 0);
      long limitMs = note.hasRemaining() ? note.get() : earlierMs > 0 ? nowMs + 1 : Long.MAX_VALUE;
      changed = earlierMs == 0 ? 0 : shift(nowMs, lastMs, leadMs, earlierMs, limitMs);
    }
    long latestMs = nowMs + maxDelayMs;
    return changed + reschedule(latestMs + 1, ignored -> latestMs);
  }

  /**
   * Brings times forward, the first of them first; or puts them off, the last of them first: no
   * record is found twice. After a crash the opening goes on from the limit that is noted.
   */
  private long shift(long nowMs, long lastMs, long leadMs, long earlierMs, long limitMs) {
    boolean ascending = earlierMs > 0;
    long limit = limitMs;
    long changed = 0;
    boolean isLast = false;
    while (!isLast) {
      Part part = ascending ? part(limit, Long.MAX_VALUE, true) : part(lastMs + 1, limit, false);
      isLast = part.isLast();
      limit = isLast ? limit : part.lastOrder() + (ascending ? 1 : -1);
      long rest = isLast ? 0 : limit;
      boolean done = isLast;
      changed += part.records.size();
      QueueTables.transact(
          files,
          Durability.PROCESS,
          transaction -> {
            move(part, transaction, dueMs -> Math.max(nowMs, dueMs - earlierMs));
            if (done) {
              noteTime(transaction, nowMs, 0);
            } else {
              putNote(transaction, lastMs, leadMs, earlierMs, rest);
            }
          });
    }
    return changed;
  }

  // ---- part by part

  /** Records with their values, with all records of the last time among them. */
  private record Part(List<Record> records, boolean isLast) {
    long lastOrder() {
      return records.get(records.size() - 1).key.order();
    }
  }

  private record Record(DeferredKey key, byte[] value) {}

  private Part part(long fromMs, long toMs, boolean ascending) {
    List<Record> records = new ArrayList<>();
    long bytes = 0;
    byte[] first = DeferredKey.from(DeferredKey.DUE, fromMs, Long.MIN_VALUE);
    byte[] behind =
        toMs == Long.MAX_VALUE
            ? DeferredKey.from(DeferredKey.LANE, 0, 0)
            : DeferredKey.from(DeferredKey.DUE, toMs + 1, 0);
    try (TableCursor cursor =
        ascending ? TableCursor.records(table(), first) : TableCursor.before(table(), behind)) {
      while (ascending ? cursor.next() : cursor.previous()) {
        DeferredKey key = DeferredKey.of(cursor.key());
        if (key.kind() != DeferredKey.DUE || key.order() > toMs || key.order() < fromMs) {
          break;
        }
        boolean full = records.size() >= RECORDS_PER_PART || bytes >= BYTES_PER_PART;
        if (full && key.order() != records.get(records.size() - 1).key.order()) {
          return new Part(records, false);
        }
        records.add(new Record(key, cursor.value()));
        bytes += cursor.value().length;
      }
    }
    return new Part(records, true);
  }

  private List<DeferredKey> move(
      Part part, StoreTransaction transaction, LongUnaryOperator newDueMs) {
    List<DeferredKey> moved = new ArrayList<>();
    Records table = table();
    for (Record record : part.records) {
      DeferredKey from = record.key;
      long dueMs = newDueMs.applyAsLong(from.order());
      DeferredKey to =
          DeferredKey.due(dueMs, from.sequence(), from.lane(), from.isTransient(), from.bytes());
      DetachedTables.delete(table, transaction, from.toBytes());
      table.put(transaction, new DatabaseEntry(to.toBytes()), new DatabaseEntry(record.value));
      moved.add(to);
    }
    return moved;
  }

  /**
   * Gives all messages from a time on an earlier time.
   *
   * @return their number
   */
  private long reschedule(long fromMs, LongUnaryOperator newDueMs) {
    long changed = 0;
    boolean isLast = false;
    while (!isLast) {
      Part part = part(fromMs, Long.MAX_VALUE, true);
      isLast = part.isLast();
      changed += part.records.size();
      if (!part.records.isEmpty()) {
        QueueTables.transact(
            files, Durability.PROCESS, transaction -> move(part, transaction, newDueMs));
      }
    }
    return changed;
  }

  // ---- releasing

  /**
   * Makes all delayed messages due that are still in packets. The packets stay as they are; when
   * such a message is read, its time no longer counts.
   *
   * @param endSequence behind the last of them
   */
  public void releaseBefore(long endSequence) {
    QueueTables.transact(
        files,
        Durability.PROCESS,
        transaction ->
            files
                .meta()
                .put(
                    transaction,
                    releasedKey(queue),
                    new DatabaseEntry(PacketKey.from(endSequence))));
  }

  /** Sequence before which {@link #releaseBefore} has made all messages due; 0 for none. */
  static long releasedBefore(Records meta, String queue) {
    DatabaseEntry value = new DatabaseEntry();
    return meta.get(releasedKey(queue), value) ? ByteBuffer.wrap(value.getData()).getLong() : 0;
  }

  private static DatabaseEntry releasedKey(String queue) {
    return new DatabaseEntry(("released." + queue).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Makes some messages due that wait for a later time, the next ones first.
   *
   * @param dueMs their new time, ms since 1970
   * @return their new keys; none if no message waits for a later time
   */
  public List<DeferredKey> releasePart(long dueMs) {
    if (!files.tables().has(Table.DEFERRED, queue)) {
      return List.of();
    }
    Part part = part(dueMs + 1, Long.MAX_VALUE, true);
    List<DeferredKey> released = new ArrayList<>();
    if (!part.records.isEmpty()) {
      QueueTables.transact(
          files,
          Durability.PROCESS,
          transaction -> released.addAll(move(part, transaction, ignored -> dueMs)));
    }
    return released;
  }

  /**
   * Makes all messages due that wait for a later time, of a queue that is not open. Reads all
   * packets to count them.
   *
   * @param dueMs their new time, ms since 1970
   * @return their number
   */
  public long release(long dueMs) {
    long inPackets = delayedInPackets(dueMs);
    releaseBefore(QueueTables.nextSequence(files, queue));
    return inPackets
        + (files.tables().has(Table.DEFERRED, queue) ? reschedule(dueMs + 1, ignored -> dueMs) : 0);
  }

  private long delayedInPackets(long nowMs) {
    long releasedBefore = releasedBefore(files.meta(), queue);
    long delayed = 0;
    Records packets = files.tables().get(Table.PACKETS, queue);
    try (TableCursor cursor = TableCursor.records(packets, new byte[0])) {
      while (cursor.next()) {
        PacketKey key = PacketKey.of(cursor.key());
        QueueTables.Read record = new QueueTables.Read(key, ByteBuffer.wrap(cursor.value()));
        Packet<byte[]> packet = QueueTables.decode(files.tables(), queue, record, Serde.BYTES);
        for (int i = 0; packet != null && i < packet.count; i++) {
          MessageOptions options = packet.options(i);
          boolean isDelayed = options != null && options.notBeforeMs() > nowMs;
          boolean isAlive = !packet.isSettled(i) && !packet.isTransient(i);
          delayed += isDelayed && isAlive && packet.firstSequence + i >= releasedBefore ? 1 : 0;
        }
      }
    }
    return delayed;
  }
}
