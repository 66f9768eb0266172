package dev.weir.queue.offline;

import dev.weir.queue.Durability;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DeadLetterTable.Found;
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
    return deleteDead(sequence) || deleteDeferred(sequence) || deleteInPacket(sequence);
  }

  private boolean deleteDead(long sequence) {
    byte[] key = find(Table.DEAD, sequence, each -> DeadKey.of(each).sequence());
    return key != null
        && !new DeadLetterTable(files, queue)
            .delete(List.of(new Found(DeadKey.of(key), null)))
            .isEmpty();
  }

  private boolean deleteDeferred(long sequence) {
    byte[] key = find(Table.DEFERRED, sequence, MessageDelete::deferred);
    if (key != null) {
      commit(transaction -> DetachedTables.delete(files, Table.DEFERRED, queue, transaction, key));
    }
    return key != null;
  }

  /** The sequence of a message, or -1 if the record is no message. */
  private static long deferred(byte[] key) {
    DeferredKey deferred = DeferredKey.of(key);
    return deferred.kind() == DeferredKey.DELIVERIES ? -1 : deferred.sequence();
  }

  /** The last key of a sequence in a table; null if there is none. */
  private byte[] find(Table table, long sequence, ToLongFunction<byte[]> sequenceOf) {
    byte[][] found = {null};
    tables.forEachKey(
        table,
        queue,
        key -> {
          if (sequenceOf.applyAsLong(key) == sequence) {
            found[0] = key;
          }
        });
    return found[0];
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
