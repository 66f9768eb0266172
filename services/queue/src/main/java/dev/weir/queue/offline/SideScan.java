package dev.weir.queue.offline;

import com.sleepycat.je.Database;
import dev.weir.queue.DamagedPacket;
import dev.weir.queue.MessageVisitor;
import dev.weir.queue.QueueException;
import dev.weir.queue.Serde;
import dev.weir.queue.StoredMessage.State;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.SideCodec;
import dev.weir.queue.line.DeadKey;
import dev.weir.queue.line.SideKey;
import dev.weir.queue.line.SideMessage;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * The messages of a queue in a closed directory that have left their packets: those that wait for
 * their time, those that wait for others of their key, and the dead.
 */
public final class SideScan {
  private final String queue;
  private final LongPredicate unreadable;
  private final OfflineFiles files;
  private final MessageVisitor visitor;

  /** Deliveries that are counted beside their message, by sequence. */
  private final Map<Long, Integer> deliveries = new HashMap<>();

  private final List<RecordScan.Place> inLanes = new ArrayList<>();
  private final ArrayDeque<RecordScan.Place> lanes;
  private boolean stopped;

  /** Reads the keys of what waits. */
  public SideScan(
      OfflineFiles files, String queue, LongPredicate unreadable, MessageVisitor visitor) {
    this.files = files;
    this.queue = queue;
    this.unreadable = unreadable;
    this.visitor = visitor;
    if (files.has(Extra.SIDE, queue)) {
      // Values are read when they are shown.
      byte[] from = SideKey.from(SideKey.LANE, 0, 0);
      new RecordScan(files, side(), lsn -> true).run(from, new Keys());
    }
    inLanes.sort(Comparator.comparingLong(place -> SideKey.of(place.key()).sequence()));
    lanes = new ArrayDeque<>(inLanes);
  }

  private Supplier<Database> side() {
    return () -> files.extra(Extra.SIDE, queue);
  }

  /** Shows those that wait for others of their key and come before a sequence. */
  public boolean lanesBefore(long sequence) {
    while (!stopped && !lanes.isEmpty() && SideKey.of(lanes.peek().key()).sequence() < sequence) {
      show(lanes.poll());
    }
    return !stopped;
  }

  /** Shows those that wait for their time, the next first. */
  public boolean scheduled() {
    if (!stopped && files.has(Extra.SIDE, queue)) {
      new RecordScan(files, side(), unreadable).run(new byte[0], new Due());
    }
    return !stopped;
  }

  private void show(RecordScan.Place place) {
    show(
        SideKey.of(place.key()),
        place.lsn(),
        new RecordScan(files, side(), unreadable).read(place));
  }

  private void show(SideKey key, long lsn, ByteBuffer record) {
    SideMessage<byte[]> message = decode(lsn, key.sequence(), record);
    if (message != null) {
      message.deliveries = deliveries.getOrDefault(key.sequence(), message.deliveries);
      State state = key.isDue() ? State.SCHEDULED : State.WAITING;
      Long notBeforeMs = key.isDue() ? Long.valueOf(key.order()) : null;
      stopped =
          !visitor.message(StoredMessages.of(queue, state, message, notBeforeMs, null, key.lane()));
    }
  }

  /** Shows the dead letters, the oldest first. */
  public void dead() {
    if (stopped || !files.has(Extra.DEAD, queue)) {
      return;
    }
    new RecordScan(files, () -> files.extra(Extra.DEAD, queue), unreadable)
        .run(new byte[0], new Dead());
  }

  private SideMessage<byte[]> decode(long lsn, long sequence, ByteBuffer record) {
    String what = PacketScan.UNREADABLE;
    if (record != null) {
      try {
        return SideCodec.decode(sequence, record, Serde.BYTES);
      } catch (QueueException e) {
        what = PacketScan.what(e);
      }
    }
    visitor.damaged(PacketScan.damaged(queue, lsn, sequence, 1, what));
    return null;
  }

  private void unreachable(long sequence) {
    visitor.damaged(
        new DamagedPacket(queue, sequence, 0, null, 0, "and what is behind it cannot be found"));
  }

  private final class Keys implements RecordScan.Sink {
    @Override
    public boolean record(byte[] keyBytes, long lsn, ByteBuffer value) {
      RecordScan.Place place = new RecordScan.Place(keyBytes, lsn);
      if (keyBytes.length != SideKey.BYTES) {
        String what = "has a key of " + keyBytes.length + " bytes";
        visitor.damaged(PacketScan.damaged(queue, lsn, 0, 0, what));
        return true;
      }
      SideKey key = SideKey.of(keyBytes);
      if (key.kind() == SideKey.DELIVERIES) {
        ByteBuffer count = new RecordScan(files, side(), unreadable).read(place);
        boolean known = count != null && count.hasRemaining();
        deliveries.put(key.sequence(), known ? (int) count.get(0) : 1);
      } else {
        inLanes.add(place);
      }
      return true;
    }

    @Override
    public void unreachable(byte[] after) {
      long sequence = after.length == SideKey.BYTES ? SideKey.of(after).sequence() : 0;
      SideScan.this.unreachable(sequence);
    }
  }

  private final class Due implements RecordScan.Sink {
    @Override
    public boolean record(byte[] keyBytes, long lsn, ByteBuffer value) {
      SideKey key = SideKey.of(keyBytes);
      if (!key.isDue()) {
        return false;
      }
      show(key, lsn, value);
      return !stopped;
    }

    @Override
    public void unreachable(byte[] after) {
      SideScan.this.unreachable(after.length == SideKey.BYTES ? SideKey.of(after).sequence() : 0);
    }
  }

  private final class Dead implements RecordScan.Sink {
    @Override
    public boolean record(byte[] keyBytes, long lsn, ByteBuffer value) {
      DeadKey key = DeadKey.of(keyBytes);
      SideMessage<byte[]> message = decode(lsn, key.sequence(), value);
      return message == null
          || visitor.message(
              StoredMessages.of(queue, State.DEAD, message, null, key.diedAtMs(), 0));
    }

    @Override
    public void unreachable(byte[] after) {
      long sequence = after.length == DeadKey.BYTES ? DeadKey.of(after).sequence() : 0;
      SideScan.this.unreachable(sequence);
    }
  }
}
