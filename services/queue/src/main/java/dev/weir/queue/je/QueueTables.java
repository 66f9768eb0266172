package dev.weir.queue.je;

import com.sleepycat.je.DatabaseEntry;
import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.line.DeadBook;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes the packets of queues and their progress. Every method runs on a thread of the
 * store, between {@link JeFiles#beginUse} and {@link JeFiles#endUse}.
 */
public final class QueueTables {
  /** Sequences are reserved in blocks, so that a crash never makes one be used twice. */
  private static final long SEQUENCE_BLOCK = 1L << 40;

  private static final int DELETES_PER_TRANSACTION = 1000;
  private static final byte[] FIRST = {};
  private static final Logger LOG = LoggerFactory.getLogger(QueueTables.class);

  private QueueTables() {}

  /** Reads the keys of a queue's packets, and deletes packets with nothing left to deliver. */
  public static QueueRecovery recover(JeFiles files, String queue) {
    OpenTables tables = files.tables();
    tables.create(queue);
    long next = reserve(files, queue, true);
    QueueRecovery recovery = new QueueRecovery(next, progress(tables, queue));
    recovery.releasedBefore = ScheduleTable.releasedBefore(files.meta(), queue);
    List<PacketKey> useless = new ArrayList<>();
    try (TableCursor cursor = TableCursor.keys(tables.get(Table.PACKETS, queue), FIRST)) {
      while (cursor.next()) {
        PacketKey found = PacketKey.of(cursor.key());
        if (!recovery.add(found)) {
          useless.add(found);
        }
        if (useless.size() == DELETES_PER_TRANSACTION) {
          delete(files, queue, useless, recovery);
          useless.clear();
        }
      }
    }
    delete(files, queue, useless, recovery);
    deleteProgress(files, queue, recovery);
    return recovery;
  }

  private static void delete(
      JeFiles files, String queue, List<PacketKey> keys, QueueRecovery recovery) {
    transact(
        files,
        Durability.PROCESS,
        transaction -> {
          for (PacketKey key : keys) {
            boolean hadProgress = recovery.removeProgress(key.firstSequence());
            delete(files.tables(), queue, transaction, key, hadProgress);
          }
        });
  }

  private static void deleteProgress(JeFiles files, String queue, QueueRecovery recovery) {
    Records progress = files.tables().get(Table.PROGRESS, queue);
    transact(
        files,
        Durability.PROCESS,
        transaction -> {
          for (long first : recovery.orphans()) {
            recovery.removeProgress(first);
            progress.delete(transaction, sequence(first));
          }
        });
  }

  /** Commits what {@code work} writes, or nothing of it if it throws. */
  public static void transact(
      JeFiles files, Durability durability, Consumer<StoreTransaction> work) {
    try (StoreTransaction transaction = files.begin()) {
      work.accept(transaction);
      transaction.commit(durability);
    }
  }

  /** The progress of all packets that are consumed in part, by first sequence. */
  public static Map<Long, PacketProgress> progress(OpenTables tables, String queue) {
    Map<Long, PacketProgress> progress = new HashMap<>();
    if (!tables.has(Table.PROGRESS, queue)) {
      return progress;
    }
    try (TableCursor cursor = TableCursor.records(tables.get(Table.PROGRESS, queue), FIRST)) {
      while (cursor.next()) {
        long first = ByteBuffer.wrap(cursor.key()).getLong();
        progress.put(first, PacketProgress.of(cursor.value()));
      }
    }
    return progress;
  }

  /**
   * Reads the packet of a message, up to date as far as the disk is; null if there is none that can
   * be read.
   */
  public static Packet<byte[]> packetOf(OpenTables tables, String queue, long sequence) {
    Records packets = tables.get(Table.PACKETS, queue);
    try (TableCursor cursor = TableCursor.before(packets, PacketKey.from(sequence + 1))) {
      boolean found = cursor.previous();
      PacketKey key = found ? PacketKey.of(cursor.key()) : null;
      // Keys are without sign: a negative sequence would be behind all of them.
      if (!found || sequence < key.firstSequence() || key.endSequence() <= sequence) {
        return null;
      }
      return decode(tables, queue, new Read(key, ByteBuffer.wrap(cursor.value())), Serde.BYTES);
    }
  }

  /** A packet up to date as far as the disk is; null if it is damaged. */
  public static <T> Packet<T> decode(OpenTables tables, String queue, Read record, Serde<T> serde) {
    try {
      Packet<T> packet = PacketCodec.decode(record.key(), record.value(), serde);
      DatabaseEntry progress = new DatabaseEntry();
      if (tables.get(Table.PROGRESS, queue).get(sequence(packet.firstSequence), progress)) {
        PacketProgress.of(progress.getData()).applyTo(packet);
        packet.progressOnDisk = true;
      }
      return packet;
    } catch (QueueException e) {
      // Damaged: its messages are counted as lost when they are to be delivered.
      return null;
    }
  }

  /**
   * Returns a first sequence above all used before. Each opening takes a block of 2^40 sequences;
   * there are eight million blocks.
   */
  public static long reserve(JeFiles files, String queue) {
    return reserve(files, queue, false);
  }

  private static long reserve(JeFiles files, String queue, boolean isOpened) {
    long block = nextBlock(files, queue);
    transact(
        files,
        Durability.MACHINE,
        transaction -> {
          files.meta().put(transaction, new DatabaseEntry(sequenceKey(queue)), sequence(block + 1));
          if (isOpened) {
            files.meta().put(transaction, openKey(queue), sequence(block));
          }
        });
    return Math.max(1, block * SEQUENCE_BLOCK);
  }

  /** True if the last opening of a queue was not followed by a close in order. */
  public static boolean isOpen(JeFiles files, String queue) {
    return files.meta().get(openKey(queue), new DatabaseEntry());
  }

  /** Notes that a queue is closed in order: every delivery is counted on disk. */
  public static void closed(JeFiles files, String queue) {
    transact(
        files, Durability.PROCESS, transaction -> files.meta().delete(transaction, openKey(queue)));
  }

  /** The key of the record that a queue has while it is open, and after a crash. */
  private static DatabaseEntry openKey(String queue) {
    return new DatabaseEntry(("open." + queue).getBytes(StandardCharsets.UTF_8));
  }

  /** A sequence above all used before, of a queue that is not open. */
  static long nextSequence(JeFiles files, String queue) {
    return nextBlock(files, queue) * SEQUENCE_BLOCK;
  }

  private static long nextBlock(JeFiles files, String queue) {
    DatabaseEntry value = new DatabaseEntry();
    boolean known = files.meta().get(new DatabaseEntry(sequenceKey(queue)), value);
    return known ? ByteBuffer.wrap(value.getData()).getLong() : 0;
  }

  /** The key of a queue's next block among the store's own records. */
  static byte[] sequenceKey(String queue) {
    return ("sequence." + queue).getBytes(StandardCharsets.UTF_8);
  }

  /** The number of the first block without sequences that are used. */
  static long blockAfter(long lastSequence) {
    return lastSequence / SEQUENCE_BLOCK + 1;
  }

  /** The first sequence of the block that a sequence is in. */
  static long firstOfBlock(long sequence) {
    return Math.max(1, sequence / SEQUENCE_BLOCK * SEQUENCE_BLOCK);
  }

  private static DatabaseEntry sequence(long sequence) {
    return new DatabaseEntry(PacketKey.from(sequence));
  }

  /** Deletes all records of some tables of a queue in one transaction, forced to the device. */
  public static void truncate(JeFiles files, String queue, Table... truncated) {
    change(
        files,
        queue,
        List.of(truncated),
        (transaction, name) -> files.current().truncateDatabase(transaction.je(), name, false));
  }

  /** Deletes all tables of a queue in one transaction, forced to the device. */
  public static void remove(JeFiles files, String queue) {
    change(
        files,
        queue,
        List.of(Table.values()),
        (transaction, name) -> files.current().removeDatabase(transaction.je(), name));
  }

  private static void change(
      JeFiles files, String queue, List<Table> tables, BiConsumer<StoreTransaction, String> each) {
    Map<Integer, Long> freed =
        tables.contains(Table.PACKETS) ? files.tables().inSegments(queue) : Map.of();
    DeadLetterTable dead = new DeadLetterTable(files, queue);
    DeadBook deleted = tables.contains(Table.DEAD) ? dead.recover() : new DeadBook();
    files.tables().close(queue);
    List<String> known = files.current().getDatabaseNames();
    transact(
        files,
        Durability.MACHINE,
        transaction -> {
          for (Table table : tables) {
            if (known.contains(table.nameFor(queue))) {
              each.accept(transaction, table.nameFor(queue));
            }
          }
          if (tables.contains(Table.PACKETS)) {
            transaction.removed(queue);
          }
          dead.noteNumbers(transaction, deleted);
          freed.forEach(transaction::freed);
        });
  }

  /** Writes a packet, or a reference to it. */
  public static void put(
      OpenTables tables,
      String queue,
      StoreTransaction transaction,
      PacketKey key,
      ByteBuffer value) {
    tables
        .get(Table.PACKETS, queue)
        .put(transaction, new DatabaseEntry(key.toBytes()), entry(value));
    transaction.wrote(queue, key.endSequence());
  }

  static DatabaseEntry entry(ByteBuffer value) {
    return new DatabaseEntry(
        value.array(), value.arrayOffset() + value.position(), value.remaining());
  }

  /**
   * Deletes the references to packets that are not there, in the part of the log that may not have
   * been forced to the device before a loss of power: neither were these packets.
   *
   * @param closed whether the store was closed in order, so that all was forced
   * @param last what the mark of the log says. If it is null or knows of no sync, nothing tells how
   *     far the log was forced: such a packet may as well have been damaged afterwards
   */
  static void dropUnwritten(JeFiles files, boolean closed, LogMark.Content last) {
    LongPredicate certain = lsn -> closed || LogMark.isDamage(last, lsn);
    boolean known = last != null && last.syncedLsn() > 0;
    for (String queue : files.tables().queues()) {
      List<PacketKey> broken = new ArrayList<>();
      Records packets = files.tables().get(Table.PACKETS, queue);
      try (TableCursor cursor = TableCursor.keys(packets, FIRST)) {
        while (cursor.next()) {
          PacketKey key = PacketKey.of(cursor.key());
          if (key.segment() != 0 && !certain.test(cursor.lsn()) && !isThere(packets, key)) {
            broken.add(key);
          }
        }
      }
      broken.forEach(key -> dropUnwritten(files, queue, key, known));
    }
  }

  private static boolean isThere(Records packets, PacketKey key) {
    DatabaseEntry value = new DatabaseEntry();
    return packets.get(new DatabaseEntry(key.toBytes()), value)
        && PacketCodec.isIntact(key, ByteBuffer.wrap(value.getData()));
  }

  private static void dropUnwritten(JeFiles files, String queue, PacketKey key, boolean known) {
    LOG.error(
        known
            ? "queue {}: packet {} with {} messages was not yet forced to the device, and is lost"
            : "queue {}: packet {} is lost, with up to {} messages: it was not yet forced to the"
                + " device, or was damaged later",
        queue,
        key.firstSequence(),
        key.keep());
    transact(
        files,
        Durability.PROCESS,
        transaction -> {
          delete(files.tables(), queue, transaction, key, true);
          if (files.tables().has(Table.IDS, queue)) {
            // A message that is sent again is not one that is there.
            Records ids = files.tables().get(Table.IDS, queue);
            ids.delete(transaction, sequence(key.firstSequence()));
          }
        });
  }

  /** Writes what became of a packet's messages. */
  public static void putProgress(
      OpenTables tables,
      String queue,
      StoreTransaction transaction,
      Packet<?> packet,
      PacketProgress progress) {
    packet.progressOnDisk = true;
    tables
        .get(Table.PROGRESS, queue)
        .put(transaction, sequence(packet.firstSequence), new DatabaseEntry(progress.toBytes()));
  }

  /** Deletes a packet. */
  public static void delete(
      OpenTables tables,
      String queue,
      StoreTransaction transaction,
      PacketKey key,
      boolean withProgress) {
    tables.get(Table.PACKETS, queue).delete(transaction, new DatabaseEntry(key.toBytes()));
    if (withProgress) {
      tables.get(Table.PROGRESS, queue).delete(transaction, sequence(key.firstSequence()));
    }
  }

  /** Deletes the records of failed attempts, which may have reached the disk. */
  public static void deleteOld(
      OpenTables tables, String queue, StoreTransaction transaction, Packet<?> packet) {
    packet.oldKeys.forEach(key -> delete(tables, queue, transaction, key, false));
  }

  /** A packet as stored. */
  public record Read(PacketKey key, ByteBuffer value) {}

  /**
   * The packets that a search found.
   *
   * @param exhausted true if the searched range holds no more
   */
  public record Found(List<Read> records, boolean exhausted) {}

  /** Finds packets in order, at least one if there is any, for {@link OpenTables#packet}. */
  public static Found read(OpenTables tables, String queue, DiskRegion.Load load) {
    List<Read> read = new ArrayList<>();
    long bytes = 0;
    Records packets = tables.get(Table.PACKETS, queue);
    byte[] from = PacketKey.from(load.fromSequence());
    try (TableCursor cursor = TableCursor.records(packets, from)) {
      while (cursor.next()) {
        PacketKey found = PacketKey.of(cursor.key());
        if (found.firstSequence() >= load.endSequence()) {
          break;
        }
        if (found.alive() > 0) {
          read.add(new Read(found, ByteBuffer.wrap(cursor.stored())));
          bytes += found.bytes();
        }
        boolean isLast = found.endSequence() >= load.endSequence();
        if (isLast || bytes >= load.mostBytes()) {
          return new Found(read, isLast);
        }
      }
    }
    return new Found(read, true);
  }
}
