package dev.weir.queue.offline;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import dev.weir.queue.line.SideKey;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What lies in one queue of a closed directory, as its keys say.
 *
 * @param name of the queue
 * @param waiting messages that wait for their turn; those of packets count as such until they are
 *     found to be early
 * @param scheduled messages that wait for their time
 * @param dead dead letters
 * @param ofNoUse messages that are thrown away when it is opened, see {@link StoredMessage}
 * @param bytes size of the records that hold them, as the budgets count it
 * @param packets records of many messages
 */
public record QueueSummary(
    String name, long waiting, long scheduled, long dead, long ofNoUse, long bytes, long packets) {

  /**
   * @param side null if there is none
   * @param dead null if there is none
   */
  public static QueueSummary of(String name, JeFiles.Tables tables, Database side, Database dead) {
    Count count = new Count();
    Map<Long, PacketProgress> progress = QueueTables.progress(tables);
    keys(tables.packets(), key -> count.packet(PacketKey.of(key), progress));
    keys(side, key -> count.side(SideKey.of(key)));
    keys(dead, key -> count.dead(DeadKey.of(key)));
    return new QueueSummary(
        name,
        count.waiting,
        count.scheduled,
        count.dead,
        count.ofNoUse,
        count.bytes,
        count.packets);
  }

  private static void keys(Database table, Consumer<byte[]> each) {
    if (table == null) {
      return;
    }
    DatabaseEntry key = new DatabaseEntry();
    DatabaseEntry none = new DatabaseEntry();
    none.setPartial(0, 0, true);
    try (Cursor cursor = table.openCursor(null, null)) {
      while (cursor.getNext(key, none, LockMode.READ_UNCOMMITTED) == OperationStatus.SUCCESS) {
        each.accept(key.getData());
      }
    }
  }

  private static final class Count {
    private long waiting;
    private long scheduled;
    private long dead;
    private long ofNoUse;
    private long bytes;
    private long packets;

    void packet(PacketKey key, Map<Long, PacketProgress> progress) {
      PacketProgress known = progress.get(key.firstSequence());
      waiting += known == null ? key.keep() : known.keep();
      ofNoUse += known == null ? key.alive() - key.keep() : known.transients();
      bytes += key.bytes();
      packets++;
    }

    void side(SideKey key) {
      if (key.kind() == SideKey.DELIVERIES) {
        return;
      }
      bytes += key.bytes();
      if (key.isTransient()) {
        ofNoUse++;
      } else if (key.isDue()) {
        scheduled++;
      } else {
        waiting++;
      }
    }

    void dead(DeadKey key) {
      bytes += key.bytes();
      dead++;
    }
  }
}
