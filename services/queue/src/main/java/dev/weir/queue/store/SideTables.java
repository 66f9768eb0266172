package dev.weir.queue.store;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.OptionsCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.line.DeadBook;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.line.SideBatch;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideLoad;
import dev.weir.queue.line.SideMessage;
import dev.weir.queue.line.SideMove;
import dev.weir.queue.line.SideRecovery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the tables beside the packets: messages that wait, dead letters, ids. Every
 * method runs on a thread of the store; all but those of recovery on the writer's.
 */
public final class SideTables {
  private static final Logger LOG = LoggerFactory.getLogger(SideTables.class);

  private SideTables() {}

  // ---- recovery

  /** Reads what waits, keys only, and removes what is of no use any more. */
  public static SideRecovery recover(JeFiles files, String queue) {
    SideRecovery recovery = new SideRecovery();
    if (!files.hasExtra(Extra.SIDE, queue)) {
      return recovery;
    }
    Database table = files.extra(Extra.SIDE, queue);
    readDeliveries(table, recovery);
    List<SideKey> useless = new ArrayList<>();
    DatabaseEntry key = new DatabaseEntry(SideKey.from(SideKey.DUE, 0, 0));
    try (Cursor cursor = table.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, none(), LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        SideKey found = SideKey.of(key.getData());
        if (found.kind() == SideKey.DELIVERIES) {
          break;
        }
        if (!recovery.add(found)) {
          useless.add(found);
        }
        status = cursor.getNext(key, none(), LockMode.READ_UNCOMMITTED);
      }
    }
    recovery.orphans.forEach(
        sequence -> {
          recovery.deliveries.remove(sequence);
          useless.add(SideKey.deliveries(sequence));
        });
    QueueTables.transact(
        files,
        com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC,
        transaction -> useless.forEach(found -> delete(table, transaction, found.toBytes())));
    return recovery;
  }

  private static void readDeliveries(Database table, SideRecovery recovery) {
    DatabaseEntry key = new DatabaseEntry(SideKey.from(SideKey.DELIVERIES, 0, 0));
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = table.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        int count = value.getSize() == 0 ? 1 : value.getData()[0];
        recovery.addDeliveries(SideKey.of(key.getData()).sequence(), count);
        status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
      }
    }
  }

  /** The dead letters a queue has, keys only. */
  public static DeadBook recoverDead(JeFiles files, String queue) {
    DeadBook book = new DeadBook();
    if (files.hasExtra(Extra.DEAD, queue)) {
      try (Cursor cursor = files.extra(Extra.DEAD, queue).openCursor(null, null)) {
        DatabaseEntry key = new DatabaseEntry();
        while (cursor.getNext(key, none(), LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
          book.add(DeadKey.of(key.getData()));
        }
      }
    }
    return book;
  }

  /** The ids a queue remembers. */
  public static void recoverIds(JeFiles files, String queue, IdWindow window) {
    if (!files.hasExtra(Extra.IDS, queue)) {
      return;
    }
    try (Cursor cursor = files.extra(Extra.IDS, queue).openCursor(null, null)) {
      DatabaseEntry key = new DatabaseEntry();
      DatabaseEntry value = new DatabaseEntry();
      while (cursor.getNext(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        window.recover(ids(ByteBuffer.wrap(key.getData()).getLong(), value.getData()));
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
    return new IdWindow.Written(firstSequence, lastMs, ids);
  }

  // ---- writing

  /**
   * Writes a batch.
   *
   * @param scratch gives a buffer of at least so many bytes; each is done with before the next
   */
  public static <T> void put(
      JeFiles files,
      StoredQueue<T> queue,
      SideBatch<T> batch,
      Transaction transaction,
      IntFunction<ByteBuffer> scratch) {
    if (batch.hasSide()) {
      Database side = files.extra(Extra.SIDE, queue.name());
      batch.deletes().forEach(key -> delete(side, transaction, key.toBytes()));
      batch.deliveries().forEach(message -> putDeliveries(side, transaction, message));
      batch.moves().forEach(move -> deleteFrom(side, transaction, move));
    }
    for (SideMove<T> move : batch.moves()) {
      ByteBuffer record = scratch.apply(move.message.bytes());
      move.broken = !SideCodec.encode(move.message, queue.serde(), record);
      if (!move.broken) {
        Extra extra = move.to == null ? Extra.DEAD : Extra.SIDE;
        byte[] key = move.to == null ? move.dead.toBytes() : move.to.toBytes();
        put(files.extra(extra, queue.name()), transaction, key, record);
      }
    }
    putIds(files, queue.name(), batch, transaction);
  }

  private static void deleteFrom(Database side, Transaction transaction, SideMove<?> move) {
    if (move.from != null) {
      delete(side, transaction, move.from.toBytes());
      if (move.message.deliveriesOnDisk) {
        delete(side, transaction, SideKey.deliveries(move.message.sequence).toBytes());
      }
    }
  }

  private static void putDeliveries(
      Database side, Transaction transaction, SideMessage<?> message) {
    byte[] count = {(byte) message.deliveries};
    put(side, transaction, SideKey.deliveries(message.sequence).toBytes(), ByteBuffer.wrap(count));
  }

  private static void putIds(
      JeFiles files, String queue, SideBatch<?> batch, Transaction transaction) {
    if (batch.ids().isEmpty() && batch.goneIds().isEmpty()) {
      return;
    }
    Database table = files.extra(Extra.IDS, queue);
    for (IdWindow.Written ids : batch.ids()) {
      int most = ids.ids().stream().mapToInt(RecordSizes::textBytes).sum();
      ByteBuffer record = ByteBuffer.allocate(Long.BYTES + most).putLong(ids.lastMs());
      ids.ids().forEach(id -> OptionsCodec.writeText(id, record));
      put(table, transaction, PacketKey.from(ids.firstSequence()), record.flip());
    }
    batch.goneIds().forEach(first -> delete(table, transaction, PacketKey.from(first)));
  }

  public static void put(Database table, Transaction transaction, byte[] key, ByteBuffer record) {
    table.put(
        transaction,
        new DatabaseEntry(key),
        new DatabaseEntry(
            record.array(), record.arrayOffset() + record.position(), record.remaining()));
  }

  /**
   * Puts a dead letter back into a queue, as if it had never been tried. Whoever puts an expired
   * one back wants it delivered.
   *
   * @param dueMs when it is delivered
   */
  public static SideKey requeue(
      Database side, Transaction transaction, SideMessage<byte[]> dead, long dueMs) {
    MessageOptions its = dead.options;
    MessageOptions alive = its != null && its.isExpired(dueMs) ? its.withExpiresAtMs(0) : its;
    SideMessage<byte[]> message =
        new SideMessage<>(dead.sequence, dead.message, dead.sizeBytes, alive, false, null);
    ByteBuffer record = ByteBuffer.allocate(message.bytes());
    SideCodec.encode(message, Serde.BYTES, record);
    SideKey key = SideKey.due(dueMs, message.sequence, 0, false, message.bytes());
    put(side, transaction, key.toBytes(), record);
    return key;
  }

  public static boolean delete(Database table, Transaction transaction, byte[] key) {
    return table.delete(transaction, new DatabaseEntry(key)) == OperationStatus.SUCCESS;
  }

  // ---- reading

  /** Reads records that wait, in order. */
  static <T> SideLoad.Found<T> read(JeFiles files, StoredQueue<T> queue, SideLoad load) {
    List<SideLoad.Loaded<T>> read = new ArrayList<>();
    DatabaseEntry key = new DatabaseEntry(SideKey.from(load.kind(), load.order(), load.number()));
    DatabaseEntry value = new DatabaseEntry();
    long bytes = 0;
    Database table = files.extra(Extra.SIDE, queue.name());
    try (Cursor cursor = table.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        SideKey found = SideKey.of(key.getData());
        if (found.kind() != load.kind()) {
          break;
        }
        boolean full = read.size() == load.maxRecords() || bytes >= load.maxBytes();
        if (full || found.order() > load.lastOrder()) {
          return new SideLoad.Found<>(read, !full, found.order());
        }
        read.add(new SideLoad.Loaded<>(found, decode(queue, found.sequence(), value)));
        bytes += value.getSize();
        status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
      }
    }
    return new SideLoad.Found<>(read, true, Long.MAX_VALUE);
  }

  /** Deletes records in order; returns their keys. */
  static List<SideKey> purge(JeFiles files, String queue, SideLoad range) {
    List<SideKey> keys = new ArrayList<>();
    Database table = files.extra(Extra.SIDE, queue);
    DatabaseEntry key =
        new DatabaseEntry(SideKey.from(range.kind(), range.order(), range.number()));
    try (Cursor cursor = table.openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, none(), LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS && keys.size() < range.maxRecords()) {
        SideKey found = SideKey.of(key.getData());
        if (found.kind() != range.kind() || found.order() > range.lastOrder()) {
          break;
        }
        keys.add(found);
        status = cursor.getNext(key, none(), LockMode.READ_UNCOMMITTED);
      }
    }
    QueueTables.transact(
        files,
        com.sleepycat.je.Durability.COMMIT_WRITE_NO_SYNC,
        transaction -> keys.forEach(found -> delete(table, transaction, found.toBytes())));
    return keys;
  }

  private static <T> SideMessage<T> decode(
      StoredQueue<T> queue, long sequence, DatabaseEntry value) {
    try {
      return SideCodec.decode(sequence, ByteBuffer.wrap(value.getData()), queue.serde());
    } catch (QueueException e) {
      LOG.error("queue {}: a message is lost: {}", queue.name(), e.getMessage());
      return null;
    }
  }

  private static DatabaseEntry none() {
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    return none;
  }
}
