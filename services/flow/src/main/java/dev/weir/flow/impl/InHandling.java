package dev.weir.flow.impl;

import java.util.function.Consumer;

/**
 * The messages of one service that its handler has and has not finished, as a list linked through
 * the messages themselves. Used on the service's event loop.
 */
final class InHandling {
  /** Null if there is none. */
  private Work first;

  void add(Work work) {
    work.next = first;
    if (first != null) {
      first.previous = work;
    }
    first = work;
  }

  void remove(Work work) {
    if (work.previous == null) {
      first = work.next;
    } else {
      work.previous.next = work.next;
    }
    if (work.next != null) {
      work.next.previous = work.previous;
    }
    work.previous = null;
    work.next = null;
  }

  void forEach(Consumer<Work> action) {
    for (Work work = first; work != null; work = work.next) {
      action.accept(work);
    }
  }
}
