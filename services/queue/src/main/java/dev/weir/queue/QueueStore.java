package dev.weir.queue;

import dev.weir.queue.QueueException.Reason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A data directory with any number of queues in one Berkeley DB JE environment. A store has two
 * platform threads of its own, one that writes and one that reads; nothing else touches its files.
 *
 * <pre>
 * append/offer -> PacketLine (memory) -> StoreWriter -> JeFiles -> StoreReader -> PacketLine -> poll
 * </pre>
 */
public final class QueueStore implements AutoCloseable {
  private static final long CLOSE_POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  private final QueueStoreOptions options;
  private final StoreDirectory directory;
  private final JeFiles files;
  private final StoreWriter writer;
  private final StoreThread writerThread;
  private final StoreThread readerThread;
  private final CopyOnWriteArrayList<JeQueue<?>> queues = new CopyOnWriteArrayList<>();
  private boolean closed;

  private QueueStore(QueueStoreOptions options, StoreDirectory directory, JeFiles files) {
    this.options = options;
    this.directory = directory;
    this.files = files;
    this.writer = new StoreWriter(this, files);
    this.writerThread = new StoreThread("weir-queue-writer", writer);
    this.readerThread = new StoreThread("weir-queue-reader", new StoreReader(this, files));
  }

  /**
   * Opens a directory, recovering what a crash left. Blocks; not to be called on an event loop.
   *
   * @param options copied
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT} or {@code STORE_FAILED}, each with one line that says what to do
   */
  public static QueueStore open(QueueStoreOptions options) {
    QueueStoreOptions copy = new QueueStoreOptions(options);
    StoreDirectory directory = StoreDirectory.open(copy.getDirectory());
    JeFiles files = new JeFiles(copy);
    try {
      files.open();
    } catch (RuntimeException e) {
      directory.close();
      throw e;
    }
    QueueStore store = new QueueStore(copy, directory, files);
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
   * @throws QueueException {@code STORE_FAILED} or {@code CLOSED}
   * @throws IllegalStateException if the queue is open already
   */
  public synchronized <T> DurableQueue<T> queue(
      String name, Serde<T> serde, QueueOptions options, LossListener losses) {
    if (Checks.notNull("name", name).isBlank()) {
      throw new IllegalArgumentException("name is blank, allowed is any other text");
    }
    if (closed) {
      throw new QueueException(
          Reason.CLOSED, "the store in " + options().getDirectory() + " is closed");
    }
    for (JeQueue<?> open : queues) {
      if (open.name().equals(name)) {
        throw new IllegalStateException("queue " + name + " is open already");
      }
    }
    files.beginUse();
    QueueRecovery recovery;
    try {
      recovery = QueueTables.recover(files, name);
    } finally {
      files.endUse();
    }
    JeQueue<T> queue = new JeQueue<>(this, name, serde, options, losses, recovery);
    queues.add(queue);
    return queue;
  }

  /** Why nothing can be appended at the moment, or null; any thread. */
  public Reason fault() {
    return writer.fault();
  }

  QueueStoreOptions options() {
    return options;
  }

  List<JeQueue<?>> queues() {
    return queues;
  }

  void wakeWriter() {
    writerThread.wake();
  }

  void wakeReader() {
    readerThread.wake();
  }

  /** Waits until all that is to be kept is written; without a healthy disk, gives up. */
  void flushAndForget(JeQueue<?> queue) {
    while (queue.hasUrgentWork() || queue.hasLazyWork()) {
      if (writer.fault() != null) {
        queue.giveUp();
        break;
      }
      writerThread.wake();
      LockSupport.parkNanos(CLOSE_POLL_NS);
    }
    queues.remove(queue);
  }

  /** Closes all queues, then the files. Blocks; not to be called on an event loop. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    queues.forEach(JeQueue::close);
    readerThread.stop();
    writerThread.stop();
    try {
      files.close();
    } finally {
      directory.close();
    }
  }
}
