package dev.weir.queue.store;

import dev.weir.options.ByteBudget;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.LossListener;
import dev.weir.queue.Progress;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStoreOptions;
import dev.weir.queue.Serde;
import dev.weir.queue.StoreStats;
import dev.weir.queue.je.DeadLetterTable;
import dev.weir.queue.je.DetachedTables;
import dev.weir.queue.je.JeFiles;
import dev.weir.queue.je.LogDamage;
import dev.weir.queue.je.LogFiles;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.je.ScheduleTable;
import dev.weir.queue.je.StoreBackup;
import dev.weir.queue.je.StoreDirectory;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.QueueRecovery;
import dev.weir.queue.line.StoreClock;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running parts of an open store: its files, its open queues, and the threads that alone touch
 * the files: one writes, one reads, one forces the log to the device.
 *
 * <pre>
 * append/offer -> PacketLine (memory) -> StoreWriter -> JeFiles -> StoreReader -> PacketLine -> poll
 * </pre>
 */
public final class StoreEngine {
  private static final Logger LOG = LoggerFactory.getLogger(StoreEngine.class);

  /** Name of the threads that open and close files. */
  private static final String CALL = "weir-queue-call";

  /** The ids that all queues remember take at most as much again as this part of those bytes. */
  private static final int ID_PARTS = 4;

  /** The limit of {@link #heap} as a multiple of the buffers' limit. */
  private static final int HEAPS = 4;

  private final QueueStoreOptions options;
  private final ByteBudget buffers;

  /** What the ids that all queues remember may take of the heap. */
  private final ByteBudget ids;

  /**
   * Counts what the messages of all queues take of the heap: objects and arrays included, which are
   * more than the bytes where messages are small. Over its limit each queue counts without steps.
   */
  private final ByteBudget heap;

  private final Closeable directory;
  private final JeFiles files;
  private final StoreClock clock;
  private final StoreTasks tasks;
  private final StoreWriter writer;
  private final StoreThread writerThread;
  private final StoreThread readerThread;
  private final StoreSync sync;

  /** Queues whose times are by the clock of this store. */
  private final Set<String> judged = ConcurrentHashMap.newKeySet();

  private final StoreThread syncThread;
  private final CopyOnWriteArrayList<StoredQueue<?>> queues = new CopyOnWriteArrayList<>();
  private boolean closed;

  /** While a backup is made. */
  private boolean copying;

  /**
   * @param directory closed after the files
   * @param threads makes the threads of the store from name and duty; they are started later
   */
  StoreEngine(
      QueueStoreOptions options,
      ByteBudget buffers,
      Closeable directory,
      JeFiles files,
      StoreClock clock,
      BiFunction<String, StoreThread.Duty, StoreThread> threads) {
    this.options = options;
    this.buffers = buffers;
    this.ids = new ByteBudget(buffers.limitBytes() / ID_PARTS);
    this.heap = new ByteBudget(Math.min(buffers.limitBytes(), Long.MAX_VALUE / HEAPS) * HEAPS);
    this.directory = directory;
    this.files = files;
    this.clock = clock;
    this.tasks = new StoreTasks(files, this::wakeWriter);
    this.writer = new StoreWriter(this, files, tasks, clock);
    this.writerThread = threads.apply("weir-queue-writer", writer);
    this.readerThread = threads.apply("weir-queue-reader", new StoreReader(this, files));
    this.sync = new StoreSync(files);
    this.syncThread = threads.apply("weir-queue-sync", sync);
  }

  /**
   * Opens a store.
   *
   * @param buffers what all queues may hold in memory together
   */
  public static StoreEngine open(QueueStoreOptions options, StoreClock clock, ByteBudget buffers) {
    return UninterruptibleThread.call(CALL, () -> openFiles(options, clock, buffers));
  }

  private static StoreEngine openFiles(
      QueueStoreOptions options, StoreClock clock, ByteBudget buffers) {
    StoreDirectory directory = StoreDirectory.open(options.getDirectory());
    boolean opened = false;
    try {
      StoreEngine store = start(options, buffers, directory, clock);
      opened = true;
      return store;
    } finally {
      if (!opened) {
        directory.close();
      }
    }
  }

  private static StoreEngine start(
      QueueStoreOptions options, ByteBudget buffers, StoreDirectory directory, StoreClock clock) {
    JeFiles files = new JeFiles(options);
    List<StoreThread> threads = List.of();
    try {
      files.open();
      StoreEngine store =
          new StoreEngine(options, buffers, directory, files, clock, StoreThread::new);
      threads = List.of(store.writerThread, store.readerThread, store.syncThread);
      threads.forEach(StoreThread::start);
      return store;
    } catch (Error e) {
      // A class or a thread is missing, most likely.
      threads.forEach(StoreThread::stop);
      files.close();
      throw e;
    }
  }

  /** Opens a queue; its options belong to the queue from now on. */
  public synchronized <T> DurableQueue<T> queue(
      String name, Serde<T> serde, QueueOptions options, LossListener losses) {
    if (closed) {
      throw closed();
    }
    if (isOpen(name)) {
      throw new IllegalStateException("queue " + name + " is open already");
    }
    QueueRecovery recovery = UninterruptibleThread.call(CALL, () -> recover(name, options));
    StoredQueue<T> queue = new StoredQueue<>(this, name, serde, options, losses, recovery);
    queues.add(queue);
    wakeWriter();
    wakeReader();
    return queue;
  }

