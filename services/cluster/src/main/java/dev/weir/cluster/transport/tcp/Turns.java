package dev.weir.cluster.transport.tcp;

import java.util.LinkedHashSet;
import java.util.Set;

/** What threads hold back until the ends of their turns; those of readers excepted. Any thread. */
final class Turns {
  private final ThreadLocal<Set<Trunk>> turn = new ThreadLocal<>();

  /** See {@link dev.weir.cluster.transport.Transport#inTurn}. */
  void run(Runnable task) {
    if (turn.get() != null) {
      task.run();
      return;
    }
    turn.set(new LinkedHashSet<>());
    try {
      task.run();
    } finally {
      flush();
      turn.remove();
    }
  }

  /** Sends what the turn of the calling thread has held back so far. */
  void flush() {
    Set<Trunk> held = turn.get();
    if (held != null) {
      held.forEach(Trunk::flushTurn);
    }
  }

  /** Whether the calling thread is in a turn, at whose end the trunk is flushed then. */
  boolean holds(Trunk trunk) {
    Set<Trunk> held = turn.get();
    if (held != null) {
      held.add(trunk);
    }
    return held != null;
  }
}
