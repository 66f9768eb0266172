package dev.weir.cluster.replica;

import dev.weir.queue.store.UninterruptibleThread;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads that run the {@link CatchUp} steps of many replicas, one step of each replica in turn. A
 * step that sends a snapshot lasts as long as the other member takes to read it; what the replicas
 * that wait can do without a copy is done meanwhile.
 */
final class FeedThreads {
  private enum State {
    IDLE,
    WAITS,
    RUNS,
    /** There was more to do while it ran. */
    RUNS_AGAIN
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Feeding> waiting = new ArrayDeque<>();
  private final List<UninterruptibleThread> threads = new ArrayList<>();
  private boolean closed;

  FeedThreads(String name, int count) {
    for (int i = 0; i < count; i++) {
      UninterruptibleThread thread = new UninterruptibleThread(this::loop, name + "-" + i);
      threads.add(thread);
      thread.start();
    }
  }

  /** The steps of a replica. */
  Feeding add(GroupReplica replica) {
    return new Feeding(replica);
  }

  private void loop() {
    for (Feeding next = take(); next != null; next = take()) {
      next.give(next.replica.catchUpSteps().runOne(this::serveWaiting));
    }
  }

  /** Runs a step of each that waits, while the copy of another one lasts. */
  private void serveWaiting() {
    lock.lock();
    int left = waiting.size();
    lock.unlock();
    for (; left > 0; left--) {
      Feeding next = poll();
      if (next != null) {
        next.replica.catchUpSteps().runMeanwhile();
        next.give(true);
      }
    }
  }

  /** The next replica with work; null if there is none. */
  private Feeding poll() {
    lock.lock();
    try {
      Feeding next = waiting.poll();
      if (next != null) {
        next.state = State.RUNS;
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a replica with work; null at the end. */
  private Feeding take() {
    lock.lock();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.awaitUninterruptibly();
      }
      return poll();
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    threads.forEach(UninterruptibleThread::awaitEnd);
  }

  /** The steps of one replica. */
  final class Feeding {
    private final GroupReplica replica;

    // Under the lock of the threads.
    private State state = State.IDLE;
    private boolean ended;

    private Feeding(GroupReplica replica) {
      this.replica = replica;
    }

    /** There may be a step to run; any thread, with or without the lock of the replica. */
    void wake() {
      lock.lock();
      try {
        if (state == State.RUNS) {
          state = State.RUNS_AGAIN;
        } else if (state == State.IDLE && !ended) {
          queue();
        }
      } finally {
        lock.unlock();
      }
    }

    private void queue() {
      state = State.WAITS;
      waiting.add(this);
      changed.signalAll();
    }

    private void give(boolean more) {
      lock.lock();
      try {
        boolean again = more || state == State.RUNS_AGAIN;
        state = State.IDLE;
        if (again && !ended) {
          queue();
        } else {
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }

    /** Ends the current step early and waits for it; there is none after it. */
    void close() {
      replica.catchUpSteps().end();
      lock.lock();
      try {
        ended = true;
        if (state == State.WAITS) {
          waiting.remove(this);
          state = State.IDLE;
        }
        while (state != State.IDLE) {
          changed.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
    }
  }
}
