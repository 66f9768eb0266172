package dev.weir.state.engine;

import dev.weir.options.HeapExhaustion;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the changes of a factory their positions, and tells who waits for the next one. */
final class ChangeFeed {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);

  /**
   * Added to the positions after a crash: a reader may have seen changes that a loss of power took,
   * and a position of those must not become that of another change.
   */
  private static final long CRASH_GAP = 1L << 32;

  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();

  /** The last position that was given; used by the commit thread. */
  private long given;

  private volatile long published;

  /**
   * @param last the position of the last change in the log
   * @param crashed whether the store was not closed in order before
   */
  ChangeFeed(long last, boolean crashed) {
    this.published = last;
    this.given = crashed ? last + CRASH_GAP : last;
  }

  /** The position of the next change. On the commit thread. */
  long next() {
    return ++given;
  }

  /** The change whose position was given last is committed. On the commit thread. */
  void publish() {
    published = given;
    wake();
  }

  /** The position of the last change that is committed. */
  long published() {
    return published;
  }

  /** Tells all who wait. */
  void wake() {
    for (Runnable each : waiting) {
      if (waiting.remove(each)) {
        tell(each);
      }
    }
  }

  /** What goes wrong with one reader is nothing to the thread that commits, nor to others. */
  private static void tell(Runnable waiter) {
    try {
      waiter.run();
    } catch (Throwable e) {
      HeapExhaustion.report(e);
      LOG.warn("a reader of changes cannot be told of the next one", e);
    }
  }

  /**
   * Waits for a change behind a position.
   *
   * @param told called once, on any thread, at once if there is such a change
   */
  void await(long after, Runnable told) {
    waiting.add(told);
    if (published > after && waiting.remove(told)) {
      tell(told);
    }
  }

  /** Ends a wait; false if it is over. */
  boolean cancel(Runnable told) {
    return waiting.remove(told);
  }
}
