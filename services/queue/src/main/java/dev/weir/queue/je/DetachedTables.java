package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DeferredLoad;
import dev.weir.queue.line.DeferredRecovery;
import dev.weir.queue.line.DetachedBatch;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.DetachedMove;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the tables beside the packets: scheduled and blocked messages, dead letters and
 * ids. Every method runs on a thread of the store; all but those of recovery on the writer's.
 */
public final class DetachedTables {
  private static final Logger LOG = LoggerFactory.getLogger(DetachedTables.class);
  private static final byte[] FIRST = {};

  private DetachedTables() {}

  /** Reads the keys of scheduled and blocked messages, and deletes those without use. */
  public static DeferredRecovery recover(JeFiles files, String queue) {
    DeferredRecovery recovery = new DeferredRecovery();
    if (!files.tables().has(Table.DEFERRED, queue)) {
      return recovery;
    }
    Records table = files.tables().get(Table.DEFERRED, queue);
    byte[] deliveries = DeferredKey.from(DeferredKey.DELIVERIES, 0, 0);
    try (TableCursor cursor = TableCursor.records(table, deliveries)) {
      while (cursor.next()) {
        int count = cursor.value().length == 0 ? 1 : cursor.value()[0];
        recovery.addDeliveries(DeferredKey.of(cursor.key()).sequence(), count);
      }
    }
    List<DeferredKey> useless = new ArrayList<>();
    try (TableCursor cursor = TableCursor.keys(table, DeferredKey.from(DeferredKey.DUE, 0, 0))) {
      while (cursor.next()) {
        DeferredKey found = DeferredKey.of(cursor.key());
        if (found.kind() == DeferredKey.DELIVERIES) {
          break;
        }
        if (!recovery.add(found)) {
          useless.add(found);
        }
      }
    }
    for (long sequence : recovery.orphans) {
      recovery.deliveries.remove(sequence);
      useless.add(DeferredKey.deliveries(sequence));
    }
    deleteAll(files, table, useless);
    return recovery;
  }

  private static void deleteAll(JeFiles files, Records table, List<DeferredKey> keys) {
    QueueTables.transact(
        files,
        Durability.PROCESS,
        transaction -> keys.forEach(key -> delete(table, transaction, key.toBytes())));
  }

  /** Reads the ids that a queue remembers. */
  public static void recoverIds(JeFiles files, String queue, IdWindow window) {
    if (!files.tables().has(Table.IDS, queue)) {
      return;
    }
    Records table = files.tables().get(Table.IDS, queue);
    try (TableCursor cursor = TableCursor.records(table, FIRST)) {
      while (cursor.next()) {
        window.recover(ids(ByteBuffer.wrap(cursor.key()).getLong(), cursor.value()));
      }
    }
  }

  private static IdWindow.Written ids(long firstSequence, byte[] record) {
    ByteBuffer in = ByteBuffer.wrap(record);
    long lastMs = in.getLong();
    List<String> ids = new ArrayList<>();
    while (in.hasRemaining()) {
      ids.add(OptionsCodec.readText(in));
    }
    return new IdWindow.Written(firstSequence, lastMs, ids, null);
  }

  /**
   * Writes a batch: messages on their way, deliveries, ids.
   *
   * @param scratch returns a buffer of at least so many bytes; each is used up before the next
   */
  public static <T> void put(
      JeFiles files,
      String queue,
      Serde<T> serde,
      DetachedBatch<T> batch,
      StoreTransaction transaction,
      IntFunction<ByteBuffer> scratch) {
    if (batch.hasDetached()) {
      Records detached = files.tables().get(Table.DEFERRED, queue);
      batch.deletes().forEach(key -> delete(detached, transaction, key.toBytes()));
      batch.deliveries().forEach(message -> putDeliveries(detached, transaction, message));
      batch.moves().forEach(move -> deleteFrom(detached, transaction, move));
    }
    for (DetachedMove<T> move : batch.moves()) {
      ByteBuffer record = scratch.apply(move.message.bytes());
      move.broken = !DetachedCodec.encode(move.message, serde, record);
      if (!move.broken) {
        Table table = move.to == null ? Table.DEAD : Table.DEFERRED;
        byte[] key = move.to == null ? move.dead.toBytes() : move.to.toBytes();
        put(files, table, queue, transaction, key, record);
      }
    }
    putIds(files, queue, batch, transaction);
  }

