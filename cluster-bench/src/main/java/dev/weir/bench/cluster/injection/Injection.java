package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Pace;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/**
 * One round: sends what a {@link CarSource} yields, checks each reply and records its latency.
 * {@link #run} does that on the calling thread; instead the processor's own thread may call {@link
 * #begin} once and then {@link #duty} as often as it likes, while others wait for {@link
 * #completion}. For one thread otherwise; allocates nothing per message.
 */
public final class Injection implements ProcessorUnderTest.Replies {
  private static final int IDLE_CHECK_EVERY = 4_096;

  private final InjectionPlan plan;
  private final Messages messages;
  private final WireToWire latencies;
  private final Clock clock;
  private final long idleTimeoutNs;
  private final CarSource source;
  private final SequenceCheck sequence;
  private final CompletableFuture<RoundResult> completion = new CompletableFuture<>();
  private long startNs;
  private long lastReplyNs;
  private long corrupt;

  public Injection(InjectionPlan plan, Messages messages, WireToWire latencies) {
    this(plan, messages, latencies, Clock.system(), Load.DEFAULT_IDLE_TIMEOUT.toNanos());
  }

  public Injection(
      InjectionPlan plan,
      Messages messages,
      WireToWire latencies,
      Clock clock,
      long idleTimeoutNs) {
    this.plan = plan;
    this.messages = messages;
    this.latencies = latencies;
    this.clock = clock;
    this.idleTimeoutNs = idleTimeoutNs;
    this.source = new CarSource(plan, messages);
    this.sequence = SequenceCheck.ordered(plan.count());
  }

  /** Starts the clock; the first message is due at once. */
  public void begin() {
    startNs = clock.nanoTime();
    lastReplyNs = startNs;
    source.begin(startNs);
  }

  /**
   * Sends what is due and takes what has come.
   *
   * @return how much was done; 0 for nothing
   */
  public int duty(ProcessorUnderTest processor) {
    int done = source.sendDue(processor, sequence.distinct(), clock.nanoTime());
    return done + processor.poll(this);
  }

  /** When the next message is due; now if what it waits for is a reply. */
  public long dueNs() {
    return source.dueNs();
  }

  /** Whether all replies have come. */
  public boolean isDone() {
    return sequence.distinct() == plan.count();
  }

  /**
   * Runs the round, blocking the caller, spinning while there is nothing to do.
   *
   * @return the result, with what was lost if nothing came for the idle time-out
   */
  public RoundResult run(ProcessorUnderTest processor) {
    begin();
    for (int idle = 0; !isDone(); ) {
      if (duty(processor) > 0) {
        idle = 0;
      } else if (++idle % IDLE_CHECK_EVERY == 0 && isStuck()) {
        break;
      } else {
        Thread.onSpinWait();
      }
    }
    return result();
  }

  /** No reply for so long, though the next message is not that far away. */
  public boolean isStuck() {
    return clock.nanoTime() - lastReplyNs > idleTimeoutNs + plan.intervalNs();
  }

  @Override
  public void onReply(long number, ByteBuffer body, int offset, int length) {
    long nowNs = clock.nanoTime();
    lastReplyNs = nowNs;
    long index = number - plan.first();
    boolean sent = index < source.sent();
    if (sent && sequence.accept(index)) {
      if (messages.isReply(number, body, offset, length)) {
        latencies.record(nowNs - source.startNs(index));
      } else {
        corrupt++;
      }
      if (isDone()) {
        completion.complete(result());
      }
    } else if (!sent) {
      corrupt++;
    }
  }

  /**
   * Completes with the result when all replies have come, on the thread that took the last. Any
   * thread may wait for it.
   */
  CompletableFuture<RoundResult> completion() {
    return completion;
  }

  /** What the round has come to so far. */
  public RoundResult result() {
    long elapsedNs = lastReplyNs - startNs;
    Tally tally =
        new Tally(
            plan.count(),
            source.sent(),
            sequence.distinct(),
            0,
            corrupt + sequence.unknown(),
            sequence.duplicates(),
            sequence.orderBreaks(),
            null);
    if (!plan.isPaced()) {
      return RoundResult.closedLoop(tally, elapsedNs);
    }
    Pace pace = new Pace(plan.ratePerSec(), source.sentPerSec(), source.maxLagNs());
    return RoundResult.openLoop(tally, elapsedNs, pace);
  }

  /** Messages that were sent more than an interval after their time. */
  public long late() {
    return source.late();
  }
}
