package dev.weir.bench.cluster.steady;

import dev.weir.bench.load.SendSchedule;
import dev.weir.bench.record.Recording;
import dev.weir.bench.verify.Verdict;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A driver that sends messages at a steady rate, whatever happens to those who answer, and checks
 * every reply. Latency counts from the time when a message is due. A subclass sends and checks; it
 * calls {@link #begin} at the end of its constructor.
 *
 * @param <R> a reply
 */
public abstract class SteadyDriver<R> implements AutoCloseable {
  /** Most messages without a reply; later ones wait. */
  protected static final int WINDOW = 16 << 10;

  private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);
  private static final long BEHIND_NS = TimeUnit.MILLISECONDS.toNanos(250);

  private final Recording all = Recording.singleWriter();
  private final Thread thread = new Thread(this::send, "bench-driver");
  private final ReplyTimeline timeline = new ReplyTimeline(System.nanoTime());
  private final int ratePerSec;
  private final SendSchedule schedule;
  private volatile Recording phase = Recording.singleWriter();
  private volatile boolean stopped;
  private volatile long sent;

  // Written by the thread that takes replies only.
  private volatile long answered;
  private volatile long failed;
  private volatile long corrupt;
  private volatile long missing;
  private volatile long repeated;
  private volatile String firstFailure;

  /** The first message that is neither answered nor refused. */
  private volatile long next = 1;

  /** Messages after that one that are answered or refused. */
  private final Set<Long> ended = new HashSet<>();

  /**
   * What became of the messages.
   *
   * @param lost the largest number of earlier messages that a reply showed to be missing
   * @param repeated the largest number of earlier messages that a reply showed to be handled twice
   * @param firstFailure null if none failed
   */
  public record Counts(
      long sent,
      long answered,
      long failed,
      long corrupt,
      long lost,
      long repeated,
      String firstFailure) {
    /** Messages that were neither answered nor refused. */
    public long unanswered() {
      return sent - answered - failed;
    }

    /** Whether every message was handled once and answered. */
    public Verdict verdict() {
      return Verdict.ok()
          .unless(lost == 0, "acknowledged and lost " + lost)
          .unless(repeated == 0, "handled twice " + repeated)
          .unless(corrupt == 0, "corrupt replies " + corrupt)
          .unless(unanswered() == 0, "never answered " + unanswered())
          .unless(failed == 0, "refused " + failed + ": " + firstFailure);
    }
  }

  protected SteadyDriver(int ratePerSec) {
    this.ratePerSec = ratePerSec;
    this.schedule = new SendSchedule(ratePerSec);
  }

  /** Starts to send, on a thread of its own. */
  protected final void begin() {
    schedule.start(System.nanoTime());
    thread.start();
  }

  /**
   * Sends a message.
   *
   * @param number from 1 on, each once, in this order
   * @return completes on always the same thread
   */
  protected abstract Future<R> send(long number);

  /** Checks a reply: calls {@link #counted} or {@link #corrupt}. */
  protected abstract void check(R reply, long number);

  /** Closes what sends. Called once, when the driver sends no more. */
  protected abstract void release();

  private void send() {
    for (long number = 1; awaitTurn(number); number++) {
      long serial = number;
      // Before it is sent: its reply may come at once.
      sent = number;
      send(number).onComplete(result -> end(result, serial));
    }
  }

  /** When the message with this number, counted from 1, is due. */
  protected final long dueNs(long number) {
    return schedule.dueNs(number - 1);
  }

  /**
   * Waits until the message is due and the window has room. Latency counts from the due time, so
   * the wait for room is part of it.
   *
   * @return false if no more messages are to be sent
   */
  private boolean awaitTurn(long number) {
    while (!stopped
        && (dueNs(number) - System.nanoTime() > 0 || number - answered - failed > WINDOW)) {
      LockSupport.parkNanos(WAIT_NS);
    }
    return !stopped;
  }

  private void end(AsyncResult<R> result, long number) {
    long nowNs = System.nanoTime();
    if (result.succeeded()) {
      long latencyNs = nowNs - dueNs(number);
      all.record(latencyNs);
      phase.record(latencyNs);
      timeline.onReply(nowNs);
      check(result.result(), number);
      answered = answered + 1;
    } else {
      firstFailure = failed == 0 ? result.cause().getMessage() : firstFailure;
      failed = failed + 1;
    }
    endOf(number);
  }

  private void endOf(long number) {
    if (number != next) {
      ended.add(number);
      return;
    }
    long following = number + 1;
    while (!ended.isEmpty() && ended.remove(following)) {
      following++;
    }
    next = following;
  }

  /**
   * A reply says how many messages were handled until then.
   *
   * @param due how many have been sent until then
   */
  protected final void counted(long due, long handled) {
    missing = Math.max(missing, due - handled);
    repeated = Math.max(repeated, handled - due);
  }

  /** A reply is not what it must be. */
  protected final void corrupt() {
    corrupt = corrupt + 1;
  }

  public final int ratePerSec() {
    return ratePerSec;
  }

  public final ReplyTimeline timeline() {
    return timeline;
  }

  /** Latencies of all replies, each from when its message was due. */
  public final Recording latencies() {
    return all;
  }

  /** Records later latencies here too, and no longer in the recording that was set before. */
  public final void recordInto(Recording recording) {
    phase = recording;
  }

  public final long answered() {
    return answered;
  }

  public final Counts counts() {
    return new Counts(sent, answered, failed, corrupt, missing, repeated, firstFailure);
  }

  /**
   * Waits until all messages have been answered that were due a quarter of a second ago.
   *
   * @throws IOException if that takes too long
   */
  public final void awaitCaughtUp(Duration timeout) throws IOException, InterruptedException {
    long endNs = System.nanoTime() + timeout.toNanos();
    while (dueNs(next) < System.nanoTime() - BEHIND_NS) {
      if (System.nanoTime() - endNs > 0) {
        throw new IOException("the driver is still behind after " + timeout + ": " + counts());
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Stops sending and waits for the missing replies, but not longer than the patience. */
  public final void finish(Duration patience) throws InterruptedException {
    stopped = true;
    thread.join();
    long endNs = System.nanoTime() + patience.toNanos();
    while (answered + failed < sent && endNs - System.nanoTime() > 0) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  @Override
  public final void close() {
    stopped = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    release();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
