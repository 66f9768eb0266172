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
 * messages that the primary does not have. Under the group's lock.
 */
public final class Backup {
  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

  private final String group;
  private final History history;
  private final Transport transport;
  private final SnapshotArrival arrival = new SnapshotArrival();
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

  private int deferredPrimary;
  private long deferredEpoch;

  Backup(String group, History history, Transport transport) {
    this.group = group;
    this.history = history;
    this.transport = transport;
  }

  /** Asks a primary for the messages that this replica does not have. */
  void follow(int primary, long epoch) {
    arrival.reset();
    stop();
    LogEnd end = history.end();
    Frames.begin(small, Frames.FOLLOW, epoch).putLong(end.epoch()).putLong(end.position()).flip();
    transport.send(primary, small);
  }

  /**
   * Drops all acknowledgements that are still due. The log may reach further than the next
   * primary's, so its end must not be acknowledged to that primary.
   */
  void stop() {
    history.settle();
    unacknowledged = false;
    deferred = false;
  }

  private void defer(int primary, long epoch) {
    deferred = true;
    deferredPrimary = primary;
    deferredEpoch = epoch;
  }

  /** Asks the primary again for a change of the log that had to wait for a snapshot. */
  void resume() {
    if (deferred && !history.snapshots().isTaken()) {
      follow(deferredPrimary, deferredEpoch);
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
    if (deferred && type != Frames.START) {
      return;
    }
    int content = Frames.content(frame);
    switch (type) {
      case Frames.APPEND -> append(from, frame, content, epoch);
      case Frames.START ->
          start(from, frame.getLong(content), frame.getInt(content + Long.BYTES), epoch);
      case Frames.SNAPSHOT -> addSnapshotPart(from, frame, epoch);
      default -> LOG.warn("group {}: ignores a frame of unknown type {}", group, type);
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
    unacknowledged = !isAllPersisted();
    Frames.begin(small, Frames.ACK, epoch).putLong(history.persisted().position()).flip();
    transport.send(primary, small);
  }

  private void start(int from, long position, int how, long epoch) {
    arrival.reset();
    stop();
    boolean changesLog = how == Frames.FROM_SNAPSHOT || position < history.end().position();
    if (changesLog && history.snapshots().isTaken()) {
      defer(from, epoch);
      return;
    }
    if (how == Frames.FROM_SNAPSHOT) {
      return;
    }
    if (position < history.log().start()) {
      LOG.info(
          "group {}: drops its log, because the log starts after position {}, where the primary's"
              + " history differs",
          group,
          position);
      history.clear();
      follow(from, epoch);
      return;
    }
    truncate(position);
    if (how == Frames.ASK_AGAIN) {
      follow(from, epoch);
    } else {
      acknowledge(from, epoch);
    }
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

  private void addSnapshotPart(int from, ByteBuffer frame, long epoch) {
    if (!arrival.add(frame)) {
      return;
    }
    if (history.snapshots().isTaken()) {
      arrival.reset();
      defer(from, epoch);
    } else {
      history.replaceBy(arrival.end(), arrival.bytes());
      arrival.reset();
      acknowledge(from, epoch);
    }
  }
}
