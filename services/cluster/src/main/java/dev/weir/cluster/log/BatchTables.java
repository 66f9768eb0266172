package dev.weir.cluster.log;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The table with the batches of the current history, and the tables of replaced histories until
 * they are removed. Exceptions of JE are passed on.
 */
final class BatchTables implements AutoCloseable {
  private final LogEnvironment environment;

  /** Held for reading while batches are read, and for writing while an old table is removed. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  private final Queue<BatchTable> old = new ConcurrentLinkedQueue<>();
  private volatile BatchTable current;
  private long generation;

  /** Opens the table of a generation, and removes tables that an earlier process left behind. */
  BatchTables(LogEnvironment environment, long generation) {
    this.environment = environment;
    this.generation = generation;
    this.current = new BatchTable(environment, generation);
    environment.removeAll(this::isOld);
  }

  private boolean isOld(String database) {
    return database.startsWith(BatchTable.PREFIX) && !database.equals(current.name());
  }

  BatchTable current() {
    return current;
  }

  /** Number of the current history; it names the table. */
  long generation() {
    return generation;
  }

  /**
   * Begins a new history with an empty table. The previous table must be given to {@link #retire}.
   *
   * @param number of the history, from {@link #unused}; 0 for any
   */
  void next(long number) {
    generation = number == 0 ? unused(environment) : number;
    current = new BatchTable(environment, generation);
  }

  /** A number that no history has, and no objects that are to be those of a history. */
  static long unused(LogEnvironment environment) {
    return Math.max(
            environment.lastNumber(BatchTable.PREFIX), environment.lastNumber(JeObjects.OBJECTS))
        + 1;
  }

  /** Lets {@link #removeOld} remove a table to which nothing on disk refers any more. */
  void retire(BatchTable replaced) {
    old.add(replaced);
  }

  /** Must be held while batches of {@link #current} are read. */
  ReentrantReadWriteLock.ReadLock reading() {
    return use.readLock();
  }

  /** Removes the table of one old history; returns whether there are more. */
  boolean removeOld() {
    // Does not wait for readers: a reader may wait for a thread that waits for this one.
    if (!old.isEmpty() && use.writeLock().tryLock()) {
      try {
        BatchTable useless = old.remove();
        useless.close();
        environment.remove(useless.name());
      } finally {
        use.writeLock().unlock();
      }
    }
    return !old.isEmpty();
  }

  /** Waits for readers. */
  @Override
  public void close() {
    use.writeLock().lock();
    try {
      old.forEach(BatchTable::close);
      current.close();
    } finally {
      use.writeLock().unlock();
    }
  }
}
