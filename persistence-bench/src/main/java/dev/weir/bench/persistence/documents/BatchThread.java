package dev.weir.bench.persistence.documents;

import io.vertx.core.Context;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A thread that does blocking work for an event loop: all items that wait are one batch. Items that
 * the loop adds in one turn are handed over together, at the end of the turn.
 */
final class BatchThread<T> implements Closeable {
  private final Context loop;
  private final Consumer<List<T>> work;
  private final Thread thread;

  /** Items of this turn of the loop; used on the loop. */
  private final List<T> gathered = new ArrayList<>();

  // Guarded by this.
  private List<T> waiting = new ArrayList<>();
  private boolean closed;

  /**
   * Starts the thread.
   *
   * @param loop the event loop that adds the items
   * @param work is called on the thread with each batch, which it may keep; it throws nothing
   */
  BatchThread(Context loop, String name, Consumer<List<T>> work) {
    this.loop = loop;
    this.work = work;
    this.thread = new Thread(this::workAll, name);
    thread.start();
  }

  /** Adds an item; on the loop only. */
  void add(T item) {
    if (gathered.isEmpty()) {
      loop.runOnContext(any -> handOver());
    }
    gathered.add(item);
  }

  private void handOver() {
    synchronized (this) {
      waiting.addAll(gathered);
      notifyAll();
    }
    gathered.clear();
  }

  private void workAll() {
    try {
      for (List<T> batch = take(); batch != null; batch = take()) {
        work.accept(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** All items that wait; null if this is closed. */
  private synchronized List<T> take() throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      wait();
    }
    List<T> taken = waiting;
    waiting = new ArrayList<>();
    return taken.isEmpty() ? null : taken;
  }

  /** Ends the thread when it has done what waits, blocking the caller. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
