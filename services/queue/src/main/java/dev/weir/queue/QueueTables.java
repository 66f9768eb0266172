package dev.weir.queue;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads and writes the records of queues; every method runs on a thread of the store. */
final class QueueTables {
  /** Sequences are reserved in blocks, so that none is used twice over a crash. */
  private static final long SEQUENCE_BLOCK = 1L << 40;

  private static final int DELETES_PER_TRANSACTION = 1000;

  private QueueTables() {}

  /** Reads what is left of a queue, keys only, and removes what is of no use any more. */
  static QueueRecovery recover(JeFiles files, String queue) {
    JeFiles.Tables tables = files.tables(queue);
    Map<Long, byte[]> progress = progress(tables);
    QueueRecovery recovery = new QueueRecovery(reserve(files, queue), progress);
    List<PacketKey> useless = new ArrayList<>();
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    try (Cursor cursor = tables.packets().openCursor(null, null)) {
      while (cursor.getNext(key, none, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        PacketKey found = PacketKey.of(key.getData());
        if (!recovery.add(found)) {
          useless.add(found);
        }
        if (useless.size() == DELETES_PER_TRANSACTION) {
          delete(files, tables, useless, progress);
        }
      }
    }
    delete(files, tables, useless, progress);
    return recovery;
  }

  private static void delete(
      JeFiles files, JeFiles.Tables tables, List<PacketKey> keys, Map<Long, byte[]> progress) {
    Transaction transaction = files.begin();
    try {
      for (PacketKey key : keys) {
        delete(tables, transaction, key, progress.remove(key.firstSequence()) != null);
      }
      transaction.commit(Durability.COMMIT_WRITE_NO_SYNC);
    } catch (RuntimeException e) {
      transaction.abort();
      throw e;
    }
    keys.clear();
  }

  private static Map<Long, byte[]> progress(JeFiles.Tables tables) {
    Map<Long, byte[]> progress = new HashMap<>();
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = tables.progress().openCursor(null, null)) {
      while (cursor.getNext(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        progress.put(ByteBuffer.wrap(key.getData()).getLong(), value.getData());
      }
    }
    return progress;
  }

  /**
   * A first sequence above all used before: each opening takes a block of 2^40, of which there are
   * eight million.
   */
  private static long reserve(JeFiles files, String queue) {
    DatabaseEntry key = new DatabaseEntry(("sequence." + queue).getBytes(StandardCharsets.UTF_8));
    DatabaseEntry value = new DatabaseEntry();
    long block = 0;
    if (files.meta().get(null, key, value, LockMode.DEFAULT) == OperationStatus.SUCCESS) {
      block = ByteBuffer.wrap(value.getData()).getLong();
    }
    value.setData(ByteBuffer.allocate(Long.BYTES).putLong(block + 1).array());
    Transaction transaction = files.begin();
    files.meta().put(transaction, key, value);
    transaction.commit(Durability.COMMIT_SYNC);
    return Math.max(1, block * SEQUENCE_BLOCK);
  }

  static void put(JeFiles.Tables tables, Transaction transaction, PacketKey key, ByteBuffer value) {
    tables
        .packets()
        .put(
            transaction,
            new DatabaseEntry(key.toBytes()),
            new DatabaseEntry(
                value.array(), value.arrayOffset() + value.position(), value.remaining()));
  }

  static void putProgress(JeFiles.Tables tables, Transaction transaction, Packet<?> packet) {
    tables
        .progress()
        .put(
            transaction,
            new DatabaseEntry(PacketKey.from(packet.firstSequence)),
            new DatabaseEntry(packet.progress, 0, packet.count));
  }

  static void delete(
      JeFiles.Tables tables, Transaction transaction, PacketKey key, boolean withProgress) {
    tables.packets().delete(transaction, new DatabaseEntry(key.toBytes()));
    if (withProgress) {
      tables.progress().delete(transaction, new DatabaseEntry(PacketKey.from(key.firstSequence())));
    }
  }

  /** A record as read. */
  record Read(PacketKey key, ByteBuffer value) {}

  /** Reads packets from a sequence on, in order, at least one and at most so many. */
  static List<Read> read(JeFiles.Tables tables, long fromSequence, long maxPackets, long maxBytes) {
    List<Read> read = new ArrayList<>();
    DatabaseEntry key = new DatabaseEntry(PacketKey.from(fromSequence));
    DatabaseEntry value = new DatabaseEntry();
    long bytes = 0;
    try (Cursor cursor = tables.packets().openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        read.add(new Read(PacketKey.of(key.getData()), ByteBuffer.wrap(value.getData())));
        bytes += value.getSize();
        if (bytes >= maxBytes || read.size() == maxPackets) {
          break;
        }
        status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
      }
    }
    return read;
  }
}
