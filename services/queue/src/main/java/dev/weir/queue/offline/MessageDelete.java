package dev.weir.queue.offline;

import dev.weir.queue.Durability;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.OpenTables;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.StoreTransaction;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DiskRegion;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Deletes single messages of a queue in a closed directory. */
public final class MessageDelete {
  private final JeFiles files;
  private final OpenTables tables;
  private final String queue;

  public MessageDelete(JeFiles files, String queue) {
    this.files = files;
    this.tables = files.tables();
    this.queue = queue;
  }

  /** Deletes the message of a sequence; false if there is none that can be read. */
  public boolean delete(long sequence) {
    return deleteKey(Table.DEAD, sequence, key -> DeadKey.of(key).sequence())
        || deleteKey(Table.DEFERRED, sequence, MessageDelete::deferred)
        || deleteInPacket(sequence);
  }

  /** The sequence of a message, or -1 if the record is no message. */
  private static long deferred(byte[] key) {
    DeferredKey deferred = DeferredKey.of(key);
    return deferred.kind() == DeferredKey.DELIVERIES ? -1 : deferred.sequence();
  }

  private boolean deleteKey(Table table, long sequence, ToLongFunction<byte[]> sequenceOf) {
    byte[][] found = {null};
    tables.forEachKey(
        table,
        queue,
        key -> {
          if (sequenceOf.applyAsLong(key) == sequence) {
            found[0] = key;
          }
        });
    if (found[0] != null) {
      commit(transaction -> DetachedTables.delete(files, table, queue, transaction, found[0]));
    }
    return found[0] != null;
  }

  private boolean deleteInPacket(long sequence) {
    PacketKey[] found = {null};
    tables.forEachKey(
        Table.PACKETS,
        queue,
        bytes -> {
          PacketKey key = PacketKey.of(bytes);
          if (key.firstSequence() <= sequence && sequence < key.endSequence()) {
            found[0] = key;
          }
        });
    return found[0] != null && deleteIn(found[0], sequence);
  }

  private boolean deleteIn(PacketKey key, long sequence) {
    long first = key.firstSequence();
    DiskRegion.Load load = new DiskRegion.Load(first, first + 1, 1, 0, 0);
    List<QueueTables.Read> read = QueueTables.read(tables, queue, load, Long.MAX_VALUE).records();
    Packet<byte[]> packet = read.isEmpty() ? null : decode(read.get(0));
    if (packet == null) {
      return false;
    }
    PacketProgress known = QueueTables.progress(tables, queue).get(first);
    if (known != null) {
      known.applyTo(packet);
    }
    int index = (int) (sequence - first);
    if (packet.isSettled(index)) {
      return false;
    }
    packet.settle(index);
    PacketProgress progress = PacketProgress.of(packet);
    commit(
        transaction -> {
          if (progress.keep() + progress.transients() == 0) {
            QueueTables.delete(tables, queue, transaction, key, known != null);
          } else {
            QueueTables.putProgress(tables, queue, transaction, packet, progress);
          }
        });
    return true;
  }

  private static Packet<byte[]> decode(QueueTables.Read record) {
    try {
      return PacketCodec.decode(record.key(), record.value(), Serde.BYTES);
    } catch (QueueException e) {
      // Damaged: its messages are counted as lost when the queue is opened.
      return null;
    }
  }

  private void commit(Consumer<StoreTransaction> work) {
    QueueTables.transact(files, Durability.MACHINE, work);
  }
}
