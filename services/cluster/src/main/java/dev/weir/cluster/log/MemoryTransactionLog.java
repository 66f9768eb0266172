package dev.weir.cluster.log;

import dev.weir.cluster.AckLevel;
import dev.weir.cluster.protocol.GroupRecord;
import dev.weir.cluster.protocol.LogEnd;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A transaction log in memory, which is lost with its process. It holds all batches since the last
 * trim, so that its owner bounds it by taking snapshots.
 */
public final class MemoryTransactionLog implements TransactionLog {
  private record Snapshot(LogEnd end, ChunkedBytes state) {}

  /** By the position of their first message. */
  private final ConcurrentSkipListMap<Long, ByteBuffer> batches = new ConcurrentSkipListMap<>();

  private final LogExtent extent = new LogExtent(0, new EpochHistory(LogEnd.EMPTY));
  private volatile SnapshotList<Snapshot> snapshots = SnapshotList.empty(Snapshot::end, 0);
  private final long diskId = ThreadLocalRandom.current().nextLong();
  private GroupRecord record = GroupRecord.NONE;

  @Override
  public long start() {
    return extent.start();
  }

  @Override
  public LogEnd end() {
    return extent.logEnd();
  }

  @Override
  public void append(ByteBuffer batch) {
    extent.checkAppend(batch);
    ByteBuffer copy = ByteBuffer.allocate(batch.remaining());
    batches.put(extent.end(), copy.put(0, batch, batch.position(), copy.capacity()));
    extent.beginEpoch(batch);
    extent.appended(batch);
  }

  /** Does nothing: there is no disk. */
  @Override
  public void force(AckLevel level) {}

  @Override
  public LogEnd endOf(long epoch) {
    return extent.endOf(epoch);
  }

  @Override
  public boolean isBoundary(long position) {
    return position == extent.end() || position >= extent.start() && batches.containsKey(position);
  }

  @Override
  public void truncate(long position) {
    if (!isBoundary(position)) {
      throw extent.noBatchAt(position);
    }
    extent.truncate(position, () -> batches.tailMap(position).clear());
    synchronized (this) {
      snapshots = snapshots.cut(position);
    }
  }

  @Override
  public void read(long position, BatchHandler handler) {
    if (!batches.containsKey(position)) {
      throw extent.noBatchAt(position);
    }
    long version = extent.version();
    long next = position;
    for (Map.Entry<Long, ByteBuffer> found : batches.tailMap(position).entrySet()) {
      ByteBuffer batch = found.getValue().duplicate();
      boolean isNext = found.getKey() == next && next < extent.end() && extent.version() == version;
      if (!isNext || !handler.onBatch(batch)) {
        return;
      }
      next += Batch.count(batch, 0);
    }
  }

  @Override
  public void trim(long position) {
    synchronized (this) {
      snapshots = snapshots.trim(position);
      extent.trim(snapshots.start());
    }
    batches.headMap(extent.start()).clear();
  }

  @Override
  public void reset(LogEnd newEnd) {
    extent.reset(newEnd, batches::clear);
    synchronized (this) {
      snapshots = SnapshotList.empty(Snapshot::end, newEnd.position());
    }
  }

  @Override
  public void saveSnapshot(LogEnd at, SnapshotWriter writer) throws IOException {
    ChunkedBytes state = new ChunkedBytes();
    writer.write(new DataOutputStream(state));
    synchronized (this) {
      if (holds(at) && at.position() >= snapshots.lastEnd().position()) {
        snapshots = snapshots.with(new Snapshot(at, state));
      }
    }
  }

  private boolean holds(LogEnd at) {
    return extent.holds(at)
        && (at.position() == extent.end() || batches.containsKey(at.position()));
  }

  @Override
  public LogEnd snapshot() {
    return snapshots.lastEnd();
  }

  @Override
  public void readSnapshot(SnapshotReader reader) throws IOException {
    Snapshot last = snapshots.last();
    if (last != null) {
      reader.read(new DataInputStream(last.state.read()));
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
  public long diskId() {
    return diskId;
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
