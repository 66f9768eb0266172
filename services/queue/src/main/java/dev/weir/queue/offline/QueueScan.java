package dev.weir.queue.offline;

import dev.weir.queue.DamagedPacket;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.DetachedCodec;
import dev.weir.queue.je.LogScan;
import dev.weir.queue.je.PacketCodec;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.ReadOnlyFiles;
import dev.weir.queue.je.RecordScan;
import dev.weir.queue.je.RecordScan.Place;
import dev.weir.queue.je.Table;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.DeferredKey;
import dev.weir.queue.line.DetachedMessage;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.line.PacketProgress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Predicate;

/**
 * Shows the messages of a queue in a closed directory to a visitor, past records that cannot be
 * read. When the visitor wants no more messages every later call does nothing.
 */
public final class QueueScan {

  /** Is also told what only a check of the whole queue needs. */
  public interface Visitor extends MessageVisitor {

    /** Called for each packet that can be read, before its messages. */
    default void packet() {}

    /** Called when the packets from a sequence on cannot be found. */
    default void unreachable(String queue, long sequence) {
      damaged(new DamagedPacket(queue, sequence, 0, null, 0, NOT_FOUND));
    }
  }

  private static final String NOT_FOUND = "and everything after it cannot be found";
  private static final byte[] FIRST = {};
  private static final String UNREADABLE = "is damaged or missing in the log";

  private final ReadOnlyFiles files;
  private final String queue;
  private final Predicate<LogScan.Position> unreadable;
  private final Visitor visitor;
  private final long nowMs = System.currentTimeMillis();

  /** Messages blocked by their key that were not shown yet, by sequence. */
  private Queue<Place> blocked = new ArrayDeque<>();

  /** Deliveries of messages outside packets that are counted in records of their own. */
  private final Map<Long, Integer> deliveries = new HashMap<>();

  /** Delayed messages in packets with smaller sequences are due. */
  private long releasedBefore;

  private boolean stopped;

  /**
   * @param unreadable true for positions in the log that are known to be damaged
   */
  public QueueScan(
      ReadOnlyFiles files, String queue, Predicate<LogScan.Position> unreadable, Visitor visitor) {
    this.files = files;
    this.queue = queue;
    this.unreadable = unreadable;
    this.visitor = visitor;
  }

  /** Shows waiting messages in the order of delivery, then scheduled messages by time. */
  public void read() {
    findBlocked();
    packets();
    blocked();
    scheduled();
  }

  /** Shows the messages in packets. */
  public void packets() {
    releasedBefore = files.releasedBefore(queue);
    Map<Long, PacketProgress> progress = QueueTables.progress(files.tables(), queue);
    RecordScan scan = files.scan(Table.PACKETS, queue, FIRST, unreadable);
    while (!stopped && scan.next()) {
      packet(scan.place(), scan.value(), progress);
    }
    if (!stopped && scan.isCutOff()) {
      byte[] last = scan.lastKey();
      visitor.unreachable(
          queue, last.length < PacketKey.BYTES ? 0 : PacketKey.of(last).endSequence());
    }
  }

  private void packet(Place place, ByteBuffer record, Map<Long, PacketProgress> progress) {
    if (hasWrongLength(place, PacketKey.BYTES)) {
      return;
    }
    PacketKey key = PacketKey.of(place.key());
    PacketProgress known = progress.get(key.firstSequence());
    long messages = known == null ? key.keep() : known.keep();
    if (record == null) {
      damaged(place, key.firstSequence(), messages, UNREADABLE);
      return;
    }
    Packet<byte[]> packet;
    try {
      packet = PacketCodec.decode(key, record.duplicate(), Serde.BYTES);
      if (known != null) {
        known.applyTo(packet);
      }
    } catch (QueueException e) {
      damaged(place, key.firstSequence(), messages, what(e));
      return;
    }
    visitor.packet();
    long writtenAtMs = PacketCodec.writtenAtMs(record);
    for (int i = 0; i < packet.count && !stopped; i++) {
      if (!packet.isSettled(i)) {
        blockedBefore(packet.firstSequence + i);
        boolean isReleased = packet.firstSequence + i < releasedBefore;
        show(StoredMessages.inPacket(queue, packet, i, writtenAtMs, nowMs, isReleased));
      }
    }
  }

  private void show(StoredMessage message) {
    if (!stopped) {
      stopped = !visitor.message(message);
    }
  }