  /** True while a queue of that name is open. */
  public boolean isOpen(String name) {
    return queues.stream().anyMatch(open -> open.name().equals(name));
  }

  /**
   * Works on the files while no queue is opened or closes the store.
   *
   * @throws QueueException {@code STORE_FAILED}, {@code DISK_FULL} or {@code CLOSED}
   */
  public synchronized <V> V call(Function<JeFiles, V> work) {
    if (closed) {
      throw closed();
    }
    V result =
        UninterruptibleThread.call(
            CALL,
            () -> {
              files.beginUse();
              try {
                return files.call(() -> work.apply(files));
              } finally {
                files.endUse();
              }
            });
    tasks.run(this::deleted);
    return result;
  }

  /**
   * The same on a queue, which is not opened meanwhile.
   *
   * @throws IllegalStateException if it is open
   */
  public synchronized <V> V callOnClosed(String name, Function<JeFiles, V> work) {
    if (isOpen(name)) {
      throw new IllegalStateException("queue " + name + " is open");
    }
    return call(work);
  }

  private QueueException closed() {
    return new QueueException(
        Reason.CLOSED, "the store in " + options().getDirectory() + " is closed");
  }

  private QueueRecovery recover(String name, QueueOptions its) {
    try {
      try {
        return read(name, its);
      } catch (RuntimeException e) {
        if (e instanceof QueueException || !LogDamage.isIn(e)) {
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
      boolean crashed = QueueTables.isOpen(files, name);
      QueueRecovery recovery = QueueTables.recover(files, name);
      long maxDelayMs = Math.max(its.getMaxDelayMs(), its.getRetry().getMaxBackoffMs());
      ScheduleTable schedule = new ScheduleTable(files, name);
      long changed = schedule.judge(clock, maxDelayMs, !judged.contains(name));
      judged.add(name);
      if (changed > 0) {
        LOG.warn(
            "queue {}: the times of {} messages are corrected, because the clock was wrong",
            name,
            changed);
      }
      recovery.detached = DetachedTables.recover(files, name);
      if (crashed) {
        recovery.crashed();
      }
      recovery.dead = new DeadLetterTable(files, name).recover();
      recovery.ids = new IdWindow(its.getDedupMaxIds(), its.getDedupWindowMs(), ids);
      DetachedTables.recoverIds(files, name, recovery.ids);
      return recovery;
    } finally {
      files.endUse();
    }
  }

  /** Copies the store while it is in use. */
  public long backup(Path target, Progress progress) {
    synchronized (this) {
      if (closed) {
        throw closed();
      }
      if (copying) {
        // Each would take the room that is free now for its own.
        throw new IllegalStateException("a backup of " + options().getDirectory() + " runs");
      }
      copying = true;
    }
    try {
      return UninterruptibleThread.call(
          CALL, () -> StoreBackup.copy(files, options, target, progress));
    } finally {
      synchronized (this) {
        copying = false;
      }
    }
  }

  /** Why nothing can be appended at the moment, or null; any thread. */
  public Reason fault() {
    return writer.fault();
  }

  public StoreStats stats() {
    return files.stats(fault());
  }

  public QueueStoreOptions options() {
    return options;
  }

  /** What all queues may hold in memory together. */
  ByteBudget buffers() {
    return buffers;
  }

  /** Counts what the messages of all queues take of the heap. */
  ByteBudget heap() {
    return heap;
  }

  StoreClock clock() {
    return clock;
  }

  StoreTasks tasks() {
    return tasks;
  }

  /** Called on the writer thread when a task has deleted records. */
  void deleted() {
    writer.deleted();
  }

  public JeFiles files() {
    return files;
  }

  List<StoredQueue<?>> queues() {
    return queues;
  }

  void wakeWriter() {
    writerThread.wake();
  }

  void wakeReader() {
    readerThread.wake();
  }

  /**
   * Calls when everything that is committed now is on the device.
   *
   * @param done called on the sync thread with the failure, or null
   */
  void sync(Consumer<Throwable> done) {
    sync(false, done);
  }

  /**
   * The same of the log alone, without the segments, if {@code isOfLog}; see {@link JeFiles#force}.
   */
  void sync(boolean isOfLog, Consumer<Throwable> done) {
    sync.add(
        isOfLog,
        failure -> {
          done.accept(failure);
          if (failure != null) {
            // It opens the files anew.
            wakeWriter();
          }
        });
    syncThread.wake();
  }

  void forget(StoredQueue<?> queue) {
    queues.remove(queue);
  }

  /** A thread of the store would wait for itself. */
  void refuseOwnThread() {
    if (writerThread.isCurrent() || readerThread.isCurrent() || syncThread.isCurrent()) {
      throw new IllegalStateException("close is called on a thread of the store");
    }
  }

  /** Closes all queues, then the files. Blocks. */
  public synchronized void close() {
    refuseOwnThread();
    if (closed) {
      return;
    }
    closed = true;
    queues.forEach(StoredQueue::close);
    readerThread.stop();
    writerThread.stop();
    syncThread.stop();
    tasks.stop();
    UninterruptibleThread.run(
        CALL,
        () -> {
          sync.stop();
          files.close();
          LogFiles.closeQuietly(directory);
        });
  }
}
