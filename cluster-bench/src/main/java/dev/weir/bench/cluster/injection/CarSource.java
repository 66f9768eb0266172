package dev.weir.bench.cluster.injection;

import java.nio.ByteBuffer;

/**
 * Yields messages at the times of a plan: polled by the thread that drives the processor. What it
 * sends late is sent at once, and its latency counts from when it should have been sent. For one
 * thread; allocates nothing after its construction.
 */
final class CarSource {
  /** Messages of one call at most, so that replies do not wait for ever. */
  private static final int BURST = 64;

  private final InjectionPlan plan;
  private final Messages messages;
  private final ByteBuffer body;
  private final double intervalNs;
  private final long[] sentNs;
  private long startNs;
  private long lastSendNs;
  private long sent;
  private long late;
  private long maxLagNs;

  CarSource(InjectionPlan plan, Messages messages) {
    this.plan = plan;
    this.messages = messages;
    this.body = ByteBuffer.allocateDirect(messages.maxBytes());
    this.intervalNs = plan.intervalNs();
    this.sentNs = new long[plan.window()];
  }

  /** The first message is due now. */
  void begin(long nowNs) {
    startNs = nowNs;
    lastSendNs = nowNs;
  }

  /**
   * Offers what is due.
   *
   * @param settled messages that have been replied to
   * @return how many the processor took
   */
  int sendDue(ProcessorUnderTest processor, long settled, long nowNs) {
    int count = 0;
    while (count < BURST && isDue(settled, nowNs)) {
      long number = plan.first() + sent;
      if (!processor.offer(number, body, 0, messages.encode(number, body, 0))) {
        break;
      }
      note(nowNs);
      count++;
    }
    return count;
  }

  private boolean isDue(long settled, long nowNs) {
    if (sent == plan.count()) {
      return false;
    }
    return plan.isPaced() ? startNs(sent) - nowNs <= 0 : sent - settled < plan.window();
  }

  private void note(long nowNs) {
    if (plan.isPaced()) {
      long lagNs = nowNs - startNs(sent);
      maxLagNs = Math.max(maxLagNs, lagNs);
      late += lagNs > intervalNs ? 1 : 0;
    } else {
      sentNs[(int) sent & (sentNs.length - 1)] = nowNs;
    }
    lastSendNs = nowNs;
    sent++;
  }

  /**
   * Where the latency of a message begins: at its intended time, or without a rate when it was
   * sent.
   *
   * @param index of the message in the plan; without a rate one of the last {@code window} sent
   */
  long startNs(long index) {
    return plan.isPaced()
        ? startNs + (long) (index * intervalNs)
        : sentNs[(int) index & (sentNs.length - 1)];
  }

  /** When the next message is due; in the past without a rate, or when all have been sent. */
  long dueNs() {
    return plan.isPaced() && sent < plan.count() ? startNs(sent) : startNs;
  }

  long sent() {
    return sent;
  }

  /** Messages that were sent more than an interval after their time. */
  long late() {
    return late;
  }

  /** The most a message was sent after its time. */
  long maxLagNs() {
    return maxLagNs;
  }

  /** The rate that was sent at. */
  double sentPerSec() {
    return sent * 1e9 / Math.max(1, lastSendNs - startNs + intervalNs);
  }
}
