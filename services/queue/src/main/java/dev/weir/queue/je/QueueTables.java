package dev.weir.queue.je;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import dev.weir.queue.line.QueueRecovery;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Reads and writes the records of queues; every method runs on a thread of the store. */
public final class QueueTables {
  /** Sequences are reserved in blocks, so that none is used twice over a crash. */
  private static final long SEQUENCE_BLOCK = 1L << 40;

  private static final int DELETES_PER_TRANSACTION = 1000;

  private QueueTables() {}

  /** Reads what is left of a queue, keys only, and removes what is of no use any more. */
  public static QueueRecovery recover(JeFiles files, String queue) {
    JeFiles.Tables tables = files.tables(queue);
    QueueRecovery recovery = new QueueRecovery(reserve(files, queue), progress(tables));
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
          delete(files, tables, useless, recovery);
          useless.clear();
        }
      }
    }
    delete(files, tables, useless, recovery);
    deleteProgress(files, tables, recovery);
    return recovery;
  }

  private static void delete(
      JeFiles files, JeFiles.Tables tables, List<PacketKey> keys, QueueRecovery recovery) {
    transact(
        files,
        Durability.COMMIT_WRITE_NO_SYNC,
        transaction -> {
          for (PacketKey key : keys) {
            delete(tables, transaction, key, recovery.removeProgress(key.firstSequence()));
          }
        });
  }

  private static void deleteProgress(JeFiles files, JeFiles.Tables tables, QueueRecovery recovery) {
    transact(
        files,
        Durability.COMMIT_WRITE_NO_SYNC,
        transaction ->
            recovery
                .orphans()
                .forEach(
                    first -> {
                      recovery.removeProgress(first);
                      tables.progress().delete(transaction, sequence(first));
                    }));
  }

  public static void transact(JeFiles files, Durability durability, Consumer<Transaction> work) {
    Transaction transaction = files.begin();
    try {
      work.accept(transaction);
      transaction.commit(durability);
    } catch (RuntimeException e) {
      transaction.abort();
      throw e;
    }
  }

  public static Map<Long, PacketProgress> progress(JeFiles.Tables tables) {
    Map<Long, PacketProgress> progress = new HashMap<>();
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry value = new DatabaseEntry();
    try (Cursor cursor = tables.progress().openCursor(null, null)) {
      while (cursor.getNext(key, value, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        long first = ByteBuffer.wrap(key.getData()).getLong();
        progress.put(first, PacketProgress.of(value.getData()));
      }
    }
    return progress;
  }

  /**
   * A first sequence above all used before: each opening takes a block of 2^40, of which there are
   * eight million.
   */
  public static long reserve(JeFiles files, String queue) {
    Database meta = files.meta();
    DatabaseEntry key = new DatabaseEntry(("sequence." + queue).getBytes(StandardCharsets.UTF_8));
    DatabaseEntry value = new DatabaseEntry();
    boolean known = meta.get(null, key, value, LockMode.DEFAULT) == OperationStatus.SUCCESS;
    long block = known ? ByteBuffer.wrap(value.getData()).getLong() : 0;
    transact(
        files,
        Durability.COMMIT_SYNC,
        transaction -> meta.put(transaction, key, sequence(block + 1)));
    return Math.max(1, block * SEQUENCE_BLOCK);
  }

  private static DatabaseEntry sequence(long sequence) {
    return new DatabaseEntry(PacketKey.from(sequence));
  }

  public static void put(
      JeFiles.Tables tables, Transaction transaction, PacketKey key, ByteBuffer value) {
    tables
        .packets()
        .put(
            transaction,
            new DatabaseEntry(key.toBytes()),
            new DatabaseEntry(
                value.array(), value.arrayOffset() + value.position(), value.remaining()));
  }

  public static void putProgress(JeFiles.Tables tables, Transaction transaction, Packet<?> packet) {
    tables
        .progress()
        .put(
            transaction,
            sequence(packet.firstSequence),
            new DatabaseEntry(PacketProgress.of(packet).toBytes()));
  }

  public static void delete(
      JeFiles.Tables tables, Transaction transaction, PacketKey key, boolean withProgress) {
    tables.packets().delete(transaction, new DatabaseEntry(key.toBytes()));
    if (withProgress) {
      tables.progress().delete(transaction, sequence(key.firstSequence()));
    }
  }

  /** A record as read. */
  public record Read(PacketKey key, ByteBuffer value) {}

  /**
   * What was found.
   *
   * @param exhausted there was no more where it was looked for
   */
  public record Found(List<Read> records, boolean exhausted) {}

  /** Reads packets in order, at least one if there is any. */
  public static Found read(JeFiles.Tables tables, DiskRegion.Load load, long maxBytes) {
    List<Read> read = new ArrayList<>();
    DatabaseEntry key = sequence(load.fromSequence());
    DatabaseEntry value = new DatabaseEntry();
    long bytes = 0;
    try (Cursor cursor = tables.packets().openCursor(null, null)) {
      OperationStatus status = cursor.getSearchKeyRange(key, value, LockMode.READ_UNCOMMITTED);
      while (status == OperationStatus.SUCCESS) {
        PacketKey found = PacketKey.of(key.getData());
        if (found.firstSequence() >= load.endSequence()) {
          break;
        }
        if (found.alive() > 0) {
          read.add(new Read(found, ByteBuffer.wrap(value.getData())));
        }
        bytes += value.getSize();
        if (bytes >= maxBytes || read.size() == load.packets()) {
          return new Found(read, false);
        }
        status = cursor.getNext(key, value, LockMode.READ_UNCOMMITTED);
      }
    }
    return new Found(read, true);
  }
}
