package dev.weir.bench.load;

import dev.weir.bench.load.IdleWatch.Watched;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Measures capacity: keeps a number of operations in flight, each reply issuing the next, until all
 * were sent and came back. Its latencies are those of a saturated system; for response times use
 * {@link OpenLoop}.
 *
 * <p>Not thread-safe and without locks: {@link #start}, {@link #onReply}, {@link #onFailure} and
 * {@link #stop} must all run on one thread, the event loop of the system under test for example.
 * {@link #run} takes care of that. A target may answer within {@code send}: that does not recurse.
 */
public final class ClosedLoop implements ReplySink, Watched {
  private final Target target;
  private final Load load;
  private final int inFlight;
  private final Ledger ledger;
  private final CompletableFuture<RoundResult> result = new CompletableFuture<>();
  private long startNs;
  private int outstanding;
  private boolean sending;

  /**
   * A loop for one round.
   *
   * @param inFlight operations outstanding at any time, at least 1
   */
  public ClosedLoop(Target target, Load load, int inFlight) {
    if (inFlight < 1) {
      throw new IllegalArgumentException("inFlight must be at least 1: " + inFlight);
    }
    this.target = Objects.requireNonNull(target, "target");
    this.load = load;
    this.inFlight = inFlight;
    this.ledger = new Ledger(load);
  }

  /** As many in flight as asked, but no more than there are operations: what a row may state. */
  public static int inFlight(int asked, long operations) {
    return (int) Math.min(asked, operations);
  }

  /**
   * Runs the round on the given thread and waits for its end, blocking the caller.
   *
   * @param thread executes on the thread the target answers on; {@code Runnable::run} for a target
   *     that answers within {@code send}, which would keep any other thread too busy to be watched
   * @return the result, with what was lost if the round stood still for the idle time-out
   * @throws IllegalStateException if the given thread itself no longer answers
   */
  public RoundResult run(Executor thread) throws InterruptedException {
    thread.execute(this::start);
    return new IdleWatch(this, thread, load).await();
  }

  /** Starts the clock and sends the first operations. */
  public void start() {
    startNs = load.clock().nanoTime();
    sendMore();
  }

  @Override
  public void onReply(long operation, long startTimeNs, Reply reply) {
    if (ledger.settle(operation, startTimeNs, reply)) {
      outstanding--;
      if (!sending) {
        sendMore();
      }
    }
  }

  @Override
  public void onFailure(long operation, long startTimeNs, Throwable cause) {
    ledger.noteFailure(cause);
    onReply(operation, startTimeNs, Reply.FAILED);
  }

  private void sendMore() {
    sending = true;
    while (outstanding < inFlight && ledger.sent() < load.operations() && !result.isDone()) {
      sendNext();
    }
    sending = false;
    if (ledger.complete()) {
      stop();
    }
  }

  private void sendNext() {
    long operation = ledger.sent();
    long startTimeNs = load.recording() == null ? 0 : load.clock().nanoTime();
    outstanding++;
    ledger.markSent();
    try {
      target.send(operation, startTimeNs, this);
    } catch (RuntimeException e) {
      onFailure(operation, startTimeNs, e);
    }
  }

  @Override
  public void stop() {
    if (!result.isDone()) {
      long elapsedNs = load.clock().nanoTime() - startNs;
      result.complete(RoundResult.closedLoop(ledger.tally(), elapsedNs));
    }
  }

  @Override
  public long progress() {
    return ledger.settled();
  }

  /** Completes when all operations came back, or on {@link #stop}. Never fails. */
  @Override
  public CompletableFuture<RoundResult> result() {
    return result;
  }
}
