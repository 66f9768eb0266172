package dev.weir.queue;

import com.sleepycat.je.DatabaseException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.JeSalvage;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.StoreBackup;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.QueueRecovery;
import dev.weir.queue.line.StoreClock;
import dev.weir.queue.store.JeQueue;
import dev.weir.queue.store.SideTables;
import dev.weir.queue.store.StoreCall;
import dev.weir.queue.store.StoreReader;
import dev.weir.queue.store.StoreTasks;
import dev.weir.queue.store.StoreThread;
import dev.weir.queue.store.StoreWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A data directory with any number of queues in one Berkeley DB JE environment. A store has two
 * platform threads of its own, one that writes and one that reads; nothing else touches its files.
 *
 * <pre>
 * append/offer -> PacketLine (memory) -> StoreWriter -> JeFiles -> StoreReader -> PacketLine -> poll
 * </pre>
 */
public final class QueueStore implements AutoCloseable {
  private final QueueStoreOptions options;
  private final StoreDirectory directory;
  private final JeFiles files;
  private final StoreClock clock;
  private final StoreTasks tasks;
  private final StoreWriter writer;
  private final StoreThread writerThread;
  private final StoreThread readerThread;
  private final CopyOnWriteArrayList<JeQueue<?>> queues = new CopyOnWriteArrayList<>();
  private boolean closed;

  private QueueStore(QueueStoreOptions options, StoreDirectory directory, JeFiles files) {
    this.options = options;
    this.directory = directory;
    this.files = files;
    this.clock = new StoreClock(options.getClock());
    this.tasks = new StoreTasks(files, this::wakeWriter);
    this.writer = new StoreWriter(this, files, tasks, clock);
    this.writerThread = new StoreThread("weir-queue-writer", writer);
    this.readerThread = new StoreThread("weir-queue-reader", new StoreReader(this, files));
  }

  /**
   * Opens a directory, recovering what a crash left, or what can be read of a damaged log. Blocks;
   * not to be called on an event loop.
   *
   * @param options copied
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT}, {@code DISK_FULL} or {@code STORE_FAILED}, each with one line that says what
   *     to do
   */
  public static QueueStore open(QueueStoreOptions options) {
    QueueStoreOptions copy = new QueueStoreOptions(options);
    return StoreCall.call(() -> openFiles(copy));
  }

  private static QueueStore openFiles(QueueStoreOptions options) {
    StoreDirectory directory = StoreDirectory.open(options.getDirectory());
    JeFiles files = new JeFiles(options);
    boolean opened = false;
    try {
      files.open();
      opened = true;
    } finally {
      if (!opened) {
        directory.close();
      }
    }
    QueueStore store = new QueueStore(options, directory, files);
    store.writerThread.start();
    store.readerThread.start();
    return store;
  }

  /**
   * Opens a queue of this store. Blocks while its keys are read; not to be called on an event loop.
   *
   * @param name not blank; a queue is open once at a time
   * @param serde how messages become bytes
   * @param options copied
   * @param losses told what became of attachments whose message will not be delivered
   * @param <T> the message type
   * @throws QueueException {@code STORE_FAILED}, {@code DISK_FULL} or {@code CLOSED}
   * @throws IllegalStateException if the queue is open already
   */
  public synchronized <T> DurableQueue<T> queue(
      String name, Serde<T> serde, QueueOptions options, LossListener losses) {
    if (Checks.notNull("name", name).isBlank()) {
      throw new IllegalArgumentException("name is blank, allowed is any other text");
    }
    Checks.notNull("serde", serde);
    Checks.notNull("losses", losses);
    QueueOptions copy = new QueueOptions(Checks.notNull("options", options));
    if (closed) {
      throw new QueueException(
          Reason.CLOSED, "the store in " + options().getDirectory() + " is closed");
    }
    for (JeQueue<?> open : queues) {
      if (open.name().equals(name)) {
        throw new IllegalStateException("queue " + name + " is open already");
      }
    }
    QueueRecovery recovery = StoreCall.call(() -> recover(name, copy));
    JeQueue<T> queue = new JeQueue<>(this, name, serde, copy, losses, recovery);
    queues.add(queue);
    wakeWriter();
    wakeReader();
    return queue;
  }

  private QueueRecovery recover(String name, QueueOptions its) {
    try {
      try {
        return read(name, its);
      } catch (DatabaseException e) {
        if (!JeSalvage.isDamage(e)) {
          throw e;
        }
        files.reopen();
        return read(name, its);
      }
    } catch (QueueException e) {
      throw e;
    } catch (RuntimeException e) {
      wakeWriter();
      throw new QueueException(
          files.reason(e), "queue " + name + " cannot be opened: " + JeFiles.firstLine(e), e);
    }
  }

  private QueueRecovery read(String name, QueueOptions its) {
    files.beginUse();
    try {
      QueueRecovery recovery = QueueTables.recover(files, name);
      recovery.side = SideTables.recover(files, name);
      recovery.dead = SideTables.recoverDead(files, name);
      recovery.ids = new IdWindow(its.getDedupMaxIds(), its.getDedupWindowMs());
      SideTables.recoverIds(files, name, recovery.ids);
      return recovery;
    } finally {
      files.endUse();
    }
  }

  /**
   * Copies the store while it is in use. The copy has everything that was durable before the call;
   * it is a data directory that can be opened, or looked into, as it is. Blocks until the copy is
   * on the disk; not to be called on an event loop.
   *
   * @param target a new or empty directory; exists only if the copy is complete
   * @return bytes copied
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code STORE_FAILED} or {@code CLOSED}
   */
  public long backup(Path target) {
    Checks.notNull("target", target);
    synchronized (this) {
      if (closed) {
        throw new QueueException(
            Reason.CLOSED, "the store in " + options().getDirectory() + " is closed");
      }
    }
    return StoreCall.call(() -> StoreBackup.copy(files, options.getDirectory(), target));
  }

  /** Why nothing can be appended at the moment, or null; any thread. */
  public Reason fault() {
    return writer.fault();
  }

  /** Figures of its directory. Asks the file system: not to be called on an event loop. */
  public StoreStats stats() {
    return files.stats(fault());
  }

  public QueueStoreOptions options() {
    return options;
  }

  public StoreClock clock() {
    return clock;
  }

  public StoreTasks tasks() {
    return tasks;
  }

  public JeFiles files() {
    return files;
  }

  public List<JeQueue<?>> queues() {
    return queues;
  }

  public void wakeWriter() {
    writerThread.wake();
  }

  public void wakeReader() {
    readerThread.wake();
  }

  public void forget(JeQueue<?> queue) {
    queues.remove(queue);
  }

  /** A thread of the store would wait for itself. */
  public void refuseOwnThread() {
    if (writerThread.isCurrent() || readerThread.isCurrent()) {
      throw new IllegalStateException("close is called on a thread of the store");
    }
  }

  /** Closes all queues, then the files. Blocks; not to be called on an event loop. */
  @Override
  public synchronized void close() {
    refuseOwnThread();
    if (closed) {
      return;
    }
    closed = true;
    queues.forEach(JeQueue::close);
    readerThread.stop();
    writerThread.stop();
    tasks.stop();
    StoreCall.run(
        () -> {
          files.close();
          directory.close();
        });
  }
}
