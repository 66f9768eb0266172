package dev.weir.cluster.replica;

import dev.weir.cluster.log.Batch;
import dev.weir.cluster.protocol.LogEnd;
import dev.weir.cluster.state.History;
import dev.weir.cluster.transport.Frames;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The backup's side of replication: appends and replays the batches of its primary, and truncates
 * messages that the primary does not have. A witness asks for no messages, so it is sent none.
 * Under the group's lock.
 */
public final class Backup {
  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

  private final String group;
  private final boolean witness;
  private final History history;
  private final Transport transport;
  private final long retryNs;
  private final long process;
  private final SnapshotArrival arrival;
  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);
  private final CRC32C crc = new CRC32C();

  /** An appended batch is not acknowledged yet, because it is not persisted. */
  private boolean unacknowledged;

  private int appendedFrom;
  private long appendedEpoch;

  /**
   * The primary asked for a change of the log while a snapshot of this replica was being written:
   * the change is asked for again after that, and frames in between are ignored.
   */
  private boolean deferred;

  /** The last question has no answer yet: batches in between are ignored. */
  private boolean asking;

  private int askedPrimary;
  private long askedEpoch;
  private long askedNs;

  /** Names what was asked last; answers to what was asked before are ignored. */
  private long question;

  private long nowNs;

  /**
   * @param retryNs a question without an answer is asked again after that
   * @param process names this process to the primary: the time of its start, which names its
   *     questions too
   */
  Backup(
      String group,
      boolean witness,
      History history,
      Transport transport,
      long retryNs,
      long process) {
    this.group = group;
    this.witness = witness;
    this.history = history;
    this.arrival = new SnapshotArrival(history::arrival);
    this.transport = transport;
    this.retryNs = retryNs;
    this.process = process;
    this.question = process;
    this.nowNs = process;
  }

  /** Asks a primary for the messages that this replica does not have. */
  void follow(int primary, long epoch) {
    stop();
    if (witness) {
      return;
    }
    LogEnd end = history.end();
    Frames.begin(small, Frames.FOLLOW, epoch)
        .putLong(process)
        .putLong(++question)
        .putLong(end.epoch())
        .putLong(end.position())
        .flip();
    asking = true;
    askedPrimary = primary;
    askedEpoch = epoch;
    askedNs = nowNs;
    transport.send(primary, small);
  }

  /**
   * Drops all acknowledgements that are still due, and what has come of a snapshot. The log may
   * reach further than the next primary's, so its end must not be acknowledged to that primary.
   */
  void stop() {
    arrival.reset();
    history.settle();
    unacknowledged = false;
    deferred = false;
    asking = false;
  }

  /**
   * Lets time pass. Asks the primary again for a change of the log that had to wait for a snapshot,
   * and after a while without an answer: the question or the answer found no room to be sent.
   */
  void tick(long timeNs) {
    nowNs = timeNs;
    boolean resumes = deferred && !history.snapshots().isTaken();
    if (resumes || asking && nowNs - askedNs > retryNs) {
      follow(askedPrimary, askedEpoch);
    }
  }

  /** Sends a due acknowledgement when more of the log is persisted. */
  void onPersisted() {
    if (unacknowledged) {
      acknowledge(appendedFrom, appendedEpoch);
    }
  }

  /** Handles a frame of the primary that this replica follows. */
  void onFrame(int from, int type, ByteBuffer frame, long epoch) {
    if (type != Frames.START && (deferred || asking)) {
      return;
    }
    int content = Frames.content(frame);
    if (type == Frames.APPEND) {
      append(from, frame, content, epoch);
    } else if (type != Frames.START && type != Frames.SNAPSHOT) {
      LOG.warn("group {}: ignores a frame of unknown type {}", group, type);
    } else if (frame.getLong(content) == question) {
      int at = content + Long.BYTES;
      if (type == Frames.START) {
        start(from, Frames.end(frame, at), frame.getInt(at + 2 * Long.BYTES), epoch);
      } else {
        addSnapshotPart(from, frame, at, epoch);
      }
    } else if (type == Frames.START && !asking) {
      // A late question reached the primary after the last one, so acknowledgements count no more.
      follow(from, epoch);
    }
  }

  private void append(int from, ByteBuffer frame, int at, long epoch) {
    if (!Batch.isIntact(frame, at, frame.limit() - at, crc)) {
      LOG.warn("group {}: received a damaged batch, asks for it again", group);
      follow(from, epoch);
      return;
    }
    long position = Batch.position(frame, at);
    long end = history.end().position();
    if (position > end) {
      follow(from, epoch);
    } else if (position == end) {
      int start = frame.position();
      history.append(frame.position(at));
      frame.position(start);
      appendedFrom = from;
      appendedEpoch = epoch;
      if (isAllPersisted()) {
        acknowledge(from, epoch);
      } else {
        unacknowledged = true;
      }
      history.replay(frame, at);
    }
  }

  private boolean isAllPersisted() {
    return history.persisted().position() == history.end().position();
  }

  private void acknowledge(int primary, long epoch) {
    Frames.begin(small, Frames.ACK, epoch)
        .putLong(history.persisted().position())
        .putLong(question)
        .flip();
    appendedFrom = primary;
    appendedEpoch = epoch;
    unacknowledged = !transport.send(primary, small) || !isAllPersisted();
  }

  private void start(int from, LogEnd theirs, int how, long epoch) {
    stop();
    long position = common(theirs);
    boolean changesLog = how == Frames.FROM_SNAPSHOT || position < history.end().position();
    if (changesLog && history.snapshots().isTaken()) {
      deferred = true;
      return;
    }
    if (how == Frames.FROM_SNAPSHOT) {
      return;
    }
    if (!history.log().isBoundary(position)) {
      LOG.info(
          "group {}: drops its log, which cannot be truncated at {}, where the primary's history"
              + " differs",
          group,
          position);
      history.clear();
      follow(from, epoch);
      return;
    }
    truncate(position);
    if (how == Frames.ASK_AGAIN || position != theirs.position()) {
      follow(from, epoch);
    } else {
      acknowledge(from, epoch);
    }
  }

  /** Up to where this history is the same as the primary's, which ends there in that epoch. */
  private long common(LogEnd theirs) {
    LogEnd ours = history.log().endOf(theirs.epoch());
    return ours.epoch() == theirs.epoch()
        ? Math.min(ours.position(), theirs.position())
        : ours.position();
  }

  private void truncate(long position) {
    long end = history.end().position();
    if (position < end) {
      LOG.info(
          "group {}: truncates {} messages from position {} on, which its primary does not have",
          group,
          end - position,
          position);
      history.truncate(position);
    }
  }

  private void addSnapshotPart(int from, ByteBuffer frame, int at, long epoch) {
    SnapshotArrival.Result result = arrival.add(frame, at);
    if (result == SnapshotArrival.Result.PART) {
      return;
    }
    if (result == SnapshotArrival.Result.SPOILED) {
      LOG.warn("group {}: received a damaged snapshot, asks for it again", group);
      follow(from, epoch);
    } else if (history.snapshots().isTaken()) {
      arrival.reset();
      deferred = true;
    } else {
      history.replaceBy(arrival.end(), arrival.bytes());
      arrival.reset();
      acknowledge(from, epoch);
    }
  }
}
