package dev.weir.cluster.threads;

import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a thread does for many groups before it waits again. What they send goes out together at its
 * end, and what they append is written together: frames first, so that other members work at the
 * same time, then the logs, then the frames that had to wait for the logs.
 */
public final class Turn {
  private static final Logger LOG = LoggerFactory.getLogger(Turn.class);
  private static final ThreadLocal<Turn> OF_THREAD = ThreadLocal.withInitial(Turn::new);

  private final Set<Runnable> sends = new LinkedHashSet<>();
  private final Set<Runnable> writes = new LinkedHashSet<>();
  private boolean running;
  private boolean ending;

  private Turn() {}

  /** Runs a task in a turn, or in that which the calling thread is in already. */
  public static void run(Runnable task) {
    Turn turn = OF_THREAD.get();
    if (turn.running) {
      task.run();
      return;
    }
    turn.running = true;
    try {
      task.run();
    } finally {
      turn.end();
    }
  }

  /**
   * Has something sent, once, at the end of the turn of the calling thread.
   *
   * @return false if it is in none
   */
  public static boolean sendAtEnd(Runnable send) {
    Turn turn = OF_THREAD.get();
    if (turn.running) {
      turn.sends.add(send);
    }
    return turn.running;
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
    if (turn.ending) {
      call(turn.sends);
    } else if (turn.running) {
      turn.writes.add(write);
    }
    return turn.running && !turn.ending;
  }

  private void end() {
    call(sends);
    // What is appended meanwhile is written at once: nobody would end a second turn.
    ending = true;
    call(writes);
    call(sends);
    ending = false;
    running = false;
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
