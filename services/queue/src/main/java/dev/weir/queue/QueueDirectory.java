package dev.weir.queue;

import dev.weir.options.Checks;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.ReadOnlyFiles;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.offline.KeyCount;
import dev.weir.queue.offline.QueueScan;
import dev.weir.queue.offline.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reads a data directory that no store has open. Nothing in it is changed but its lock file; a
 * store cannot open it meanwhile. Methods block, are called by one thread at a time, and must not
 * be interrupted. A failure of JE is thrown as {@link QueueException} {@code STORE_FAILED}.
 */
public final class QueueDirectory implements AutoCloseable {
  private final Path path;
  private final StoreDirectory lock;
  private final ReadOnlyFiles files;

  private QueueDirectory(Path path, StoreDirectory lock, ReadOnlyFiles files) {
    this.path = path;
    this.lock = lock;
    this.files = files;
  }

  /**
   * Opens a directory. What a crash left is recovered in memory only.
   *
   * @param path of an existing store, not null
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT} or {@code STORE_FAILED}
   */
  public static QueueDirectory open(Path path) {
    StoreDirectory lock = StoreDirectory.openExisting(Checks.notNull("path", path), false);
    try {
      return new QueueDirectory(path, lock, ReadOnlyFiles.open(path));
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  /** Names of all queues that were ever opened here, sorted. */
  public List<String> queues() {
    return call(() -> files.tables().queues());
  }

  private <V> V call(Supplier<V> work) {
    try {
      return work.get();
    } catch (RuntimeException e) {
      if (!JeFiles.isStoreFailure(e)) {
        throw e;
      }
      if (files.rebuild(e)) {
        return call(work);
      }
      throw new QueueException(
          Reason.STORE_FAILED,
          "the store in " + path + " cannot be read, verify says why: " + JeFiles.firstLine(e),
          e);
    }
  }

  /**
   * Counts the messages of a queue by keys; no message is read.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary summary(String queue) {
    return call(() -> KeyCount.of(files.tables(), check(queue)));
  }

  /**
   * Counts the messages of a queue by reading all of them, as {@link #read} and {@link #readDead}
   * show them. Messages that cannot be read are left out.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary count(String queue) {
    return count(queue, damaged -> {});
  }

  /**
   * Counts as {@link #count(String)} does.
   *
   * @param damaged is told each record that cannot be read, of which the messages are left out
   * @throws IllegalArgumentException if there is no such queue
   */
  public QueueSummary count(String queue, Consumer<DamagedPacket> damaged) {
    QueueSummary keys = summary(queue);
    Counts counts = new Counts(damaged);
    scan(queue, counts, QueueScan::read);
    return new QueueSummary(
        queue,
        counts.waiting,
        counts.scheduled,
        keys.dead(),
        counts.transients,
        keys.bytes(),
        keys.packets(),
        keys.lastSequence());
  }

  /**
   * When the waiting messages were written; reads all of them. Messages that cannot be read are
   * left out.
   *
   * @return null if nothing waits
   * @throws IllegalArgumentException if there is no such queue
   */
  public WriteTimes writeTimes(String queue) {
    Times times = new Times();
    scan(queue, times, QueueScan::packets);
    return times.newestMs == Long.MIN_VALUE ? null : new WriteTimes(times.oldestMs, times.newestMs);
  }

  /**
   * Shows the messages that a queue has to deliver: waiting messages in order, with those that are
   * {@linkplain StoredMessage#isTransient transient}; then scheduled messages by time.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public void read(String queue, MessageVisitor visitor) {
    scan(queue, new Shown(visitor), QueueScan::read);
  }

  /**
   * Shows the dead letters of a queue, the oldest first.
   *
   * @throws IllegalArgumentException if there is no such queue
   */
  public void readDead(String queue, MessageVisitor visitor) {
    scan(queue, new Shown(visitor), QueueScan::dead);
  }

  private void scan(String queue, QueueScan.Visitor visitor, Consumer<QueueScan> part) {
    // What is needed to find the messages is read before any is shown.
    call(() -> KeyCount.of(files.tables(), check(queue)));
    part.accept(new QueueScan(files, queue, position -> false, visitor));
  }

  /**
   * What opening the directory has shown of damage, in one line; null if it has shown none. The
   * messages that can be read are shown all the same. {@link #verify} finds all damage.
   */
  public String damage() {
    return files.damage();
  }

  /** Checks every byte of the log and every message, as {@link QueueVerifier#verify} does. */
  public VerifyReport verify() {
    try {
      return new Verification(path, Progress.NONE).run();
    } catch (IOException e) {
      throw StoreDirectory.unreadable(path, e);
    }
  }

  private String check(String queue) {
    return check(queue, path, files.tables().queues());
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
      return new StoreFigures(LogFiles.of(path).size(), bytes, call(files::liveBytes));
    } catch (IOException e) {
      throw StoreDirectory.unreadable(path, e);
    }
  }

  /** Shows a user's visitor the messages, and what is damaged. */
  private record Shown(MessageVisitor visitor) implements QueueScan.Visitor {
    @Override
    public boolean message(StoredMessage message) {
      return visitor.message(message);
    }

    @Override
    public void damaged(DamagedPacket packet) {
      visitor.damaged(packet);
    }
  }

  /** Counts messages by state. */
  private static final class Counts implements QueueScan.Visitor {
    private final Consumer<DamagedPacket> damaged;
    private long waiting;
    private long scheduled;
    private long transients;

    Counts(Consumer<DamagedPacket> damaged) {
      this.damaged = damaged;
    }

    @Override
    public boolean message(StoredMessage message) {
      if (message.isTransient()) {
        transients++;
      } else if (message.state() == StoredMessage.State.SCHEDULED) {
        scheduled++;
      } else {
        waiting++;
      }
      return true;
    }

    @Override
    public void damaged(DamagedPacket packet) {
      // Not counted: it is not shown either.
      damaged.accept(packet);
    }
  }

  /** Collects when messages were written. */
  private static final class Times implements QueueScan.Visitor {
    private long oldestMs = Long.MAX_VALUE;
    private long newestMs = Long.MIN_VALUE;

    @Override
    public boolean message(StoredMessage message) {
      oldestMs = Math.min(oldestMs, message.writtenAtMs());
      newestMs = Math.max(newestMs, message.writtenAtMs());
      return true;
    }

    @Override
    public void damaged(DamagedPacket packet) {
      // The time of a damaged packet cannot be read.
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
