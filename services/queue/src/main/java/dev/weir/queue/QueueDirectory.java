package dev.weir.queue;

import com.sleepycat.je.DatabaseException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeFiles.Extra;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketKey;
import dev.weir.queue.offline.OfflineFiles;
import dev.weir.queue.offline.PacketScan;
import dev.weir.queue.offline.QueueSummary;
import dev.weir.queue.offline.SideScan;
import dev.weir.queue.offline.StoredMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Looks into a data directory that no store has open. Nothing in it is changed but its lock file; a
 * store cannot open it meanwhile. Methods block, are called by one thread at a time, and must not
 * be interrupted.
 */
public final class QueueDirectory implements AutoCloseable {
  private final Path path;
  private final StoreDirectory lock;
  private final OfflineFiles files;

  private QueueDirectory(Path path, StoreDirectory lock, OfflineFiles files) {
    this.path = path;
    this.lock = lock;
    this.files = files;
  }

  /**
   * Opens a directory. What a crash left is recovered in memory only.
   *
   * @param path of an existing store
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT} or {@code STORE_FAILED}
   */
  public static QueueDirectory open(Path path) {
    StoreDirectory lock = StoreDirectory.openExisting(Checks.notNull("path", path), false);
    try {
      return new QueueDirectory(path, lock, OfflineFiles.open(path));
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Names of all queues that were ever opened here, in order. */
  public List<String> queues() {
    return guard(files::queues);
  }

  /** What JE throws becomes one line. */
  private <V> V guard(Supplier<V> duty) {
    try {
      return duty.get();
    } catch (DatabaseException | IllegalStateException e) {
      throw new QueueException(
          Reason.STORE_FAILED,
          "the store in " + path + " cannot be read, verify says why: " + JeFiles.firstLine(e),
          e);
    }
  }

  /**
   * Counts by keys; no message is read.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary summary(String queue) {
    return guard(
        () ->
            QueueSummary.of(
                check(queue),
                files.tables(queue),
                files.extraOrNull(Extra.SIDE, queue),
                files.extraOrNull(Extra.DEAD, queue)));
  }

  /**
   * When what waits was written.
   *
   * @return null if nothing waits
   * @throws IllegalArgumentException if there is no such queue
   */
  public WriteTimes writeTimes(String queue) {
    AtomicLong oldest = new AtomicLong(Long.MAX_VALUE);
    AtomicLong newest = new AtomicLong(Long.MIN_VALUE);
    scan(
        queue,
        new PacketScan.Sink() {
          @Override
          public boolean packet(PacketKey key, Packet<byte[]> packet, long writtenAtMs) {
            if (!packet.allSettled()) {
              oldest.accumulateAndGet(writtenAtMs, Math::min);
              newest.accumulateAndGet(writtenAtMs, Math::max);
            }
            return true;
          }

          @Override
          public void damaged(DamagedPacket packet) {
            // The times of what can be read.
          }

          @Override
          public void unreachable(long sequence) {
            // The times of what can be read.
          }
        });
    return newest.get() == Long.MIN_VALUE ? null : new WriteTimes(oldest.get(), newest.get());
  }

  /**
   * Shows what a queue has to deliver: what waits, in order, with what is of no use after a
   * restart; then what is scheduled, by time.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public void read(String queue, MessageVisitor visitor) {
    SideScan side = sideScan(queue, visitor);
    Unsettled packets = new Unsettled(queue, visitor, side, System.currentTimeMillis());
    scan(queue, packets);
    if (!packets.stopped && side.lanesBefore(Long.MAX_VALUE)) {
      side.scheduled();
    }
  }

  /**
   * Shows the dead letters of a queue, the oldest first.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public void readDead(String queue, MessageVisitor visitor) {
    sideScan(queue, visitor).dead();
  }

  private SideScan sideScan(String queue, MessageVisitor visitor) {
    return guard(() -> new SideScan(files, check(queue), lsn -> false, visitor));
  }

  private void scan(String queue, PacketScan.Sink sink) {
    guard(
        () -> {
          PacketScan.run(files, check(queue), lsn -> false, sink);
          return null;
        });
  }

  private String check(String queue) {
    return check(queue, path, files.queues());
  }

  static String check(String queue, Path path, List<String> queues) {
    if (!queues.contains(Checks.notNull("queue", queue))) {
      throw new IllegalArgumentException(
          "queue '"
              + queue
              + "' is not in directory "
              + path
              + ", which has "
              + (queues.isEmpty() ? "none" : String.join(", ", queues)));
    }
    return queue;
  }

  /** The log on disk. */
  public StoreFigures figures() {
    try {
      long bytes = LogFiles.bytes(path);
      return new StoreFigures(LogFiles.of(path).size(), bytes, guard(files::liveBytes));
    } catch (IOException e) {
      throw unreadable(path, e);
    }
  }

  public static QueueException unreadable(Path path, IOException e) {
    return new QueueException(
        Reason.DIRECTORY_UNUSABLE, "directory " + path + " cannot be read: " + e, e);
  }

  /** Shows the messages of packets that are still to be delivered, and others in between. */
  private static final class Unsettled implements PacketScan.Sink {
    private final String queue;
    private final MessageVisitor visitor;
    private final SideScan side;
    private final long nowMs;
    private boolean stopped;

    Unsettled(String queue, MessageVisitor visitor, SideScan side, long nowMs) {
      this.queue = queue;
      this.visitor = visitor;
      this.side = side;
      this.nowMs = nowMs;
    }

    @Override
    public boolean packet(PacketKey key, Packet<byte[]> packet, long writtenAtMs) {
      for (int i = 0; i < packet.count && !stopped; i++) {
        if (!packet.isSettled(i)) {
          stopped =
              !side.lanesBefore(packet.firstSequence + i)
                  || !visitor.message(StoredMessages.of(queue, packet, i, writtenAtMs, nowMs));
        }
      }
      return !stopped;
    }

    @Override
    public void damaged(DamagedPacket packet) {
      visitor.damaged(packet);
    }

    @Override
    public void unreachable(long sequence) {
      visitor.damaged(
          new DamagedPacket(queue, sequence, 0, null, 0, "and all behind it cannot be found"));
    }
  }

  @Override
  public void close() {
    try {
      files.close();
    } finally {
      lock.close();
    }
  }
}
