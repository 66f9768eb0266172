package dev.weir.queue.offline;

import com.sleepycat.je.Cursor;
import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import dev.weir.queue.Checks;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueMaintenance;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideMessage;
import dev.weir.queue.store.SideTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds messages to a queue of a directory that no store has open: those that wait in packets, as a
 * store packs them; scheduled and dead ones where a store keeps them. Those since the last {@link
 * #commit()} may be lost. Ids are kept but not remembered for de-duplication.
 */
public final class QueueAppender {
  /** The largest message that any queue takes. */
  private static final int MAX_MESSAGE_BYTES = 512 << 20;

  private record Side(Extra extra, byte[] key, ByteBuffer record) {}

  private final QueueMaintenance maintenance;
  private final JeFiles files;
  private final String queue;
  private final List<Side> sides = new ArrayList<>();
  private Packet<byte[]> packet;
  private long sideBytes;
  private long nextDead;

  public QueueAppender(QueueMaintenance maintenance, JeFiles files, String queue) {
    this.maintenance = maintenance;
    this.files = files;
    this.queue = queue;
    files.tables(queue);
    this.packet = new Packet<>(QueueTables.reserve(files, queue));
    this.nextDead = files.hasExtra(Extra.DEAD, queue) ? nextDead() : 1;
  }

  private long nextDead() {
    DatabaseEntry key = new DatabaseEntry();
    Database dead = files.extra(Extra.DEAD, queue);
    try (Cursor cursor = dead.openCursor(null, null)) {
      boolean any =
          cursor.getLast(key, new DatabaseEntry(), LockMode.DEFAULT) == OperationStatus.SUCCESS;
      return any ? DeadKey.of(key.getData()).number() + 1 : 1;
    }
  }

  /**
   * Adds a message; its queue, sequence and time of writing are not taken over, it gets new ones.
   *
   * @param message not null, and not {@linkplain StoredMessage#ofNoUse of no use}
   * @throws IllegalArgumentException if a queue cannot hold it
   */
  public void add(StoredMessage message) {
    if (message.ofNoUse()) {
      throw new IllegalArgumentException("a message that is of no use cannot be added");
    }
    int size = message.body().length;
    Checks.range("bytes of the body", size, 0, MAX_MESSAGE_BYTES);
    MessageOptions options = message.options();
    if (packet.count > 0 && packet.bytes + sideBytes + size > QueueStoreOptions.DEFAULT_PACKET_BYTES
        || sideBytes > QueueStoreOptions.DEFAULT_PACKET_BYTES) {
      write(Durability.COMMIT_WRITE_NO_SYNC);
    }
    int deliveries = Math.max(0, Math.min(Packet.MAX_DELIVERIES, message.deliveries()));
    if (message.state() == State.WAITING) {
      packet.add(message.body(), size, options, (byte) 0, null);
      packet.progress[packet.count - 1] = (byte) deliveries;
    } else {
      addSide(message, options, deliveries);
    }
  }

  private void addSide(StoredMessage message, MessageOptions options, int deliveries) {
    if (packet.count > 0) {
      // Sequences of a packet are consecutive.
      write(Durability.COMMIT_WRITE_NO_SYNC);
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
    side.diedAtMs =
        !dead ? 0 : message.diedAtMs() == null ? System.currentTimeMillis() : message.diedAtMs();
    ByteBuffer record = ByteBuffer.allocate(side.bytes());
    SideCodec.encode(side, Serde.BYTES, record);
    long dueMs = orZero(message.notBeforeMs());
    byte[] key =
        dead
            ? new DeadKey(nextDead++, sequence, side.diedAtMs, side.bytes()).toBytes()
            : SideKey.due(dueMs, sequence, message.lane(), false, side.bytes()).toBytes();
    sides.add(new Side(dead ? Extra.DEAD : Extra.SIDE, key, record));
    sideBytes += side.bytes();
  }

  private static long orZero(Long timeMs) {
    return timeMs == null ? 0 : timeMs;
  }

  /** Forces all that was added to the device. */
  public void commit() {
    write(Durability.COMMIT_SYNC);
    maintenance.guard(
        () -> {
          files.flush();
          return null;
        });
  }

  private void write(Durability durability) {
    maintenance.guard(
        () -> {
          QueueTables.transact(
              files,
              durability,
              transaction -> {
                if (packet.count > 0) {
                  ByteBuffer out = ByteBuffer.allocate(packet.bytes);
                  PacketKey key =
                      PacketCodec.encode(packet, Serde.BYTES, System.currentTimeMillis(), out);
                  QueueTables.put(files.tables(queue), transaction, key, out);
                }
                for (Side side : sides) {
                  Database table = files.extra(side.extra, queue);
                  SideTables.put(table, transaction, side.key, side.record);
                }
              });
          return null;
        });
    packet = new Packet<>(packet.firstSequence + packet.count);
    sides.clear();
    sideBytes = 0;
  }
}
