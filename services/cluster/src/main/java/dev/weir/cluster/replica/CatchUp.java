package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.replica.Followers.Follower;
import dev.weir.cluster.replica.Followers.State;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.SnapshotKeeper;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings followers up to date from snapshots and the log, and writes this replica's own snapshots.
 *
 * <p>The work is cut into steps. {@link #next} plans a step under the group's lock; {@link
 * Step#run} does the slow part without the lock; {@link Step#complete} takes the result in under
 * the lock. One step is in progress at a time, and within one that lasts, steps of {@link
 * #meanwhile}. This class has no thread of its own.
 */
final class CatchUp {
  private static final int BATCHES_PER_STEP = 64;
  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

  private final Leader leader;
  private final Followers followers;
  private final SnapshotKeeper snapshots;
  private final History history;
  private final TransactionLog log;
  private final Transport transport;
  private final Runnable pause;
  private final LiveListener liveListener;
  private final SnapshotSends snapshotSends;
  private final int maxFrameBytes;

  /** As large as the batch of the log that was sent last; a group at rest has none. */
  private ByteBuffer frame = NONE;

  /** One piece of work. */
  interface Step {
    /**
     * Does the slow part; to be called without the group's lock.
     *
     * @param other runs steps of {@link CatchUp#meanwhile}, if there are any
     */
    void run(Runnable other);

    /** Takes in the result; to be called under the group's lock. */
    void complete();
  }

  /** Is told that a follower has been sent everything and gets live batches now. */
  @FunctionalInterface
  interface LiveListener {
    void onLive(int member);
  }

  /**
   * @param partBytes bytes of a snapshot in one frame
   * @param maxFrameBytes bytes of a frame that members take
   * @param pause waits a moment before the next try to send to a follower that reads slowly
   */
  CatchUp(
      Leader leader,
      History history,
      Transport transport,
      int partBytes,
      int maxFrameBytes,
      Runnable pause,
      LiveListener liveListener) {
    this.leader = leader;
    this.followers = leader.followers();
    this.history = history;
    this.snapshots = history.snapshots();
    this.log = history.log();
    this.transport = transport;
    this.pause = pause;
    this.liveListener = liveListener;
    this.snapshotSends = new SnapshotSends(leader, history, transport, partBytes, pause);
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Ends the step in progress early; any thread. */
  void close() {
    snapshotSends.close();
  }

  /**
   * Plans a step that does not wait for the end of a copy: a snapshot of this replica is written,
   * or a follower gets some of the log, which may hold up what is committed. Null if there is none.
   * Under the group's lock.
   */
  Step meanwhile() {
    Step step = write();
    for (Follower follower = followers.nextInLog();
        step == null && follower != null;
        follower = followers.nextInLog()) {
      step = sendLog(follower);
    }
    return step;
  }

  private Step write() {
    return snapshots.isTaken() ? new WriteSnapshot(snapshots.taken()) : null;
  }

  /** Plans the next step; null if there is nothing to do. Under the group's lock. */
  Step next() {
    Step step = write();
    if (step != null) {
      return step;
    }
    for (Follower follower = followers.nextBehind();
        step == null && follower != null;
        follower = followers.nextBehind()) {
      step = follower.state() == State.SNAPSHOT ? snapshotSends.to(follower) : sendLog(follower);
    }
    if (step == null) {
      frame = NONE;
    }
    return step;
  }

  /** Null if the follower needs no batches of the log, or a snapshot before them. */
  private Step sendLog(Follower follower) {
    long from = follower.next();
    if (from >= history.persisted().position()) {
      // Batches that the log's thread has not written yet cannot be read and must not be skipped.
      history.settle();
    }
    if (from == log.end().position()) {
      followers.goLive(follower);
      snapshots.needNothing(follower.member());
      liveListener.onLive(follower.member());
      return null;
    }
    if (from < log.start()) {
      leader.startFromSnapshot(follower.member());
      return null;
    }
    return new SendLog(follower, leader.epoch(), from);
  }

  /**
   * The next batch was written when the group allowed larger batches or messages. A snapshot of
   * what is behind it brings the follower further.
   */
  private void skipBySnapshot(Follower follower, int bytes) {
    if (log.snapshot().position() > follower.next()) {
      leader.startFromSnapshot(follower.member());
    } else if (followers.asksForSnapshot(follower)) {
      LOG.info(
          "group {}: a batch of its log takes {} bytes in a frame, allowed is {} by batchBytes and"
              + " maxMessageBytes; a snapshot is taken for the members that do not have it",
          history.group(),
          bytes,
          maxFrameBytes);
      snapshots.demand();
    }
  }

  /** Stores a snapshot of this replica's state. */
  private final class WriteSnapshot implements Step {
    private final SnapshotKeeper.Taken taken;

    WriteSnapshot(SnapshotKeeper.Taken taken) {
      this.taken = taken;
    }

    @Override
    public void run(Runnable other) {
      snapshots.write(taken);
    }

    @Override
    public void complete() {
      snapshots.written();
    }
  }

  /** Sends some batches of the log to a follower. */
  private final class SendLog implements Step, TransactionLog.BatchHandler {
    private final Follower follower;
    private final long turn;
    private final long epoch;
    private final long from;
    private long sentTo;
    private int sent;
    private boolean stopped;

    /** Bytes of the frame of the next batch if members do not take it; 0 otherwise. */
    private int tooLarge;

    SendLog(Follower follower, long epoch, long from) {
      this.follower = follower;
      this.turn = follower.turn();
      this.epoch = epoch;
      this.from = from;
      this.sentTo = from;
    }

    @Override
    public void run(Runnable other) {
      try {
        log.read(from, this);
      } catch (IllegalArgumentException e) {
        // The log was trimmed or truncated after the step was planned; the next plan sees that.
        stopped = true;
      }
      if (stopped || tooLarge > 0) {
        pause.run();
      }
    }

    @Override
    public boolean onBatch(ByteBuffer batch) {
      int bytes = Frames.HEADER_BYTES + batch.remaining();
      if (bytes > maxFrameBytes) {
        tooLarge = bytes;
        return false;
      }
      if (frame.capacity() < bytes) {
        frame = ByteBuffer.allocate(bytes);
      }
      LogEnd end = Batch.end(batch, batch.position());
      Frames.begin(frame, Frames.APPEND, epoch).put(batch).flip();
      stopped = !transport.send(follower.member(), frame);
      if (!stopped) {
        sentTo = end.position();
      }
      return !stopped && ++sent < BATCHES_PER_STEP;
    }

    @Override
    public void complete() {
      if (follower.turn() == turn) {
        followers.sentUpTo(follower, sentTo);
        if (tooLarge > 0) {
          skipBySnapshot(follower, tooLarge);
        }
      }
    }
  }
}
