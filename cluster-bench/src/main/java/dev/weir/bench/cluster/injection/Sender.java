package dev.weir.bench.cluster.injection;

import dev.weir.bench.load.Pace;
import dev.weir.bench.load.SendSchedule;
import java.nio.ByteBuffer;

/**
 * Offers the messages of a plan to a processor when they are due. A message that is late is sent at
 * once, and its latency counts from when it was due.
 *
 * <p>For the one thread that drives the processor. Allocates nothing after its construction.
 */
final class Sender {
  /** Messages of one call at most, so that replies are taken in between. */
  private static final int BURST = 64;

  private final InjectionPlan plan;
  private final Messages messages;
  private final ByteBuffer body;

  /** Null without a rate. */
  private final SendSchedule schedule;

  /** When the last messages were sent, by their index modulo the window; only without a rate. */
  private final long[] sentNs;

  private long startNs;
  private long sent;

  Sender(InjectionPlan plan, Messages messages) {
    this.plan = plan;
    this.messages = messages;
    this.body = ByteBuffer.allocateDirect(messages.maxBytes());
    this.schedule = plan.isPaced() ? new SendSchedule(plan.ratePerSec()) : null;
    this.sentNs = new long[plan.window()];
  }

  /** Makes the first message due now. */
  void begin(long nowNs) {
    startNs = nowNs;
    if (schedule != null) {
      schedule.start(nowNs);
    }
  }

  /**
   * Offers what is due.
   *
   * @param settled messages that have been replied to
   * @return how many messages the processor took
   */
  int sendDue(ProcessorUnderTest processor, long settled, long nowNs) {
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

  /**
   * Where the latency of a message begins: when it was due, or without a rate when it was sent.
   *
   * @param index of the message in the plan; without a rate one of the last {@code window} sent
   */
  long startNs(long index) {
    return schedule != null ? schedule.dueNs(index) : sentNs[(int) index & (sentNs.length - 1)];
  }

  /** When the next message is due; in the past without a rate, or when all have been sent. */
  long dueNs() {
    return schedule != null && sent < plan.count() ? schedule.dueNs(sent) : startNs;
  }

  long sent() {
    return sent;
  }

  /** Messages that were sent more than an interval after they were due; 0 without a rate. */
  long late() {
    return schedule == null ? 0 : schedule.late();
  }

  /** How well the rate was kept; null without one. */
  Pace pace() {
    return schedule == null ? null : schedule.pace();
  }
}
