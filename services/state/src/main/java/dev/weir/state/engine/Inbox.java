package dev.weir.state.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a thread is to do: many threads add, one takes all that has come. */
final class Inbox<T> {
  private List<T> waiting = new ArrayList<>();
  private boolean closed;
  private boolean woken;

  /** False, and nothing is added, once the inbox is closed. */
  boolean add(T element) {
    return add(element, () -> {});
  }

  /**
   * The same.
   *
   * @param added runs before anybody can take the element
   */
  synchronized boolean add(T element, Runnable added) {
    if (closed) {
      return false;
    }
    waiting.add(element);
    added.run();
    if (waiting.size() == 1) {
      notifyAll();
    }
    return true;
  }

  /**
   * Takes all elements, waiting for the first one.
   *
   * @param waitNs the longest time to wait
   * @return empty if none came in time, {@link #wake} was called, or the inbox is closed and empty
   */
  synchronized List<T> take(long waitNs) {
    long endNs = System.nanoTime() + waitNs;
    while (waiting.isEmpty() && !closed && !woken) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (leftMs <= 0) {
        return List.of();
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        // The threads of a store are ended by closing the inbox.
        continue;
      }
    }
    woken = false;
    List<T> taken = waiting;
    waiting = new ArrayList<>();
    return taken;
  }

  /** Ends the wait for elements, the next one if there is none now. */
  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether the inbox is closed and all its elements were taken. */
  synchronized boolean isFinished() {
    return closed && waiting.isEmpty();
  }
}
