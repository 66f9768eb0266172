package dev.weir.queue.offline;

import com.sleepycat.je.utilint.DbLsn;
import dev.weir.queue.DamagedPacket;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.function.LongPredicate;

/** Goes through all packets of a queue in a closed directory, past those that cannot be read. */
public final class PacketScan implements RecordScan.Sink {

  /** Told what is found. */
  public interface Sink {
    /** False to see no more. */
    boolean packet(PacketKey key, Packet<byte[]> packet, long writtenAtMs);

    void damaged(DamagedPacket packet);

    /** The packets from this sequence on cannot be found, nor how many there are. */
    void unreachable(long sequence);
  }

  static final String UNREADABLE = "is damaged or missing in the log";

  private final String queue;
  private final Map<Long, PacketProgress> progress;
  private final Sink sink;

  private PacketScan(String queue, Map<Long, PacketProgress> progress, Sink sink) {
    this.queue = queue;
    this.progress = progress;
    this.sink = sink;
  }

  public static void run(OfflineFiles files, String queue, LongPredicate unreadable, Sink sink) {
    PacketScan scan = new PacketScan(queue, QueueTables.progress(files.tables(queue)), sink);
    new RecordScan(files, () -> files.tables(queue).packets(), unreadable).run(new byte[0], scan);
  }

  @Override
  public boolean record(byte[] keyBytes, long lsn, ByteBuffer value) {
    if (keyBytes.length != PacketKey.BYTES) {
      sink.damaged(damaged(queue, lsn, 0, 0, "has a key of " + keyBytes.length + " bytes"));
      return true;
    }
    PacketKey key = PacketKey.of(keyBytes);
    PacketProgress known = progress.get(key.firstSequence());
    long lost = known == null ? key.keep() : known.keep();
    if (value == null) {
      sink.damaged(damaged(queue, lsn, key.firstSequence(), lost, UNREADABLE));
      return true;
    }
    Packet<byte[]> packet;
    try {
      packet = PacketCodec.decode(key, value.duplicate(), Serde.BYTES);
      apply(known, packet);
    } catch (QueueException e) {
      sink.damaged(damaged(queue, lsn, key.firstSequence(), lost, what(e)));
      return true;
    }
    return sink.packet(key, packet, PacketCodec.writtenAtMs(value));
  }

  /** Without the name of the record. */
  static String what(QueueException e) {
    return e.getMessage().replaceFirst("^(packet|message) -?\\d+ ", "");
  }

  @Override
  public void unreachable(byte[] after) {
    sink.unreachable(after.length < PacketKey.BYTES ? 0 : PacketKey.of(after).endSequence());
  }

  /** What became of the messages since the packet was written. */
  private static void apply(PacketProgress known, Packet<byte[]> packet) {
    if (known == null) {
      return;
    }
    if (known.bytes().length != packet.count) {
      throw new QueueException(
          QueueException.Reason.CORRUPT,
          "packet "
              + packet.firstSequence
              + " has "
              + packet.count
              + " messages, its progress is of "
              + known.bytes().length);
    }
    for (int i = 0; i < packet.count; i++) {
      boolean settled = packet.isSettled(i) || (known.bytes()[i] & Packet.SETTLED) != 0;
      int deliveries = known.bytes()[i] & Packet.MAX_DELIVERIES;
      packet.progress[i] = (byte) (deliveries | (settled ? Packet.SETTLED : 0));
    }
  }

  static DamagedPacket damaged(String queue, long lsn, long sequence, long messages, String what) {
    boolean known = lsn != DbLsn.NULL_LSN;
    return new DamagedPacket(
        queue,
        sequence,
        messages,
        known ? LogFiles.name(DbLsn.getFileNumber(lsn)) : null,
        known ? DbLsn.getFileOffset(lsn) : 0,
        what);
  }
}
