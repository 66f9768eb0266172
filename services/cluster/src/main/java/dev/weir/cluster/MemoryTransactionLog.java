package dev.weir.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A log without disk: gone with its process. Holds every batch since it was last trimmed, so its
 * owner bounds it by snapshots.
 */
final class MemoryTransactionLog implements TransactionLog {
  private record Snapshot(LogEnd end, byte[] state) {}

  private static final Snapshot NO_SNAPSHOT = new Snapshot(LogEnd.EMPTY, null);

  /** By the position of their first message. */
  private final ConcurrentSkipListMap<Long, ByteBuffer> batches = new ConcurrentSkipListMap<>();

  private final EpochHistory history = new EpochHistory(LogEnd.EMPTY);

  /** How often the history was cut or replaced. */
  private volatile long cuts;

  private volatile long start;
  private volatile long end;
  private volatile Snapshot previous = NO_SNAPSHOT;
  private volatile Snapshot snapshot = NO_SNAPSHOT;
  private GroupRecord record = GroupRecord.NONE;

  @Override
  public long start() {
    return start;
  }

  @Override
  public LogEnd end() {
    return new LogEnd(history.epoch(), end);
  }

  @Override
  public void append(ByteBuffer batch) {
    LogChecks.append(batch, history.epoch(), end);
    int at = batch.position();
    ByteBuffer copy = ByteBuffer.allocate(batch.remaining());
    batches.put(end, copy.put(0, batch, at, copy.capacity()));
    if (Batch.epoch(batch, at) > history.epoch()) {
      history.begin(Batch.epoch(batch, at), end);
    }
    end += Batch.count(batch, at);
  }

  /** Does nothing: all that is asked for is memory. */
  @Override
  public void force(AckLevel level) {}

  @Override
  public LogEnd endOf(long epoch) {
    return history.endOf(epoch, end);
  }

  @Override
  public void truncate(long position) {
    if (position != end && !batches.containsKey(position)) {
      throw LogChecks.noBatchAt(position, start, end);
    }
    cuts++;
    batches.tailMap(position).clear();
    history.truncate(position);
    end = position;
    keepSnapshots(position);
  }

  private synchronized void keepSnapshots(long position) {
    if (previous.end.position() > position) {
      previous = NO_SNAPSHOT;
    }
    if (snapshot.end.position() > position) {
      snapshot = previous;
      previous = NO_SNAPSHOT;
    }
  }

  @Override
  public void read(long position, BatchHandler handler) {
    if (!batches.containsKey(position)) {
      throw LogChecks.noBatchAt(position, start, end);
    }
    long cutsBefore = cuts;
    long next = position;
    for (Map.Entry<Long, ByteBuffer> found : batches.tailMap(position).entrySet()) {
      ByteBuffer batch = found.getValue().duplicate();
      boolean isNext = found.getKey() == next && next < end && cuts == cutsBefore;
      if (!isNext || !handler.onBatch(batch)) {
        return;
      }
      next += Batch.count(batch, 0);
    }
  }

  @Override
  public void trim(long position) {
    long needed = Math.min(position, first().position());
    Long kept = needed >= end ? Long.valueOf(end) : batches.floorKey(needed);
    if (kept != null && kept > start) {
      batches.headMap(kept).clear();
      start = kept;
    }
  }

  /** Of the oldest snapshot kept. */
  private LogEnd first() {
    return previous == NO_SNAPSHOT ? snapshot.end : previous.end;
  }

  @Override
  public void reset(LogEnd newEnd) {
    cuts++;
    batches.clear();
    history.reset(newEnd);
    start = newEnd.position();
    end = start;
    synchronized (this) {
      previous = NO_SNAPSHOT;
      snapshot = NO_SNAPSHOT;
    }
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(state));
    synchronized (this) {
      if (history.holds(at, end) && at.position() >= snapshot.end.position()) {
        previous = snapshot;
        snapshot = new Snapshot(at, state.toByteArray());
      }
    }
  }

  @Override
  public LogEnd snapshot() {
    return snapshot.end;
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    byte[] state = snapshot.state;
    if (state != null) {
      reader.read(new DataInputStream(new ByteArrayInputStream(state)));
    }
  }

  @Override
  public GroupRecord record() {
    return record;
  }

  @Override
  public void save(GroupRecord newRecord) {
    record = newRecord;
  }

  @Override
  public long diskBytes() {
    return 0;
  }

  @Override
  public void close() {
    batches.clear();
  }
}
