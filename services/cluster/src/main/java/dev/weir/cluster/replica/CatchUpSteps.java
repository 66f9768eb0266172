package dev.weir.cluster.replica;

import dev.weir.cluster.threads.GroupCallbacks;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs the steps of {@link CatchUp} for a replica, by a thread of its own in {@link #run} or by
 * threads that many replicas share in {@link #runOne}. One thread at a time.
 */
final class CatchUpSteps {
  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(1);

  private final ReentrantLock lock;
  private final Condition work;
  private final Supplier<CatchUp> catchUp;
  private final GroupCallbacks replica;
  private volatile Runnable listener = () -> {};
  private boolean ended;

  /**
   * @param lock of the replica
   * @param replica told of a failure, which ends the steps
   */
  CatchUpSteps(ReentrantLock lock, Supplier<CatchUp> catchUp, GroupCallbacks replica) {
    this.lock = lock;
    this.work = lock.newCondition();
    this.catchUp = catchUp;
    this.replica = replica;
  }

  /** Sets who is told, under the lock, when there is a step to run. */
  void onWork(Runnable newListener) {
    listener = newListener;
  }

  /** There is a step to run; under the lock. */
  void wake() {
    work.signalAll();
    listener.run();
  }

  /** Runs steps until {@link #end}. */
  void run() {
    try {
      while (runOne(() -> {}) || await()) {
        Thread.onSpinWait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a step; false if there will be none. */
  private boolean await() throws InterruptedException {
    lock.lock();
    try {
      if (!ended) {
        work.awaitNanos(IDLE_NS);
      }
      return !ended;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs the next step; false if there is none.
   *
   * @param others runs steps of other replicas while the step lasts
   */
  boolean runOne(Runnable others) {
    return run(
        CatchUp::next,
        () -> {
          runMeanwhile();
          others.run();
        });
  }

  /** Runs a step of {@link CatchUp#meanwhile}, if there is one, also while one is in progress. */
  void runMeanwhile() {
    run(CatchUp::meanwhile, () -> {});
  }

  private boolean run(Function<CatchUp, CatchUp.Step> plan, Runnable other) {
    try {
      CatchUp.Step step = locked(catchUp -> ended ? null : plan.apply(catchUp));
      if (step == null) {
        return false;
      }
      step.run(other);
      complete(step);
      return true;
    } catch (Throwable e) {
      end();
      replica.failed("its log cannot be read", e);
      return false;
    }
  }

  private CatchUp.Step locked(Function<CatchUp, CatchUp.Step> plan) {
    lock.lock();
    try {
      return plan.apply(catchUp.get());
    } finally {
      lock.unlock();
    }
  }

  private void complete(CatchUp.Step step) {
    lock.lock();
    try {
      step.complete();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the step in progress early; there is none after it. */
  void end() {
    lock.lock();
    try {
      ended = true;
      catchUp.get().close();
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