  /** Finds the messages that are blocked by their key, and reads deliveries. */
  public void findBlocked() {
    if (!files.tables().has(Table.DEFERRED, queue)) {
      return;
    }
    List<Place> found = new ArrayList<>();
    byte[] from = DeferredKey.from(DeferredKey.LANE, 0, 0);
    RecordScan scan = files.scan(Table.DEFERRED, queue, from, unreadable);
    while (scan.next()) {
      if (hasWrongLength(scan.place(), DeferredKey.BYTES)) {
        continue;
      }
      DeferredKey key = DeferredKey.of(scan.place().key());
      if (key.kind() == DeferredKey.DELIVERIES) {
        ByteBuffer count = scan.value();
        boolean known = count != null && count.hasRemaining();
        deliveries.put(key.sequence(), known ? (int) count.get(0) : 1);
      } else {
        found.add(scan.place());
      }
    }
    reportCutOff(scan);
    found.sort(Comparator.comparingLong(place -> DeferredKey.of(place.key()).sequence()));
    blocked = new ArrayDeque<>(found);
  }

  /** Shows the {@linkplain #findBlocked found} messages that are left, by sequence. */
  public void blocked() {
    blockedBefore(Long.MAX_VALUE);
  }

  private void blockedBefore(long sequence) {
    while (!stopped
        && !blocked.isEmpty()
        && DeferredKey.of(blocked.peek().key()).sequence() < sequence) {
      Place place = blocked.poll();
      detached(place, files.scan(Table.DEFERRED, queue, FIRST, unreadable).value(place));
    }
  }

  /** Shows the scheduled messages by time. */
  public void scheduled() {
    if (stopped || !files.tables().has(Table.DEFERRED, queue)) {
      return;
    }
    RecordScan scan = files.scan(Table.DEFERRED, queue, FIRST, unreadable);
    while (!stopped && scan.next()) {
      if (!DeferredKey.of(scan.place().key()).isDue()) {
        return;
      }
      detached(scan.place(), scan.value());
    }
    reportCutOff(scan);
  }

  private void detached(Place place, ByteBuffer record) {
    DeferredKey key = DeferredKey.of(place.key());
    DetachedMessage<byte[]> message = decode(place, key.sequence(), record);
    if (message != null) {
      message.deliveries = deliveries.getOrDefault(key.sequence(), message.deliveries);
      State state = key.isDue() && key.order() > nowMs ? State.SCHEDULED : State.WAITING;
      Long notBeforeMs = key.isDue() ? Long.valueOf(key.order()) : null;
      show(StoredMessages.outsidePackets(queue, state, message, notBeforeMs, null, key.lane()));
    }
  }

  /** Shows the dead letters, the oldest first. */
  public void dead() {
    if (stopped || !files.tables().has(Table.DEAD, queue)) {
      return;
    }
    RecordScan scan = files.scan(Table.DEAD, queue, FIRST, unreadable);
    while (!stopped && scan.next()) {
      DeadKey key = DeadKey.of(scan.place().key());
      DetachedMessage<byte[]> message = decode(scan.place(), key.sequence(), scan.value());
      if (message != null) {
        show(StoredMessages.outsidePackets(queue, State.DEAD, message, null, key.diedAtMs(), 0));
      }
    }
    reportCutOff(scan);
  }

  private DetachedMessage<byte[]> decode(Place place, long sequence, ByteBuffer record) {
    if (record == null) {
      damaged(place, sequence, 1, UNREADABLE);
      return null;
    }
    try {
      return DetachedCodec.decode(sequence, record, Serde.BYTES);
    } catch (QueueException e) {
      damaged(place, sequence, 1, what(e));
      return null;
    }
  }

  private boolean hasWrongLength(Place place, int bytes) {
    boolean wrong = place.key().length != bytes;
    if (wrong) {
      damaged(place, 0, 0, "has a key of " + place.key().length + " bytes");
    }
    return wrong;
  }

  /** The failure of a codec without the name of the record in front. */
  private static String what(QueueException e) {
    return e.getMessage().replaceFirst("^(packet|message) -?\\d+ ", "");
  }

  private void damaged(Place place, long sequence, long messages, String what) {
    LogScan.Position position = place.position();
    String file = position == null ? null : position.file();
    long offset = position == null ? 0 : position.offset();
    visitor.damaged(new DamagedPacket(queue, sequence, messages, file, offset, what));
  }

  private void reportCutOff(RecordScan scan) {
    if (!stopped && scan.isCutOff()) {
      byte[] last = scan.lastKey();
      long sequence =
          last.length == DeferredKey.BYTES
              ? DeferredKey.of(last).sequence()
              : last.length == DeadKey.BYTES ? DeadKey.of(last).sequence() : 0;
      visitor.damaged(new DamagedPacket(queue, sequence, 0, null, 0, NOT_FOUND));
    }
  }
}
