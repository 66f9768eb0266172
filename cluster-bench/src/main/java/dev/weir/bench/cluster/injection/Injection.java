package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.Clock;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.RoundResult;
import dev.weir.bench.load.SendSchedule;
import dev.weir.bench.verify.SequenceCheck;
import dev.weir.bench.verify.Tally;
import java.nio.ByteBuffer;

/**
 * One round of load on a processor: offers the messages of a plan when they are due, checks each
 * reply and records its latency. A message that is late is sent at once, and its latency counts
 * from when it was due. {@link #run} does that on the calling thread. Instead, the processor's own
 * thread may call {@link #begin} once and then {@link #doWork} repeatedly.
 *
 * <p>For one thread at a time. Allocates nothing per message.
 */
public final class Injection implements ProcessorUnderTest.Replies {
  private static final int IDLE_CHECK_EVERY = 4_096;

  /** Messages sent in one turn at most, so that replies are taken in between. */
  private static final int BURST = 64;

  private final InjectionPlan plan;
  private final Messages messages;
  private final MessageLatencies latencies;
  private final Clock clock;
  private final long idleTimeoutNs;
  private final SequenceCheck sequence;
  private final ByteBuffer body;

  /** Null without a rate. */
  private final SendSchedule schedule;

  /** When the last messages were sent, by their index modulo the window; only without a rate. */
  private final long[] sentNs;

  private long startNs;
  private long sent;
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
    this.sequence = SequenceCheck.ordered(plan.count());
    this.body = ByteBuffer.allocateDirect(messages.maxBytes());
    this.schedule = plan.isPaced() ? new SendSchedule(plan.ratePerSec()) : null;
    this.sentNs = new long[plan.window()];
  }

  /** Starts the clock; the first message is due at once. */
  public void begin() {
    startNs = clock.nanoTime();
    lastReplyNs = startNs;
    if (schedule != null) {
      schedule.start(startNs);
    }
  }

  /**
   * Sends the messages that are due and takes the replies that have come.
   *
   * @return how much was done; 0 for nothing
   */
  public int doWork(ProcessorUnderTest processor) {
    int done = sendDue(processor, sequence.distinct(), clock.nanoTime());
    return done + processor.poll(this);
  }

  private int sendDue(ProcessorUnderTest processor, long settled, long nowNs) {
    int count = 0;
    while (count < BURST && isDue(settled, nowNs)) {
      long number = plan.first() + sent;
      if (!processor.offer(number, body, 0, messages.encode(number, body, 0))) {
        break;
      }
      markSent(nowNs);
      count++;
    }
    return count;
  }

  private boolean isDue(long settled, long nowNs) {
    if (sent == plan.count()) {
      return false;
    }
    return schedule != null ? schedule.isDue(sent, nowNs) : sent - settled < sentNs.length;
  }

  private void markSent(long nowNs) {
    if (schedule != null) {
      schedule.markSent(nowNs);
    } else {
      sentNs[(int) sent & (sentNs.length - 1)] = nowNs;
    }
    sent++;
  }

  /** When the next message is due; in the past if it waits for a reply. */
  public long dueNs() {
    return schedule != null && sent < plan.count() ? schedule.dueNs(sent) : startNs;
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
  public void onReply(long number, ByteBuffer reply, int offset, int length) {
    long nowNs = clock.nanoTime();
    lastReplyNs = nowNs;
    long index = number - plan.first();
    boolean wasSent = index < sent;
    if (wasSent && sequence.accept(index)) {
      if (messages.isReply(number, reply, offset, length)) {
        latencies.record(nowNs - beganNs(index));
      } else {
        corrupt++;
      }
    } else if (!wasSent) {
      corrupt++;
    }
  }

  /** Where the latency of a message begins: when it was due, or without a rate when it was sent. */
  private long beganNs(long index) {
    return schedule != null ? schedule.dueNs(index) : sentNs[(int) index & (sentNs.length - 1)];
  }

  /** The result of the round so far. */
  public RoundResult result() {
    long elapsedNs = lastReplyNs - startNs;
    Tally tally =
        new Tally(
            plan.count(),
            sent,
            sequence.distinct(),
            0,
            corrupt + sequence.unknown(),
            sequence.duplicates(),
            sequence.orderBreaks(),
            null);
    return schedule == null
        ? RoundResult.closedLoop(tally, elapsedNs)
        : RoundResult.openLoop(tally, elapsedNs, schedule.pace());
  }

  /** Messages that were sent more than an interval after they were due; 0 without a rate. */
  public long late() {
    return schedule == null ? 0 : schedule.late();
  }
}
