package dev.weir.bench.load;

import dev.weir.bench.load.IdleWatch.Watched;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Measures response times: sends at a fixed rate, whatever the system does, and counts each latency
 * from the <em>intended</em> send time. A late sender is charged, so a stall is seen by every
 * operation that fell into it.
 *
 * <p>{@link #run} paces with a thread of its own. Instead a timer on the system's own thread may
 * call {@link #begin} once and {@link #sendDue} as often as it likes. Replies may come from any
 * thread.
 */
public final class OpenLoop implements ReplySink, Watched {
  /** Answer of {@link #sendDue} when nothing is left to send. */
  public static final long ALL_SENT = Long.MAX_VALUE;

  /** How long the pacing thread waits while as many operations are in flight as may be. */
  private static final long FULL_WAIT_NS = 2_000;

  private final Target target;
  private final Load load;
  private final SendSchedule schedule;
  private final Ledger ledger;
  private final CompletableFuture<RoundResult> result = new CompletableFuture<>();
  private long startNs;
  private long mostInFlight = Long.MAX_VALUE;

  /** Operations that had come back when the pacing thread looked last. */
  private long seenSettled;

  /**
   * A loop for one round.
   *
   * @param ratePerSec operations per second, above 0
   */
  public OpenLoop(Target target, Load load, double ratePerSec) {
    this.target = Objects.requireNonNull(target, "target");
    this.load = load;
    this.schedule = new SendSchedule(ratePerSec);
    this.ledger = new Ledger(load);
  }

  /**
   * Bounds the operations in flight, so that a rate which is too high shows what the target can do.
   */
  public OpenLoop atMost(int inFlight) {
    mostInFlight = inFlight;
    return this;
  }

  /**
   * Runs the round on a pacing thread and waits for its end, blocking the caller.
   *
   * @return the result, with what was lost if the round stood still for the idle time-out
   */
  public RoundResult run() throws InterruptedException {
    Thread pacer = new Thread(this::pace, "bench-pacer");
    pacer.setDaemon(true);
    pacer.start();
    try {
      return new IdleWatch(this, Runnable::run, load).await();
    } finally {
      stop();
    }
  }

  private void pace() {
    begin();
    for (long nextNs = sendDue(); nextNs != ALL_SENT; nextNs = sendDue()) {
      load.clock().awaitUntil(nextNs);
    }
  }

  /** Starts the clock; the first operation is due at once. */
  public synchronized void begin() {
    startNs = load.clock().nanoTime();
    schedule.start(startNs);
  }

  /**
   * Sends every operation whose intended time has come. One thread at a time.
   *
   * @return the intended time of the next operation in {@link Clock} time, or {@link #ALL_SENT}
   */
  public long sendDue() {
    for (long operation = sent(); operation < load.operations(); operation++) {
      long intendedNs = intendedTimeNs(operation);
      long nowNs = load.clock().nanoTime();
      if (result.isDone()) {
        return ALL_SENT;
      }
      if (intendedNs - nowNs > 0) {
        return intendedNs;
      }
      if (isFull(operation)) {
        return nowNs + FULL_WAIT_NS;
      }
      markSent(nowNs);
      send(operation, intendedNs);
    }
    return ALL_SENT;
  }

  private synchronized long intendedTimeNs(long operation) {
    return schedule.dueNs(operation);
  }

  private synchronized long sent() {
    return ledger.sent();
  }

  /** Looks no more often than it must, because replies need the lock. */
  private boolean isFull(long operation) {
    if (operation - seenSettled < mostInFlight) {
      return false;
    }
    synchronized (this) {
      seenSettled = ledger.settled();
    }
    return operation - seenSettled >= mostInFlight;
  }

  private synchronized void markSent(long nowNs) {
    ledger.markSent();
    schedule.markSent(nowNs);
  }

  private void send(long operation, long intendedNs) {
    try {
      target.send(operation, intendedNs, this);
    } catch (RuntimeException e) {
      onFailure(operation, intendedNs, e);
    }
  }

  @Override
  public synchronized void onReply(long operation, long startTimeNs, Reply reply) {
    if (ledger.settle(operation, startTimeNs, reply) && ledger.complete()) {
      stop();
    }
  }

  @Override
  public synchronized void onFailure(long operation, long startTimeNs, Throwable cause) {
    ledger.noteFailure(cause);
    onReply(operation, startTimeNs, Reply.FAILED);
  }

  @Override
  public synchronized void stop() {
    if (!result.isDone()) {
      long elapsedNs = load.clock().nanoTime() - startNs;
      result.complete(RoundResult.openLoop(ledger.tally(), elapsedNs, schedule.pace()));
    }
  }

  @Override
  public synchronized long progress() {
    return ledger.sent() + ledger.settled();
  }

  /** Completes when all operations came back, or on {@link #stop}. Never fails. */
  @Override
  public CompletableFuture<RoundResult> result() {
    return result;
  }
}
