package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.PacketKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads, deletes and requeues the records of one queue's dead letters. One thread at a time changes
 * the table: the store's writer, or whoever has opened a closed directory.
 */
public final class DeadLetterTable {
  private static final Logger LOG = LoggerFactory.getLogger(DeadLetterTable.class);
  private static final long MAX_BYTES = 4 << 20;

  /**
   * A dead letter as stored.
   *
   * @param record null if only keys were read
   */
  public record Found(DeadKey key, ByteBuffer record) {}

  /** A dead letter that was moved back into its queue. */
  public record Requeued(DeadKey from, DeferredKey to) {}

  private final JeFiles files;
  private final String queue;

  public DeadLetterTable(JeFiles files, String queue) {
    this.files = files;
    this.queue = queue;
  }

  private Records table() {
    return files.tables().get(Table.DEAD, queue);
  }

  private boolean isAbsent() {
    return !files.tables().has(Table.DEAD, queue);
  }

  /** Reads the keys of all dead letters, and which numbers were used before. */
  public DeadBook recover() {
    DeadBook book = new DeadBook();
    files.tables().forEachKey(Table.DEAD, queue, key -> book.add(DeadKey.of(key)));
    book.startNumbers(numberAfterDeleted(1), numberAfterDeleted(DeadKey.UNREADABLE));
    return book;
  }

  /**
   * Notes the numbers of dead letters in the transaction that deletes them, because the table no
   * longer shows that they were used.
   */
  private void noteNumbers(StoreTransaction transaction, Stream<DeadKey> deleted) {
    DeadBook book = new DeadBook();
    deleted.forEach(book::add);
    noteNumbers(transaction, book);
  }

  /** The same of all dead letters of the table. */
  void noteNumbers(StoreTransaction transaction, DeadBook deleted) {
    noteNumber(transaction, 1, deleted.lastNumber() + 1);
    noteNumber(transaction, DeadKey.UNREADABLE, deleted.lastUnreadable() + 1);
  }

  private void noteNumber(StoreTransaction transaction, long first, long next) {
    if (next > numberAfterDeleted(first)) {
      DatabaseEntry value = new DatabaseEntry(PacketKey.from(next));
      files.meta().put(transaction, numberKey(first), value);
    }
  }

  /** The number after the highest that a deleted dead letter had. */
  private long numberAfterDeleted(long first) {
    DatabaseEntry value = new DatabaseEntry();
    boolean known = files.meta().get(numberKey(first), value);
    return known ? ByteBuffer.wrap(value.getData()).getLong() : first;
  }

  private DatabaseEntry numberKey(long first) {
    String prefix = first == DeadKey.UNREADABLE ? "unreadable." : "dead.";
    return new DatabaseEntry((prefix + queue).getBytes(StandardCharsets.UTF_8));
  }

  /** Finds the keys of dead letters by number, in order. */
  public List<Found> findKeys(long fromNumber, long lastNumber, int max) {
    return find(fromNumber, lastNumber, max, false);
  }

  /** Finds dead letters by number, in order; ends early when it has read some megabytes. */
  public List<Found> find(long fromNumber, long lastNumber, int max) {
    return find(fromNumber, lastNumber, max, true);
  }

  private List<Found> find(long fromNumber, long lastNumber, int max, boolean withRecords) {
    List<Found> found = new ArrayList<>();
    if (isAbsent()) {
      return found;
    }
    long bytes = 0;
    byte[] from = DeadKey.from(fromNumber);
    try (TableCursor cursor =
        withRecords ? TableCursor.records(table(), from) : TableCursor.keys(table(), from)) {
      while (found.size() < max && bytes < MAX_BYTES && cursor.next()) {
        DeadKey key = DeadKey.of(cursor.key());
        if (key.number() > lastNumber) {
          break;
        }
        ByteBuffer record = withRecords ? ByteBuffer.wrap(cursor.value()) : null;
        bytes += withRecords ? record.remaining() : 0;
        found.add(new Found(key, record));
      }
    }
    return found;
  }

  /** Decodes a record; null, and a line in the log, if it is damaged. */
  public <T> DetachedMessage<T> decode(Found found, Serde<T> serde) {
    try {
      return DetachedCodec.decode(found.key.sequence(), found.record.duplicate(), serde);
    } catch (QueueException e) {
      LOG.error("queue {}: a dead letter cannot be read: {}", queue, e.getMessage());
      return null;
    }
  }

  /** Deletes records that are still there, in one transaction; returns their keys. */
  public List<DeadKey> delete(List<Found> letters) {
    List<DeadKey> deleted = new ArrayList<>();
    QueueTables.transact(
        files,
        Durability.MACHINE,
        transaction -> {
          for (Found found : letters) {
            if (DetachedTables.delete(table(), transaction, found.key.toBytes())) {
              deleted.add(found.key);
            }
          }
          noteNumbers(transaction, deleted.stream());
        });
    return deleted;
  }

  /**
   * Moves dead letters back into their queue in one transaction. A dead letter that is gone or
   * damaged is left out.
   *
   * @param dueMs when they are delivered, ms since 1970
   */
  public List<Requeued> requeue(List<Found> letters, long dueMs) {
    return move(letters, queue, sequence -> sequence, () -> dueMs);
  }

  /**
   * Moves dead letters into a queue, to be delivered there, in one transaction. A dead letter that
   * is gone or damaged is left out.
   *
   * @param to this queue or another of the store
   * @param sequences gives each its sequence there, of the one that it has here
   * @param dueMs gives for each when it is delivered, ms since 1970
   */
  public List<Requeued> move(
      List<Found> letters, String to, LongUnaryOperator sequences, LongSupplier dueMs) {
    List<Requeued> requeued = new ArrayList<>();
    if (letters.isEmpty()) {
      return requeued;
    }
    Records dead = table();
    Records detached = files.tables().get(Table.DEFERRED, to);
    QueueTables.transact(
        files,
        Durability.MACHINE,
        transaction -> {
          for (Found found : letters) {
            DetachedMessage<byte[]> letter = decode(found, Serde.BYTES);
            if (letter != null && DetachedTables.delete(dead, transaction, found.key.toBytes())) {
              DeferredKey key =
                  DetachedTables.requeue(
                      detached,
                      transaction,
                      letter,
                      sequences.applyAsLong(letter.sequence),
                      dueMs.getAsLong());
              requeued.add(new Requeued(found.key, key));
            }
          }
          noteNumbers(transaction, requeued.stream().map(Requeued::from));
        });
    return requeued;
  }
}
