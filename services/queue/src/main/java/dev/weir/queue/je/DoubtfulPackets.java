package dev.weir.queue.je;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.line.PacketKey;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The packets from which a message may have been moved by a transaction of which a part is lost.
 * What settled messages there from that transaction on does not count: later progress settles the
 * moved message too, and the packet is deleted when all of it is settled. So the message comes
 * twice rather than never, and the others that were settled since come once more.
 */
final class DoubtfulPackets {
  /** By queue and first sequence, the place from which on the progress is in doubt. */
  private final Map<String, Map<Long, Long>> places = new HashMap<>();

  /**
   * A change of a packet's progress, or its deletion.
   *
   * @param priorLsn place of the progress before, or {@link DbLsn#NULL_LSN} for none
   */
  record Settling(long database, long firstSequence, long lsn, long priorLsn) {

    /** Whether there was progress before. */
    boolean follows() {
      return priorLsn != DbLsn.NULL_LSN;
    }

    /** What an entry settles; null if it is of no packet, as its key tells. */
    static Settling of(LogWrite write, long lsn) {
      int keyBytes = write.rest().limit();
      boolean isProgress = keyBytes == Table.PROGRESS.keyBytes();
      if (!isProgress && (keyBytes != PacketKey.BYTES || write.value() != null)) {
        return null;
      }
      long priorLsn = isProgress ? write.priorLsn() : DbLsn.NULL_LSN;
      return new Settling(write.database(), write.rest().getLong(0), lsn, priorLsn);
    }
  }

  /**
   * @param database name of the database, or null
   */
  void add(String database, Settling settling) {
    Table table = database == null ? null : Table.of(database);
    if (table == Table.PACKETS || table == Table.PROGRESS) {
      places
          .computeIfAbsent(table.queueOf(database), queue -> new HashMap<>())
          .merge(settling.firstSequence, settling.lsn, Math::min);
    }
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  /** Whether a message may have been moved from a packet, so that it is kept. */
  boolean contains(String queue, long firstSequence) {
    return places.getOrDefault(queue, Map.of()).containsKey(firstSequence);
  }

  /** Whether a record is a packet that is kept. */
  boolean keeps(Table table, String queue, byte[] key) {
    return table == Table.PACKETS
        && key.length == PacketKey.BYTES
        && contains(queue, PacketKey.of(key).firstSequence());
  }

  /** Whether a change of a record does not count: one of progress, or the deletion of a packet. */
  boolean refuses(Table table, String queue, byte[] key, boolean deletes, long lsn) {
    if (deletes && keeps(table, queue, key)) {
      return true;
    }
    if (table != Table.PROGRESS || key.length != table.keyBytes()) {
      return false;
    }
    Long from = places.getOrDefault(queue, Map.of()).get(ByteBuffer.wrap(key).getLong());
    return from != null && lsn >= from;
  }
}
