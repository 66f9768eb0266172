package dev.weir.queue.offline;

import static dev.weir.queue.QueueException.Reason.DISK_FULL;

import dev.weir.options.Checks;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueAppender;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DetachedCodec;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.RecordSizes;
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

  private record Record(Table table, byte[] key, ByteBuffer record) {}

  private final JeFiles files;
  private final String queue;
  private final List<Record> allDetached = new ArrayList<>();
  private Packet<byte[]> packet;
  private long detachedBytes;
  private long nextDead;

  /** Creates the queue if it is absent. */
  public MessageWriter(JeFiles files, String queue) {
    this.files = files;
    this.queue = queue;
    files.tables().create(queue);
    this.packet = new Packet<>(QueueTables.reserve(files, queue));
    this.nextDead = new DeadLetterTable(files, queue).recover().lastNumber() + 1;
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
            && packet.bytes + detachedBytes + size > QueueStoreOptions.DEFAULT_PACKET_BYTES;
    if (packetIsFull || detachedBytes > QueueStoreOptions.DEFAULT_PACKET_BYTES) {
      write(Durability.PROCESS);
    }
    checkRoom(size);
    int deliveries = Math.max(0, Math.min(Packet.MAX_DELIVERIES, message.deliveries()));
    boolean isFresh = message.attempts() == null && message.reason() == null;
    if (message.state() == State.WAITING && isFresh) {
      packet.add(message.body(), size, options, (byte) 0, null);
      packet.progress[packet.count - 1] = (byte) deliveries;
    } else {
      addDetached(message, options, deliveries);
    }
  }

  /** As a store, it appends nothing to a disk without the free space that is to be left. */
  private void checkRoom(int size) {
    boolean isBegun = packet.count > 0 || !allDetached.isEmpty();
    if (isBegun && size < QueueStoreOptions.DEFAULT_PACKET_BYTES) {
      return;
    }
    long free = files.options().getDirectory().toFile().getUsableSpace();
    if (free - packet.bytes - detachedBytes - size < files.options().getMinFreeBytes()) {
      throw new QueueException(
          DISK_FULL,
          files.options().getDirectory()
              + " has no room for the message: "
              + files.options().getMinFreeBytes()
              + " bytes must stay free");
    }
  }

  private void addDetached(StoredMessage message, MessageOptions options, int deliveries) {
    if (packet.count > 0) {
      // The sequences of a packet are consecutive, so this message ends it.
      write(Durability.PROCESS);
    }
    long sequence = packet.firstSequence;
    packet = new Packet<>(sequence + 1);
    DetachedMessage<byte[]> detached =
        new DetachedMessage<>(
            sequence, message.body(), message.body().length, options, false, null);
    detached.deliveries = deliveries;
    detached.failures = message.attempts() == null ? 0 : message.attempts();
    detached.firstAttemptMs = orZero(message.firstAttemptAtMs());
    detached.lastAttemptMs = orZero(message.lastAttemptAtMs());
    String reason = message.reason() == null ? "" : message.reason();
    detached.reason = reason.substring(0, Math.min(reason.length(), RecordSizes.MAX_REASON_CHARS));
    boolean dead = message.state() == State.DEAD;
    if (dead) {
      Long diedAtMs = message.diedAtMs();
      detached.diedAtMs = diedAtMs == null ? System.currentTimeMillis() : diedAtMs;
    }
    ByteBuffer record = ByteBuffer.allocate(detached.bytes());
    DetachedCodec.encode(detached, Serde.BYTES, record);
    long dueMs = orZero(message.notBeforeMs());
    byte[] key =
        dead
            ? new DeadKey(nextDead++, sequence, detached.diedAtMs, detached.bytes()).toBytes()
            : DeferredKey.due(dueMs, sequence, message.lane(), false, detached.bytes()).toBytes();
    allDetached.add(new Record(dead ? Table.DEAD : Table.DEFERRED, key, record));
    detachedBytes += detached.bytes();
  }

  private static long orZero(Long timeMs) {
    return timeMs == null ? 0 : timeMs;
  }

  @Override
  public void commit() {
    write(Durability.MACHINE);
    files.call(
        () -> {
          files.handOver();
          files.force(true);
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
    allDetached.clear();
    detachedBytes = 0;
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
            QueueTables.Read placed =
                files
                    .tables()
                    .place(
                        queue, transaction, key, out, files.options().getSegmentThresholdBytes());
            QueueTables.put(files.tables(), queue, transaction, placed.key(), placed.value());
          }
          for (Record detached : allDetached) {
            DetachedTables.put(
                files, detached.table, queue, transaction, detached.key, detached.record);
          }
        });
  }
}
