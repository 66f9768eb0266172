package dev.weir.queue.line;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import dev.weir.queue.line.DetachedMessage.RawBody;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides which message of a queue is delivered next, and what becomes of a message when its
 * delivery ends. Messages come from the packets ({@link PacketLine}) in the order of their appends.
 * A message that must wait for a time or for its key moves to the {@link DeferredMessages} and
 * comes from there later.
 *
 * @param <T> the message type
 */
public final class Dispatcher<T> {
  final PacketLine<T> packets;
  final DeferredMessages<T> deferred;
  private final QueueOptions options;
  private final StoreClock clock;
  private final SplittableRandom random = new SplittableRandom();
  private final List<PacketLine.Lost> losses = new ArrayList<>();

  /** Messages in packets with smaller sequences are not delayed any more. */
  private long releasedBefore;

  private final CountedDelivery<T> counted;

  long delivered;
  long acknowledged;
  long retried;
  long deadLettered;
  long expired;

  public Dispatcher(
      PacketLine<T> packets,
      DeferredMessages<T> deferred,
      QueueOptions options,
      StoreClock clock,
      long releasedBefore) {
    this.releasedBefore = releasedBefore;
    this.packets = packets;
    this.deferred = deferred;
    this.options = options;
    this.clock = clock;
    this.counted = new CountedDelivery<>(options.getRetry().getMaxDeliveries());
    packets.totals().besideBytes = () -> deferred.bytes() - deferred.drop().droppableBytes();
  }

  /** True if {@link #poll()} may return a message. */
  public boolean pollable() {
    return counted.message() != null
        ? counted.isDue(unacknowledged())
        : !counted.isAlone() && isAnyReady();
  }

  private boolean isAnyReady() {
    return deferred.pollable() || !isBlocked() && packets.pollable();
  }

  private boolean isBlocked() {
    return deferred.isBlocked()
        || options.getOrder() == DeliveryOrder.QUEUE && deferred.isBlocked(KeyQueue.WHOLE_QUEUE);
  }

  /** Messages that wait for a consumer, not for a time. */
  public long waiting() {
    return packets.waiting() + deferred.waiting() + (counted.message() == null ? 0 : 1);
  }

  long unacknowledged() {
    return packets.unacknowledged() + deferred.unacknowledged;
  }

  long bytes() {
    return packets.bytes() + deferred.bytes();
  }

  /** Size of what is in memory. */
  public long heldBytes() {
    return packets.heldBytes() + deferred.heldBytes();
  }

  /** Messages purged so far. */
  public long purged() {
    return packets.purged() + deferred.purge().purged;
  }

  // ---- delivering

  /** The next message for the consumer, or null. */
  public TakenMessage<T> poll() {
    if (counted.isAlone()) {
      return null;
    }
    if (counted.message() != null) {
      if (!counted.isDue(unacknowledged())) {
        return null;
      }
      if (!isExpired(counted.message())) {
        return deliver(counted.begin());
      }
      expire(uncount());
    }
    TakenMessage<T> next = next();
    while (next != null && !admit(next)) {
      deferred.passed();
      next = next();
    }
    if (next == null) {
      return null;
    }
    int before = next.deliveryCount();
    count(next, before + 1);
    if (next.isSuspect()) {
      counted.set(next, before);
      return null;
    }
    return deliver(next);
  }

  private void count(TakenMessage<T> next, int deliveries) {
    if (next.packet() != null) {
      packets.count(next, deliveries);
    } else {
      deferred.count(next.detached(), deliveries);
    }
  }

  private TakenMessage<T> deliver(TakenMessage<T> next) {
    delivered++;
    if (next.packet() != null) {
      packets.totals().unacknowledged++;
    } else {
      deferred.unacknowledged++;
    }
    return next;
  }

  // ---- deliveries that are counted on disk before they begin

  public CountedDelivery<T> counted() {
    return counted;
  }

  private TakenMessage<T> uncount() {
    count(counted.message(), counted.countBefore());
    return counted.take();
  }

  /** Called at the close: a message that was not delivered is not counted. */
  public void beginClose() {
    if (counted.message() != null) {
      uncount();
    }
  }

  /** Gives up the message whose count is being written: a purge deletes it. */
  public void purgeCounted() {
    if (counted.message() != null) {
      deferred.purge().purged++;
      finish(counted.take());
    }
  }

  private TakenMessage<T> next() {
    TakenMessage<T> next = deferred.poll();
    if (next == null && !isBlocked()) {
      next = packets.take();
    }
    if (deferred.isResuming()) {
      // A deferred message says nothing about how far the packets have been taken.
      boolean fromPacket = next != null && next.detached() == null;
      deferred.resume(fromPacket ? next.sequence() : packets.takenBefore());
    }
    return next;
  }

  /** False if the message is not delivered now; then it is elsewhere already. */
  private boolean admit(TakenMessage<T> next) {
    MessageOptions its = next.options();
    if (isExpired(next)) {
      expire(next);
      return false;
    }
    if (its != null
        && its.notBeforeMs() != 0
        && next.detached() == null
        && isEarly(next.sequence(), its, clock.nowMs())) {
      long latestMs = clock.nowMs() + options.getMaxDelayMs();
      deferred.schedule(next, next.detach(), Math.min(its.notBeforeMs(), latestMs));
      return false;
    }
    long keyQueue =
        next.blockedKeyQueue == KeyQueue.NONE
            ? KeyQueue.id(options.getOrder(), its)
            : KeyQueue.NONE;
    if (keyQueue == KeyQueue.NONE) {
      deferred.passed();
    } else if (!deferred.block(keyQueue, next)) {
      deferred.hold(keyQueue, next);
      return false;
    }
    if (next.body() instanceof RawBody raw) {
      lose(next, Reason.CORRUPT);
      bury(next, next.detach(), raw.failure());
      return false;
    }
    if (next.deliveryCount() >= options.getRetry().getMaxDeliveries() && !next.isTransient()) {
      bury(next, next.detach(), "delivered " + next.deliveryCount() + " times without an end");
      return false;
    }
    return true;
  }

