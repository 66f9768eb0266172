package dev.weir.queue;

import dev.weir.queue.ModelMessage.State;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Knows which ends of deliveries a process must have committed, from the appends behind them. */
final class ModelCommits {
  private static final long COMMITTED_MS = 2000;

  /** An acknowledgement, or the end of the last attempt, of so many of a message. */
  private record Ended(ModelMessage message, int ends, long ms) {}

  /** What had ended when an append began, and is committed when it completes. */
  private record Barrier(int acknowledged, int died, int purges, boolean purging) {}

  private final Map<Long, Barrier> barriers = new HashMap<>();

  /** In order; what is known to be committed is taken away in front. */
  private final ArrayDeque<Ended> acknowledged = new ArrayDeque<>();

  private final ArrayDeque<Ended> died = new ArrayDeque<>();
  private int acknowledgedCommitted;
  private int diedCommitted;

  void acknowledged(ModelMessage message, long ms) {
    acknowledged.add(new Ended(message, message.ends, ms));
  }

  void died(ModelMessage message, long ms) {
    died.add(new Ended(message, message.ends, ms));
  }

  /** The same for a copy of a queue, as far as acknowledgements are concerned. */
  void copy(ModelCommits other, Map<ModelMessage, ModelMessage> copies) {
    other.acknowledged.forEach(its -> acknowledged(copies.get(its.message), its.ms));
  }

  void appending(long number, int purges, boolean purging) {
    barriers.put(
        number,
        new Barrier(
            acknowledgedCommitted + acknowledged.size(),
            diedCommitted + died.size(),
            purges,
            purging));
  }

  /** Its transaction had what ended before it; but dead letters wait for a purge. */
  void appended(long number, int purges) {
    Barrier barrier = barriers.remove(number);
    if (barrier == null) {
      return;
    }
    while (acknowledgedCommitted < barrier.acknowledged) {
      commitAcknowledged();
    }
    boolean calm = !barrier.purging && purges == barrier.purges;
    while (calm && diedCommitted < barrier.died) {
      commitDied();
    }
  }

  private void commitAcknowledged() {
    acknowledgedCommitted++;
    acknowledged.remove().message.mayBeAlive = false;
  }

  private void commitDied() {
    diedCommitted++;
    Ended its = died.remove();
    boolean still = its.message.state == State.DYING || its.message.state == State.DEAD;
    if (still && its.message.ends == its.ends) {
      its.message.mayBeAlive = false;
    }
  }

  /** The queue was closed in order. */
  void closed(boolean purging) {
    while (!acknowledged.isEmpty()) {
      commitAcknowledged();
    }
    while (!purging && !died.isEmpty()) {
      commitDied();
    }
  }

  /**
   * The process is gone.
   *
   * @param activeMs how long it had worked
   */
  void restart(long activeMs) {
    while (!acknowledged.isEmpty() && acknowledged.peek().ms + COMMITTED_MS <= activeMs) {
      commitAcknowledged();
    }
    acknowledged.clear();
    died.clear();
    acknowledgedCommitted = 0;
    diedCommitted = 0;
    barriers.clear();
  }
}
