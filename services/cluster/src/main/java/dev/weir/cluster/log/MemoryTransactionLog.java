package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.EpochHistory;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
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
public final class MemoryTransactionLog implements TransactionLog {
  private record Snapshot(LogEnd end, byte[] state) {}

  /** By the position of their first message. */
  private final ConcurrentSkipListMap<Long, ByteBuffer> batches = new ConcurrentSkipListMap<>();

  private final EpochHistory history = new EpochHistory(LogEnd.EMPTY);

  /** How often the history was cut or replaced. */
  private volatile long cuts;

  private volatile long start;
  private volatile long end;
  private volatile SnapshotChain<Snapshot> chain = SnapshotChain.empty(Snapshot::end, 0);
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
    synchronized (this) {
      chain = chain.cut(position);
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
    synchronized (this) {
      chain = chain.trim(position);
      start = chain.start();
    }
    batches.headMap(start).clear();
  }

  @Override
  public void reset(LogEnd newEnd) {
    cuts++;
    batches.clear();
    history.reset(newEnd);
    start = newEnd.position();
    end = start;
    synchronized (this) {
      chain = SnapshotChain.empty(Snapshot::end, start);
    }
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    ByteArrayOutputStream state = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(state));
    synchronized (this) {
      if (holds(at) && at.position() >= chain.lastEnd().position()) {
        chain = chain.with(new Snapshot(at, state.toByteArray()));
      }
    }
  }

  private boolean holds(LogEnd at) {
    return history.holds(at, end) && (at.position() == end || batches.containsKey(at.position()));
  }

  @Override
  public LogEnd snapshot() {
    return chain.lastEnd();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    Snapshot last = chain.last();
    if (last != null) {
      reader.read(new DataInputStream(new ByteArrayInputStream(last.state)));
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