  private static void deleteFrom(
      Records detached, StoreTransaction transaction, DetachedMove<?> move) {
    if (move.from != null) {
      delete(detached, transaction, move.from.toBytes());
      if (move.message.deliveriesOnDisk) {
        delete(detached, transaction, DeferredKey.deliveries(move.message.sequence).toBytes());
      }
    }
  }

  private static void putDeliveries(
      Records detached, StoreTransaction transaction, DetachedMessage<?> message) {
    byte[] count = {(byte) message.deliveries};
    put(
        detached,
        transaction,
        DeferredKey.deliveries(message.sequence).toBytes(),
        ByteBuffer.wrap(count));
  }

  private static void putIds(
      JeFiles files, String queue, DetachedBatch<?> batch, StoreTransaction transaction) {
    if (batch.ids().isEmpty() && batch.goneIds().isEmpty()) {
      return;
    }
    Records table = files.tables().get(Table.IDS, queue);
    for (IdWindow.Written written : batch.ids()) {
      List<String> ids = written.writable();
      byte[] key = PacketKey.from(written.firstSequence());
      if (ids.isEmpty()) {
        delete(table, transaction, key);
      } else {
        int most = ids.stream().mapToInt(RecordSizes::textBytes).sum();
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + most).putLong(written.lastMs());
        ids.forEach(id -> OptionsCodec.writeText(id, record));
        put(table, transaction, key, record.flip());
      }
    }
    batch.goneIds().forEach(first -> delete(table, transaction, PacketKey.from(first)));
  }

  /** Writes one record of a table beside the packets. */
  public static void put(
      JeFiles files,
      Table table,
      String queue,
      StoreTransaction transaction,
      byte[] key,
      ByteBuffer record) {
    put(files.tables().get(table, queue), transaction, key, record);
  }

  private static void put(
      Records table, StoreTransaction transaction, byte[] key, ByteBuffer record) {
    table.put(transaction, new DatabaseEntry(key), QueueTables.entry(record));
  }

  /**
   * Writes a dead letter back into its queue as if it had never been delivered. An expiry that has
   * passed is dropped: whoever requeues the message wants it delivered.
   *
   * @param sequence that it gets
   * @param dueMs when it is delivered, ms since 1970
   */
  static DeferredKey requeue(
      Records detached,
      StoreTransaction transaction,
      DetachedMessage<byte[]> dead,
      long sequence,
      long dueMs) {
    MessageOptions options = dead.options;
    if (options != null && options.isExpired(dueMs)) {
      options = options.withExpiresAtMs(0);
    }
    DetachedMessage<byte[]> message =
        new DetachedMessage<>(sequence, dead.message, dead.sizeBytes, options, false, null);
    ByteBuffer record = ByteBuffer.allocate(message.bytes());
    DetachedCodec.encode(message, Serde.BYTES, record);
    DeferredKey key = DeferredKey.due(dueMs, message.sequence, 0, false, message.bytes());
    put(detached, transaction, key.toBytes(), record);
    return key;
  }

  /** Deletes one record of a table beside the packets. */
  public static void delete(
      JeFiles files, Table table, String queue, StoreTransaction transaction, byte[] key) {
    delete(files.tables().get(table, queue), transaction, key);
  }

  static boolean delete(Records table, StoreTransaction transaction, byte[] key) {
    return table.delete(transaction, new DatabaseEntry(key));
  }

  /** Reads scheduled or blocked messages in order. */
  public static <T> DeferredLoad.Found<T> read(
      JeFiles files, String queue, Serde<T> serde, DeferredLoad load) {
    List<DeferredLoad.Loaded<T>> read = new ArrayList<>();
    long bytes = 0;
    Records table = files.tables().get(Table.DEFERRED, queue);
    byte[] from = DeferredKey.from(load.kind(), load.order(), load.number());
    try (TableCursor cursor = TableCursor.records(table, from)) {
      while (cursor.next()) {
        DeferredKey found = DeferredKey.of(cursor.key());
        if (found.kind() != load.kind()) {
          break;
        }
        boolean full = read.size() == load.maxRecords() || bytes >= load.maxBytes();
        if (full || found.order() > load.lastOrder()) {
          return new DeferredLoad.Found<>(read, !full, found.order());
        }
        byte[] value = cursor.value();
        read.add(new DeferredLoad.Loaded<>(found, decode(queue, serde, found.sequence(), value)));
        bytes += value.length;
      }
    }
    return new DeferredLoad.Found<>(read, true, Long.MAX_VALUE);
  }

  /**
   * Shows keys of scheduled and blocked messages in order.
   *
   * @param from first key to show
   * @param max largest number of keys to show
   * @return the first key that was not shown, or null if all were
   */
  public static byte[] forEachKey(
      JeFiles files, String queue, byte[] from, int max, Consumer<DeferredKey> each) {
    if (!files.tables().has(Table.DEFERRED, queue)) {
      return null;
    }
    int shown = 0;
    try (TableCursor cursor = TableCursor.keys(files.tables().get(Table.DEFERRED, queue), from)) {
      while (cursor.next()) {
        DeferredKey key = DeferredKey.of(cursor.key());
        if (key.kind() == DeferredKey.DELIVERIES) {
          return null;
        }
        if (shown++ == max) {
          return cursor.key();
        }
        each.accept(key);
      }
    }
    return null;
  }

  /** Reads one scheduled or blocked message; null if it is gone or damaged. */
  public static <T> DetachedMessage<T> read(
      JeFiles files, String queue, Serde<T> serde, DeferredKey key) {
    Records table = files.tables().get(Table.DEFERRED, queue);
    DatabaseEntry record = new DatabaseEntry();
    DetachedMessage<T> message = null;
    if (table.get(new DatabaseEntry(key.toBytes()), record)) {
      message = decode(queue, serde, key.sequence(), record.getData());
    }
    DatabaseEntry deliveries = new DatabaseEntry(DeferredKey.deliveries(key.sequence()).toBytes());
    if (message != null && table.get(deliveries, record) && record.getSize() > 0) {
      message.deliveries = Math.max(message.deliveries, record.getData()[0]);
    }
    return message;
  }

  /** Deletes one scheduled or blocked message; false if it is gone. */
  public static boolean delete(JeFiles files, String queue, DeferredKey key) {
    boolean[] deleted = {false};
    QueueTables.transact(
        files,
        Durability.PROCESS,
        transaction -> {
          Records table = files.tables().get(Table.DEFERRED, queue);
          deleted[0] = delete(table, transaction, key.toBytes());
          delete(table, transaction, DeferredKey.deliveries(key.sequence()).toBytes());
        });
    return deleted[0];
  }

  /** Deletes scheduled or blocked messages in order; returns their keys. */
  public static List<DeferredKey> purge(JeFiles files, String queue, DeferredLoad range) {
    List<DeferredKey> keys = new ArrayList<>();
    long bytes = 0;
    Records table = files.tables().get(Table.DEFERRED, queue);
    byte[] from = DeferredKey.from(range.kind(), range.order(), range.number());
    try (TableCursor cursor = TableCursor.keys(table, from)) {
      while (keys.size() < range.maxRecords() && bytes < range.maxBytes() && cursor.next()) {
        DeferredKey found = DeferredKey.of(cursor.key());
        if (found.kind() != range.kind() || found.order() > range.lastOrder()) {
          break;
        }
        keys.add(found);
        bytes += found.bytes();
      }
    }
    deleteAll(files, table, keys);
    return keys;
  }

  private static <T> DetachedMessage<T> decode(
      String queue, Serde<T> serde, long sequence, byte[] record) {
    try {
      return DetachedCodec.decode(sequence, ByteBuffer.wrap(record), serde);
    } catch (QueueException e) {
      LOG.error("queue {}: a message is lost: {}", queue, e.getMessage());
      return null;
    }
  }
}
