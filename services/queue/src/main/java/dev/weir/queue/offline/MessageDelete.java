package dev.weir.queue.offline;

import dev.weir.queue.Durability;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.OpenTables;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.StoreTransaction;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketProgress;
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
    Packet<byte[]> packet = QueueTables.packetOf(tables, queue, sequence);
    if (packet == null || !packet.settle((int) (sequence - packet.firstSequence))) {
      return false;
    }
    PacketProgress progress = PacketProgress.of(packet);
    commit(
        transaction -> {
          if (progress.keep() + progress.transients() == 0) {
            QueueTables.delete(tables, queue, transaction, packet.key, packet.progressOnDisk);
          } else {
            QueueTables.putProgress(tables, queue, transaction, packet, progress);
          }
        });
    return true;
  }

  private void commit(Consumer<StoreTransaction> work) {
    QueueTables.transact(files, Durability.MACHINE, work);
  }
}
