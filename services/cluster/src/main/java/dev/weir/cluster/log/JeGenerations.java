package dev.weir.cluster.log;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The batches of the history that a log has, and those of histories that were replaced, until they
 * are removed. JE's failures are passed on.
 */
final class JeGenerations implements AutoCloseable {
  private final JeLogFiles files;

  /** Held for reading while batches are read, and for writing to remove those of old histories. */
  private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

  private final Queue<JeBatches> old = new ConcurrentLinkedQueue<>();
  private volatile JeBatches current;
  private long generation;

  /** Removes what a process before this one left of other generations. */
  JeGenerations(JeLogFiles files, long generation) {
    this.files = files;
    this.generation = generation;
    this.current = new JeBatches(files, generation);
    files.removeAll(this::isOld);
  }

  private boolean isOld(String database) {
    return database.startsWith(JeBatches.PREFIX) && !database.equals(current.name());
  }

  JeBatches current() {
    return current;
  }

  /** Names the database of the current batches. */
  long generation() {
    return generation;
  }

  /**
   * Begins a generation without batches; returns the one before, to be given to {@link #retire}.
   */
  JeBatches next() {
    JeBatches replaced = current;
    generation++;
    current = new JeBatches(files, generation);
    return replaced;
  }

  /** Lets {@link #removeOld} remove batches that nothing on disk refers to any more. */
  void retire(JeBatches replaced) {
    old.add(replaced);
  }

  /** To be held while batches are read; they are those that {@link #current} gives under it. */
  ReentrantReadWriteLock.ReadLock reading() {
    return use.readLock();
  }

  /** Removes the batches of one old history; returns whether there are more. */
  boolean removeOld() {
    // A reader may wait for who waits for this thread: it is not waited for.
    if (!old.isEmpty() && use.writeLock().tryLock()) {
      try {
        JeBatches useless = old.remove();
        useless.close();
        files.remove(useless.name());
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
      old.forEach(JeBatches::close);
      current.close();
    } finally {
      use.writeLock().unlock();
    }
  }
}
