package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.SnapshotGoneException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.replica.Followers.Follower;
import dev.weir.cluster.replica.Followers.State;
import dev.weir.cluster.state.History;
import dev.weir.cluster.state.SnapshotKeeper;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.io.DataInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
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
  private final int partBytes;
  private final int maxFrameBytes;

  /** As large as the batch of the log that was sent last; a group at rest has none. */
  private ByteBuffer frame = NONE;

  private volatile boolean closing;

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
    this.partBytes = Frames.SNAPSHOT_HEADER_BYTES + partBytes;
    this.maxFrameBytes = maxFrameBytes;
  }

  /** Ends the step in progress early; any thread. */
  void close() {
    closing = true;
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
      step =
          follower.state() == State.SNAPSHOT
              ? new SendSnapshot(follower, leader.epoch(), log.snapshot())
              : sendLog(follower);
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

  /** Sends the last snapshot to a follower, all parts of it. */
  private final class SendSnapshot implements Step {
    private final Follower follower;
    private final long turn;
    private final long epoch;
    private final long question;
    private final LogEnd end;
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer part = ByteBuffer.allocate(partBytes);
    private long nextWriteNs = System.nanoTime();
    private long sentBytes;
    private boolean gone;

    /** All of it is sent. */
    private boolean whole;

    /** Of log that came while this waited for the follower to read. */
    private long waitedBytes;

    SendSnapshot(Follower follower, long epoch, LogEnd end) {
      this.follower = follower;
      this.turn = follower.turn();
      this.epoch = epoch;
      this.question = follower.question();
      this.end = end;
      snapshots.need(follower.member(), end.position());
    }

    @Override
    public void run(Runnable other) {
      try {
        log.copySnapshot(in -> sendParts(in, other));
      } catch (SnapshotGoneException e) {
        // This replica has lost the role; the next plan sees that.
        gone = true;
        pause.run();
      } catch (IOException e) {
        throw new LogException("the last snapshot of the group cannot be read", e);
      }
    }

    private void sendParts(DataInput in, Runnable other) throws IOException {
      while (!whole && isWanted()) {
        Frames.begin(part, Frames.SNAPSHOT, epoch)
            .putLong(question)
            .putLong(end.epoch())
            .putLong(end.position())
            .putLong(sentBytes);
        int at = part.position();
        part.position(Frames.SNAPSHOT_HEADER_BYTES);
        boolean last = fill(in);
        crc.reset();
        crc.update(part.flip().position(Frames.SNAPSHOT_HEADER_BYTES));
        part.position(0).putInt(at, (int) crc.getValue());
        part.putInt(at + Integer.BYTES, last ? 1 : 0);
        sentBytes += part.remaining() - Frames.SNAPSHOT_HEADER_BYTES;
        whole = send(other) && last;
        workMeanwhile(other);
      }
    }

    private boolean send(Runnable other) {
      while (isWanted()) {
        if (transport.send(follower.member(), part)) {
          return true;
        }
        workMeanwhile(other);
        waitForFollower();
      }
      return false;
    }

    /**
     * Has snapshots written and other followers fed, of this replica and of others that wait for
     * the thread: what has changed must not wait in memory for a slow follower, nor what is
     * committed. That takes half of the time at most, so that the follower gets on.
     */
    private void workMeanwhile(Runnable other) {
      long nowNs = System.nanoTime();
      if (nowNs - nextWriteNs >= 0) {
        other.run();
        long endNs = System.nanoTime();
        nextWriteNs = endNs + (endNs - nowNs);
      }
    }

    /** Returns true at the end of the snapshot. */
    private boolean fill(DataInput in) throws IOException {
      try {
        while (part.hasRemaining()) {
          part.put(in.readByte());
        }
        return false;
      } catch (EOFException e) {
        return true;
      }
    }

    private void waitForFollower() {
      long before = snapshots.appendedBytes();
      pause.run();
      waitedBytes += snapshots.appendedBytes() - before;
    }

    private boolean isWanted() {
      return follower.turn() == turn && !closing && !isOutrun();
    }

    /** The follower reads more slowly than the log grows, so it would never catch up. */
    private boolean isOutrun() {
      return waitedBytes > snapshots.mostKeptBytes(sentBytes);
    }

    @Override
    public void complete() {
      snapshots.sent(follower.member(), sentBytes);
      if (follower.turn() != turn || gone) {
        return;
      }
      if (!whole && isOutrun()) {
        beginAgain();
      } else {
        followers.snapshotSent(follower, end.position());
      }
    }

    /** Sends a later snapshot instead, so that this one and the log after it can go. */
    private void beginAgain() {
      LOG.warn(
          "group {}: member {} has read {} bytes of the state, and the log grows faster;"
              + " it is sent a later snapshot",
          history.group(),
          follower.member(),
          sentBytes);
      snapshots.needNothing(follower.member());
      leader.startFromSnapshot(follower.member());
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
