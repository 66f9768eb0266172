package dev.weir.queue.offline;

import dev.weir.options.Checks;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueAppender;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.je.SideTables;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds messages to a queue of a closed directory: waiting messages in packets, as a store packs
 * them; scheduled messages and dead letters in the tables where a store keeps them.
 */
public final class MessageWriter implements QueueAppender {
  /** The largest message that any queue takes. */
  private static final int MAX_MESSAGE_BYTES = 512 << 20;

  private record Side(Table table, byte[] key, ByteBuffer record) {}

  private final JeFiles files;
  private final String queue;
  private final List<Side> sides = new ArrayList<>();
  private Packet<byte[]> packet;
  private long sideBytes;
  private long nextDead;

  /** Creates the queue if it is absent. */
  public MessageWriter(JeFiles files, String queue) {
    this.files = files;
    this.queue = queue;
    files.tables().create(queue);
    this.packet = new Packet<>(QueueTables.reserve(files, queue));
    this.nextDead = new DeadLetterTable(files, queue).nextNumber();
  }

  @Override
  public void add(StoredMessage message) {
    if (message.isTransient()) {
      throw new IllegalArgumentException("a transient message cannot be added");
    }
    int size = message.body().length;
    Checks.range("bytes of the body", size, 0, MAX_MESSAGE_BYTES);
    MessageOptions options = message.options();
    boolean packetIsFull =
        packet.count > 0
            && packet.bytes + sideBytes + size > QueueStoreOptions.DEFAULT_PACKET_BYTES;
    if (packetIsFull || sideBytes > QueueStoreOptions.DEFAULT_PACKET_BYTES) {
      write(Durability.PROCESS);
    }
    int deliveries = Math.max(0, Math.min(Packet.MAX_DELIVERIES, message.deliveries()));
    boolean isFresh = message.attempts() == null && message.reason() == null;
    if (message.state() == State.WAITING && isFresh) {
      packet.add(message.body(), size, options, (byte) 0, null);
      packet.progress[packet.count - 1] = (byte) deliveries;
    } else {
      addSide(message, options, deliveries);
    }
  }

  private void addSide(StoredMessage message, MessageOptions options, int deliveries) {
    if (packet.count > 0) {
      // The sequences of a packet are consecutive, so this message ends it.
      write(Durability.PROCESS);
    }
    long sequence = packet.firstSequence;
    packet = new Packet<>(sequence + 1);
    SideMessage<byte[]> side =
        new SideMessage<>(sequence, message.body(), message.body().length, options, false, null);
    side.deliveries = deliveries;
    side.failures = message.attempts() == null ? 0 : message.attempts();
    side.firstAttemptMs = orZero(message.firstAttemptAtMs());
    side.lastAttemptMs = orZero(message.lastAttemptAtMs());
    String reason = message.reason() == null ? "" : message.reason();
    side.reason = reason.substring(0, Math.min(reason.length(), RecordSizes.MAX_REASON_CHARS));
    boolean dead = message.state() == State.DEAD;
    if (dead) {
      Long diedAtMs = message.diedAtMs();
      side.diedAtMs = diedAtMs == null ? System.currentTimeMillis() : diedAtMs;
    }
    ByteBuffer record = ByteBuffer.allocate(side.bytes());
    SideCodec.encode(side, Serde.BYTES, record);
    long dueMs = orZero(message.notBeforeMs());
    byte[] key =
        dead
            ? new DeadKey(nextDead++, sequence, side.diedAtMs, side.bytes()).toBytes()
            : SideKey.due(dueMs, sequence, message.lane(), false, side.bytes()).toBytes();
    sides.add(new Side(dead ? Table.DEAD : Table.SIDE, key, record));
    sideBytes += side.bytes();
  }

  private static long orZero(Long timeMs) {
    return timeMs == null ? 0 : timeMs;
  }

  @Override
  public void commit() {
    write(Durability.MACHINE);
    files.call(
        () -> {
          files.flush();
          return null;
        });
  }

  private void write(Durability durability) {
    files.call(
        () -> {
          writeAll(durability);
          return null;
        });
    packet = new Packet<>(packet.firstSequence + packet.count);
    sides.clear();
    sideBytes = 0;
  }

  private void writeAll(Durability durability) {
    QueueTables.transact(
        files,
        durability,
        transaction -> {
          if (packet.count > 0) {
            ByteBuffer out = ByteBuffer.allocate(packet.bytes);
            PacketKey key =
                PacketCodec.encode(packet, Serde.BYTES, System.currentTimeMillis(), out);
            QueueTables.put(files.tables(), queue, transaction, key, out);
          }
          for (Side side : sides) {
            SideTables.put(files, side.table, queue, transaction, side.key, side.record);
          }
        });
  }
}
