package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.replica.Followers.Follower;
import dev.weir.cluster.replica.Followers.Way;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.SnapshotKeeper;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The second thread of a group, for what takes long and must not stop the first: brings members
 * that join or return to the history, and writes snapshots. It reads log and snapshots without the
 * group's lock.
 */
public final class Feeder implements Runnable {
  private static final int SLICE_BATCHES = 64;
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

  private final GroupReplica replica;
  private final ReentrantLock lock;
  private final Condition changed;
  private final SnapshotKeeper snapshots;
  private final History history;
  private final TransactionLog log;
  private final Transport transport;
  private ByteBuffer frame;
  private boolean closing;

  /**
   * @param partBytes of a snapshot in one frame
   */
  Feeder(
      GroupReplica replica,
      ReentrantLock lock,
      History history,
      Transport transport,
      int partBytes) {
    this.frame = ByteBuffer.allocate(Frames.SNAPSHOT_HEADER_BYTES + partBytes);
    this.replica = replica;
    this.lock = lock;
    this.changed = lock.newCondition();
    this.history = history;
    this.snapshots = history.snapshots();
    this.log = history.log();
    this.transport = transport;
  }

  /** There may be something to do; under the lock. */
  void wake() {
    changed.signalAll();
  }

  /** Waits until no snapshot is being written; under the lock, which others get meanwhile. */
  void awaitSnapshotWritten() {
    while (snapshots.isTaken() && !closing) {
      changed.awaitUninterruptibly();
    }
  }

  public void close() {
    lock.lock();
    closing = true;
    changed.signalAll();
    lock.unlock();
  }

  @Override
  public void run() {
    lock.lock();
    try {
      while (!closing) {
        Follower follower = followers().toFeed();
        if (snapshots.isTaken()) {
          writeSnapshot();
        } else if (follower != null) {
          feed(follower);
        } else {
          changed.awaitNanos(IDLE_NS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      replica.fail("its log cannot be read", e);
    } finally {
      lock.unlock();
    }
  }

  private void writeSnapshot() {
    LogEnd end = snapshots.takenAt();
    byte[] content = snapshots.content();
    unlocked(() -> snapshots.write(end, content));
    snapshots.written();
    changed.signalAll();
  }

  private void feed(Follower follower) {
    long turn = follower.turn();
    if (follower.way() == Way.SNAPSHOT) {
      feedSnapshot(follower, turn);
    } else {
      feedLog(follower, turn);
    }
  }

  private void feedSnapshot(Follower follower, long turn) {
    LogEnd end = log.snapshot();
    long epoch = leader().epoch();
    unlocked(
        () -> {
          try {
            log.readSnapshot(in -> sendParts(follower, turn, epoch, end, in));
          } catch (IOException e) {
            throw new LogException("the last snapshot of the group cannot be read", e);
          }
        });
    if (follower.turn() == turn) {
      followers().snapshotSent(follower, end.position());
    }
  }

  private void sendParts(Follower follower, long turn, long epoch, LogEnd end, DataInput in)
      throws IOException {
    boolean last = false;
    while (!last && isCurrent(follower, turn)) {
      Frames.begin(frame, Frames.SNAPSHOT, epoch).putLong(end.epoch()).putLong(end.position());
      frame.position(Frames.SNAPSHOT_HEADER_BYTES);
      last = fill(in);
      frame.flip().putInt(Frames.SNAPSHOT_HEADER_BYTES - Integer.BYTES, last ? 1 : 0);
      while (!transport.send(follower.member(), frame) && isCurrent(follower, turn)) {
        LockSupport.parkNanos(RETRY_NS);
      }
    }
  }

  /** Returns true at the end of the snapshot. */
  private boolean fill(DataInput in) throws IOException {
    try {
      while (frame.hasRemaining()) {
        frame.put(in.readByte());
      }
      return false;
    } catch (EOFException e) {
      return true;
    }
  }

  private boolean isCurrent(Follower follower, long turn) {
    lock.lock();
    try {
      return follower.turn() == turn && !closing;
    } finally {
      lock.unlock();
    }
  }

  private void feedLog(Follower follower, long turn) {
    long from = follower.next();
    if (from >= history.held().position()) {
      // What is not written yet can neither be read nor be left out.
      history.settle();
    }
    if (from == log.end().position()) {
      followers().goLive(follower);
      replica.core().wentLive(follower.member());
      return;
    }
    if (from < log.start()) {
      leader().startFromSnapshot(follower.member());
      return;
    }
    long epoch = leader().epoch();
    long[] sent = {from};
    boolean[] full = {false};
    unlocked(
        () -> {
          try {
            log.read(from, slice(follower.member(), epoch, sent, full));
          } catch (IllegalArgumentException e) {
            // Trimmed in between, or cut off: the next turn sees which.
            full[0] = true;
          }
        });
    if (follower.turn() == turn) {
      followers().sentUpTo(follower, sent[0]);
      if (full[0]) {
        unlocked(() -> LockSupport.parkNanos(RETRY_NS));
      }
    }
  }

  private TransactionLog.BatchHandler slice(int member, long epoch, long[] sent, boolean[] full) {
    int[] left = {SLICE_BATCHES};
    return batch -> {
      int bytes = Frames.HEADER_BYTES + batch.remaining();
      if (frame.capacity() < bytes) {
        frame = ByteBuffer.allocate(bytes);
      }
      LogEnd end = Batch.end(batch, batch.position());
      Frames.begin(frame, Frames.APPEND, epoch).put(batch).flip();
      full[0] = !transport.send(member, frame);
      if (!full[0]) {
        sent[0] = end.position();
      }
      return !full[0] && --left[0] > 0;
    };
  }

  private Leader leader() {
    return replica.core().leader();
  }

  private Followers followers() {
    return leader().followers();
  }

  private void unlocked(Runnable work) {
    lock.unlock();
    try {
      work.run();
    } finally {
      lock.lock();
    }
  }
}