  private boolean isExpired(TakenMessage<T> message) {
    MessageOptions its = message.options();
    return its != null && its.expiresAtMs() != 0 && its.isExpired(clock.nowMs());
  }

  /** True if a message in a packet is to wait for its time. */
  boolean isEarly(long sequence, MessageOptions its, long nowMs) {
    return its.notBeforeMs() > nowMs && sequence >= releasedBefore;
  }

  /** Makes the delayed messages due that are in packets now; returns the sequence behind them. */
  public long releasePackets() {
    releasedBefore = packets.unwritten.nextSequence;
    return releasedBefore;
  }

  // ---- the end of a delivery

  /** Ends a delivery of a message that was handled; false if the delivery has ended before. */
  public boolean acknowledge(TakenMessage<T> delivery) {
    if (!end(delivery)) {
      return false;
    }
    acknowledged++;
    finish(delivery);
    return true;
  }

  /** Ends a delivery and keeps the message for the next opening; its key stays blocked. */
  public void release(TakenMessage<T> delivery) {
    counted.ended(delivery);
    if (delivery.isTransient()) {
      if (end(delivery)) {
        finish(delivery);
      }
    } else if (delivery.packet() != null) {
      packets.release(delivery);
    } else {
      end(delivery);
    }
  }

  /**
   * Ends a delivery of a message whose handling failed.
   *
   * @param reason null for none; cut when it is longer than {@value RecordSizes#MAX_REASON_CHARS}
   *     chars
   * @param mayRetry false to make a dead letter of the message at once
   */
  public void fail(TakenMessage<T> delivery, String reason, boolean mayRetry) {
    if (!end(delivery)) {
      return;
    }
    if (delivery.isTransient()) {
      finish(delivery);
      return;
    }
    DetachedMessage<T> message = delivery.detach();
    long nowMs = clock.nowMs();
    message.failures++;
    message.firstAttemptMs = message.failures == 1 ? nowMs : message.firstAttemptMs;
    message.lastAttemptMs = nowMs;
    RetryOptions retry = options.getRetry();
    if (mayRetry && message.failures < retry.getMaxAttempts()) {
      retried++;
      message.reason = cut(reason);
      deferred.schedule(delivery, message, nowMs + retry.backoffMs(message.failures, random));
    } else {
      bury(delivery, message, reason);
    }
  }

  private boolean end(TakenMessage<T> delivery) {
    if (!delivery.end()) {
      return false;
    }
    counted.ended(delivery);
    if (delivery.packet() != null) {
      packets.takeBack();
    } else {
      deferred.unacknowledged--;
    }
    return true;
  }

  /**
   * Gives up the oldest deferred messages.
   *
   * @param bytes by how much the queue is over its budget
   */
  public void dropDeferred(long bytes) {
    deferred.drop().begin(bytes - deferred.drop().debtBytes()).forEach(this::finish);
  }

  /** The records to delete next because the queue is over its budget, or null. */
  public DeferredLoad nextDrop() {
    DeferredLoad next = deferred.nextDrop();
    if (next == null && !deferred.purge().isRunning()) {
      deferred.drop().end().forEach(this::finish);
    }
    return next;
  }

  /** Settles messages that were given up before their delivery. */
  public void settleAll(List<TakenMessage<T>> givenUp) {
    givenUp.forEach(this::settle);
  }

  private void finish(TakenMessage<T> done) {
    settle(done);
    deferred.free(done);
  }

  private void settle(TakenMessage<T> done) {
    if (done.packet() != null) {
      packets.settle(done.packet(), done.index());
    } else {
      deferred.delete(done.detached());
    }
  }

  private void expire(TakenMessage<T> message) {
    expired++;
    lose(message, Reason.EXPIRED);
    if (options.isDeadLetterExpired() && !message.isTransient()) {
      bury(message, message.detach(), "expired");
    } else {
      finish(message);
    }
  }

  /** Reports that a message will not be delivered. */
  private void lose(TakenMessage<T> message, Reason reason) {
    if (message.attachment() != null) {
      losses.add(new PacketLine.Lost(message.attachment(), reason));
    }
  }

  private void bury(TakenMessage<T> delivery, DetachedMessage<T> message, String reason) {
    deadLettered++;
    message.attachment = null;
    message.reason = cut(reason);
    message.diedAtMs = clock.nowMs();
    deferred.bury(delivery, message);
  }

  private static String cut(String reason) {
    String text = reason == null ? "" : reason;
    return text.length() > RecordSizes.MAX_REASON_CHARS
        ? text.substring(0, RecordSizes.MAX_REASON_CHARS)
        : text;
  }

  // ---- writing

  /** Called when moves are committed: their messages have left their packets. */
  public void endMoves(List<DetachedMove<T>> written) {
    for (DetachedMove<T> move : written) {
      if (move.delivery.packet() != null) {
        packets.settle(move.delivery.packet(), move.delivery.index());
      }
    }
    deferred.endWrite(written);
  }

  /** Takes the attachments whose messages will not be delivered. */
  public List<PacketLine.Lost> takeLosses() {
    List<PacketLine.Lost> taken = packets.takeLosses();
    if (losses.isEmpty() && !deferred.hasLosses()) {
      return taken;
    }
    List<PacketLine.Lost> all = new ArrayList<>(taken);
    all.addAll(losses);
    losses.clear();
    deferred.takeLosses(all);
    return all;
  }
}
