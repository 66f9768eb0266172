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

/** What a backup does with what its primary sends. Under the group's lock. */
public final class Backup {
  private static final Logger LOG = LoggerFactory.getLogger(Backup.class);

  private final String group;
  private final History history;
  private final Transport transport;
  private final SnapshotArrival arrival = new SnapshotArrival();
  private final ByteBuffer small = ByteBuffer.allocateDirect(Frames.SMALL_BYTES);
  private final CRC32C crc = new CRC32C();

  /** Something appended is not acknowledged yet: it is not held. */
  private boolean owes;

  private int owedTo;
  private long owedEpoch;

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

  /** Asks a primary for what this replica does not have. */
  void follow(int primary, long epoch) {
    arrival.reset();
    stop();
    LogEnd end = history.end();
    Frames.begin(small, Frames.FOLLOW, epoch).putLong(end.epoch()).putLong(end.position()).flip();
    transport.send(primary, small);
  }

  /**
   * Owes nobody anything any more: what is held may be more than the next primary has, and is no
   * acknowledgement to it.
   */
  void stop() {
    history.settle();
    owes = false;
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

  /** More is held than was. */
  void onPersisted() {
    if (owes) {
      acknowledge(owedTo, owedEpoch);
    }
  }

  /** Takes a frame of the primary that this replica follows. */
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
      default -> LOG.warn("group {}: a frame of unknown type {} came, is left out", group, type);
    }
  }

  private void append(int from, ByteBuffer frame, int at, long epoch) {
    if (!Batch.isIntact(frame, at, frame.limit() - at, crc)) {
      LOG.warn("group {}: a batch came damaged, asks for it again", group);
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
      owedTo = from;
      owedEpoch = epoch;
      if (isAllPersisted()) {
        acknowledge(from, epoch);
      } else {
        owes = true;
      }
      history.replay(frame, at);
    }
  }

  private boolean isAllPersisted() {
    return history.persisted().position() == history.end().position();
  }

  private void acknowledge(int primary, long epoch) {
    owes = !isAllPersisted();
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
          "group {}: forgets all it has: its log does not reach back to position {}, from where on"
              + " its primary has another history",
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
          "group {}: forgets {} messages from position {} on, which its primary does not have",
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
