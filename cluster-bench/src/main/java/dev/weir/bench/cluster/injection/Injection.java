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
 * One round of load on a processor: sends the messages of a plan, checks each reply and records its
 * latency. {@link #run} does that on the calling thread. Instead, the processor's own thread may
 * call {@link #begin} once and then {@link #doWork} repeatedly, while others wait for {@link
 * #completion}.
 *
 * <p>For one thread at a time. Allocates nothing per message.
 */
public final class Injection implements ProcessorUnderTest.Replies {
  private static final int IDLE_CHECK_EVERY = 4_096;

  private final InjectionPlan plan;
  private final Messages messages;
  private final MessageLatencies latencies;
  private final Clock clock;
  private final long idleTimeoutNs;
  private final Sender sender;
  private final SequenceCheck sequence;
  private final CompletableFuture<RoundResult> completion = new CompletableFuture<>();
  private long startNs;
  private long lastReplyNs;
  private long corrupt;

  public Injection(InjectionPlan plan, Messages messages, MessageLatencies latencies) {
    this(plan, messages, latencies, Clock.system(), Load.DEFAULT_IDLE_TIMEOUT.toNanos());
  }

  public Injection(
      InjectionPlan plan,
      Messages messages,
      MessageLatencies latencies,
      Clock clock,
      long idleTimeoutNs) {
    this.plan = plan;
    this.messages = messages;
    this.latencies = latencies;
    this.clock = clock;
    this.idleTimeoutNs = idleTimeoutNs;
    this.sender = new Sender(plan, messages);
    this.sequence = SequenceCheck.ordered(plan.count());
  }

  /** Starts the clock; the first message is due at once. */
  public void begin() {
    startNs = clock.nanoTime();
    lastReplyNs = startNs;
    sender.begin(startNs);
  }

  /**
   * Sends the messages that are due and takes the replies that have come.
   *
   * @return how much was done; 0 for nothing
   */
  public int doWork(ProcessorUnderTest processor) {
    int done = sender.sendDue(processor, sequence.distinct(), clock.nanoTime());
    return done + processor.poll(this);
  }

  /** When the next message is due; in the past if it waits for a reply. */
  public long dueNs() {
    return sender.dueNs();
  }

  /** Whether all replies have come. */
  public boolean isDone() {
    return sequence.distinct() == plan.count();
  }

  /**
   * Runs the round, blocking the caller, spinning while there is nothing to do.
   *
   * @return the result; replies that do not come within the idle time-out count as lost
   */
  public RoundResult run(ProcessorUnderTest processor) {
    begin();
    for (int idle = 0; !isDone(); ) {
      if (doWork(processor) > 0) {
        idle = 0;
      } else if (++idle % IDLE_CHECK_EVERY == 0 && isStuck()) {
        break;
      } else {
        Thread.onSpinWait();
      }
    }
    return result();
  }

  /** Whether no reply has come for the idle time-out, although messages were due. */
  public boolean isStuck() {
    return clock.nanoTime() - lastReplyNs > idleTimeoutNs + plan.intervalNs();
  }

  @Override
  public void onReply(long number, ByteBuffer body, int offset, int length) {
    long nowNs = clock.nanoTime();
    lastReplyNs = nowNs;
    long index = number - plan.first();
    boolean sent = index < sender.sent();
    if (sent && sequence.accept(index)) {
      if (messages.isReply(number, body, offset, length)) {
        latencies.record(nowNs - sender.startNs(index));
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

  /** The result of the round so far. */
  public RoundResult result() {
    long elapsedNs = lastReplyNs - startNs;
    Tally tally =
        new Tally(
            plan.count(),
            sender.sent(),
            sequence.distinct(),
            0,
            corrupt + sequence.unknown(),
            sequence.duplicates(),
            sequence.orderBreaks(),
            null);
    Pace pace = sender.pace();
    return pace == null
        ? RoundResult.closedLoop(tally, elapsedNs)
        : RoundResult.openLoop(tally, elapsedNs, pace);
  }

  /** Messages that were sent more than an interval after they were due. */
  public long late() {
    return sender.late();
  }
}
