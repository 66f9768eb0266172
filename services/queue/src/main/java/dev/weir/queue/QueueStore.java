package dev.weir.queue;

import dev.weir.options.Checks;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.je.JeConfig;
import dev.weir.queue.je.QueueTables;
import dev.weir.queue.line.StoreClock;
import dev.weir.queue.offline.KeyCount;
import dev.weir.queue.store.StoreEngine;
import java.nio.file.Path;
import java.util.List;

/**
 * An open data directory that holds any number of queues. Each store runs two platform threads, one
 * that writes and one that reads; no other thread touches the files. All methods may be called by
 * any thread.
 */
public final class QueueStore implements AutoCloseable {
  private final StoreEngine engine;

  private QueueStore(StoreEngine engine) {
    this.engine = engine;
  }

  /**
   * Opens a directory and recovers what a crash left, or what can be read of a damaged log. Blocks;
   * must not be called on an event loop.
   *
   * @param options copied
   * @throws QueueException {@code DIRECTORY_UNUSABLE}, {@code DIRECTORY_IN_USE}, {@code
   *     NEWER_FORMAT}, {@code DISK_FULL} or {@code STORE_FAILED}, each with one line that says what
   *     to do
   */
  public static QueueStore open(QueueStoreOptions options) {
    QueueStoreOptions copy = new QueueStoreOptions(options);
    StoreClock clock = new StoreClock(copy.getClock(), copy.getMonotonicNs());
    return new QueueStore(StoreEngine.open(copy, clock, copy.getBufferBudget()));
  }

  /**
   * Loads what the first opening of a store in this JVM needs, which is about a third of the time
   * of that opening. A program may call this on a thread of its own while it does other things.
   * Blocks; must not be called on an event loop. Has no other effect; a second call does nothing.
   */
  public static void preload() {
    JeConfig.preload();
  }

  /**
   * Opens a queue of this store. Blocks while the keys of the queue are read; must not be called on
   * an event loop.
   *
   * @param name not blank, and valid UTF-16; a queue can be open only once at a time
   * @param serde converts messages to bytes and back
   * @param options copied
   * @param losses called for each attachment whose message will not be delivered
   * @param <T> the message type
   * @throws IllegalArgumentException naming options that contradict each other
   * @throws QueueException {@code STORE_FAILED}, {@code DISK_FULL} or {@code CLOSED}
   * @throws IllegalStateException if the queue is open already
   */
  public <T> DurableQueue<T> queue(
      String name, Serde<T> serde, QueueOptions options, LossListener losses) {
    if (Checks.notNull("name", name).isBlank()) {
      throw new IllegalArgumentException("name is blank, allowed is any other text");
    }
    Checks.encodable("name", name);
    Checks.notNull("serde", serde);
    Checks.notNull("losses", losses);
    Checks.notNull("options", options).check();
    return engine.queue(name, serde, new QueueOptions(options), losses);
  }

  /**
   * What the queues hold that are not open, by name; keys are counted, no message is read. Blocks;
   * must not be called on an event loop.
   *
   * @throws QueueException {@code STORE_FAILED}, {@code DISK_FULL} or {@code CLOSED}
   */
  public List<QueueSummary> closedQueues() {
    return engine.call(
        files ->
            files.tables().queues().stream()
                .filter(name -> !engine.isOpen(name))
                .map(name -> KeyCount.of(files.tables(), name))
                .toList());
  }

  /**
   * Deletes a queue that is not open, with its messages and dead letters, forced to the device. A
   * queue that gets its name later uses other sequences. Blocks; must not be called on an event
   * loop.
   *
   * @param name of the queue, not null
   * @return what was there
   * @throws IllegalArgumentException if there is no such queue
   * @throws IllegalStateException if the queue is open
   * @throws QueueException {@code STORE_FAILED}, {@code DISK_FULL} or {@code CLOSED}
   */
  public QueueSummary deleteQueue(String name) {
    Checks.notNull("name", name);
    return engine.callOnClosed(
        name,
        files -> {
          QueueDirectory.check(name, options().getDirectory(), files.tables().queues());
          QueueSummary before = KeyCount.of(files.tables(), name);
          QueueTables.remove(files, name);
          return before;
        });
  }

  /**
   * Copies the store while the store is in use. The copy holds everything that was durable before
   * the call. The copy is a complete data directory: a store can open it. Blocks until the copy is
   * on the disk; must not be called on an event loop.
   *
   * @param target a new or empty directory; exists afterwards only if the copy is complete. On the
   *     disk of the store the copy leaves free what the store must keep, and one log file more
   * @return bytes copied
   * @throws QueueException {@code DISK_FULL} if there is no room, {@code DIRECTORY_UNUSABLE},
   *     {@code STORE_FAILED} or {@code CLOSED}
   * @throws IllegalStateException if another backup of this store runs
   */
  public long backup(Path target) {
    return backup(target, Progress.NONE);
  }

  /**
   * The same, and tells how far it has come.
   *
   * @param progress is told the bytes copied
   */
  public long backup(Path target, Progress progress) {
    return engine.backup(Checks.notNull("target", target), Checks.notNull("progress", progress));
  }

  /** The reason why the store cannot append at the moment, or null if it can. */
  public Reason fault() {
    return engine.fault();
  }

  /** Figures of the directory. Asks the file system; must not be called on an event loop. */
  public StoreStats stats() {
    return engine.stats();
  }

  /** The options of the open store; not to be changed. */
  public QueueStoreOptions options() {
    return engine.options();
  }

  /** For tests. */
  StoreEngine engine() {
    return engine;
  }

  /**
   * Closes all queues, then the files. Blocks; must not be called on an event loop. A second call
   * has no effect.
   *
   * @throws IllegalStateException if called on a thread of the store, from a callback
   */
  @Override
  public void close() {
    engine.close();
  }
}
