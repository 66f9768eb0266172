package dev.weir.cluster.replica;

import dev.weir.cluster.log.LogException;
import dev.weir.cluster.log.SnapshotGoneException;
import dev.weir.cluster.log.TransactionLog;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.replica.Followers.Follower;
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

/** Copies of the last snapshot of a primary to followers that are behind its log. */
final class SnapshotSends {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotSends.class);

  private final Leader leader;
  private final Followers followers;
  private final SnapshotKeeper snapshots;
  private final History history;
  private final TransactionLog log;
  private final Transport transport;
  private final Runnable pause;
  private final int partBytes;
  private volatile boolean closing;

  /**
   * @param partBytes bytes of a snapshot in one frame
   * @param pause waits a moment before the next try to send to a follower that reads slowly
   */
  SnapshotSends(
      Leader leader, History history, Transport transport, int partBytes, Runnable pause) {
    this.leader = leader;
    this.followers = leader.followers();
    this.history = history;
    this.snapshots = history.snapshots();
    this.log = history.log();
    this.transport = transport;
    this.pause = pause;
    this.partBytes = Frames.SNAPSHOT_HEADER_BYTES + partBytes;
  }

  /** Ends the copy in progress early; any thread. */
  void close() {
    closing = true;
  }

  /** Plans a copy of the last snapshot to a follower. Under the group's lock. */
  CatchUp.Step to(Follower follower) {
    return new Send(follower);
  }

  /** One copy to a follower, all parts of it. */
  private final class Send implements CatchUp.Step {
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

    Send(Follower follower) {
      this.follower = follower;
      this.turn = follower.turn();
      this.epoch = leader.epoch();
      this.question = follower.question();
      this.end = log.snapshot();
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
}
