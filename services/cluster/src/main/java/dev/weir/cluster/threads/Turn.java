package dev.weir.cluster.threads;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a thread does for many groups before it waits again. What they send goes out together at its
 * end, and what they append is written together: frames first, so that other members work at the
 * same time, then the logs, then the frames that had to wait for the logs.
 */
public final class Turn {
  /** A turn that does many things ends then, and another one begins. */
  public static final long MAX_NS = TimeUnit.MICROSECONDS.toNanos(500);

  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);
  private static final ThreadLocal<Turn> OF_THREAD = new ThreadLocal<>();

  private final Set<Runnable> sends = new LinkedHashSet<>();
  private final Set<Runnable> writes = new LinkedHashSet<>();
  private boolean ending;

  private Turn() {}

  /** Runs a task in a turn, or in that which the calling thread is in already. */
  public static void run(Runnable task) {
    if (OF_THREAD.get() != null) {
      task.run();
      return;
    }
    Turn turn = new Turn();
    OF_THREAD.set(turn);
    try {
      task.run();
    } finally {
      try {
        turn.end();
      } finally {
        OF_THREAD.remove();
      }
    }
  }

  /**
   * Has something sent, once, at the end of the turn of the calling thread.
   *
   * @return false if it is in none
   */
  public static boolean sendAtEnd(Runnable send) {
    Turn turn = OF_THREAD.get();
    if (turn != null) {
      turn.sends.add(send);
    }
    return turn != null;
  }

  /**
   * Sends what the turn of the calling thread holds back so far; before something that takes long.
   * One that ends has sent it.
   */
  public static void sendNow() {
    Turn turn = OF_THREAD.get();
    if (turn != null && !turn.ending) {
      call(turn.sends);
    }
  }

  /**
   * Has something written, once, at the end of the turn of the calling thread. The first that
   * writes may write for all.
   *
   * @return false if the caller must write at once: it is in no turn, or in one that ends, and what
   *     that had to send is out
   */
  public static boolean writeAtEnd(Runnable write) {
    Turn turn = OF_THREAD.get();
    if (turn == null) {
      return false;
    }
    if (turn.ending) {
      call(turn.sends);
    } else {
      turn.writes.add(write);
    }
    return !turn.ending;
  }

  private void end() {
    call(sends);
    // What is appended meanwhile is written at once: nobody would end a second turn.
    ending = true;
    call(writes);
    call(sends);
  }

  private static void call(Set<Runnable> steps) {
    for (Runnable step : steps) {
      call(step);
    }
    steps.clear();
  }

  private static void call(Runnable step) {
    try {
      step.run();
    } catch (Throwable e) {
      LOG.error("a step at the end of a turn failed", e);
    }
  }
}
