package dev.weir.queue.line;

import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.RetryOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Decides which message is delivered next and what becomes of it, without locks, threads or files.
 * Messages come from the {@link PacketLine} in the order of their appends; those whose time or turn
 * has not come leave it for the {@link SideLine} and come back from there.
 *
 * @param <T> the message type
 */
public final class Dispatcher<T> {
  private static final long NO_LANE = 0;

  /** The lane of all messages of a queue that is delivered one by one. */
  private static final long QUEUE_LANE = 1;

  final PacketLine<T> line;
  final SideLine<T> side;
  private final QueueOptions options;
  private final StoreClock clock;
  private final SplittableRandom random = new SplittableRandom();
  private final List<PacketLine.Lost> losses = new ArrayList<>();

  long delivered;
  long acknowledged;
  long retried;
  long deadLettered;
  long expired;

  public Dispatcher(PacketLine<T> line, SideLine<T> side, QueueOptions options, StoreClock clock) {
    this.line = line;
    this.side = side;
    this.options = options;
    this.clock = clock;
  }

  /** True if {@link #poll()} may have something. */
  public boolean pollable() {
    return side.pollable() || !isBlocked() && line.pollable();
  }

  private boolean isBlocked() {
    return side.isBlocked()
        || options.getOrder() == DeliveryOrder.QUEUE && side.isClosed(QUEUE_LANE);
  }

  /** Messages that are delivered as soon as the consumer asks and their turn comes. */
  public long waiting() {
    return line.waiting + side.held;
  }

  long unacknowledged() {
    return line.unacknowledged + side.unacknowledged;
  }

  long bytes() {
    return line.bytes + side.bytes;
  }

  // ---- delivering

  /** The next message for the consumer, or null. */
  public TakenMessage<T> poll() {
    TakenMessage<T> next = next();
    while (next != null && !admit(next)) {
      side.passed();
      next = next();
    }
    if (next != null) {
      delivered++;
      if (next.side() == null) {
        line.delivered(next);
      } else {
        side.delivered(next.side());
      }
    }
    return next;
  }

  private TakenMessage<T> next() {
    TakenMessage<T> next = side.poll();
    if (next == null && !isBlocked()) {
      next = line.take();
    }
    if (side.isResuming()) {
      // What waited for its time tells nothing of how far the line is.
      boolean ofLine = next != null && next.side() == null;
      side.resume(ofLine ? next.sequence() : line.takenBefore());
    }
    return next;
  }

  /** False if the message is not to be delivered now. */
  private boolean admit(TakenMessage<T> next) {
    MessageOptions its = next.options();
    if (its != null && its.expiresAtMs() != 0 && its.isExpired(clock.nowMs())) {
      expire(next);
      return false;
    }
    if (its != null && its.notBeforeMs() != 0 && isEarly(next, its)) {
      side.schedule(next, its.notBeforeMs());
      return false;
    }
    long lane = next.blockedKeyQueue == NO_LANE ? lane(its) : NO_LANE;
    if (lane != NO_LANE && !side.enter(lane, next)) {
      side.hold(lane, next);
      return false;
    }
    if (next.deliveryCount() >= options.getRetry().getMaxDeliveries() && !next.isTransient()) {
      bury(next, next.detached(), "delivered " + next.deliveryCount() + " times without an end");
      return false;
    }
    return true;
  }

  private boolean isEarly(TakenMessage<T> next, MessageOptions its) {
    return next.side() == null && its.notBeforeMs() > clock.nowMs();
  }

  private long lane(MessageOptions its) {
    return switch (options.getOrder()) {
      case NONE -> NO_LANE;
      case QUEUE -> QUEUE_LANE;
      case KEY -> its == null || its.key() == null ? NO_LANE : hash(its.key());
    };
  }

  /** Two keys of one lane wait for each other and come to no other harm. */
  private static long hash(String key) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ key.charAt(i)) * 0x100000001b3L;
    }
    return hash == NO_LANE ? QUEUE_LANE : hash;
  }

  // ---- ends of a delivery

  /** True if the delivery had not ended before. */
  public boolean acknowledge(TakenMessage<T> delivery) {
    if (!end(delivery)) {
      return false;
    }
    acknowledged++;
    settle(delivery);
    side.leave(delivery);
    return true;
  }

  /** Keeps the message for the next opening; its lane stays closed. */
  public void release(TakenMessage<T> delivery) {
    if (delivery.isTransient()) {
      if (end(delivery)) {
        settle(delivery);
        side.leave(delivery);
      }
    } else if (delivery.side() == null) {
      line.release(delivery);
    } else {
      end(delivery);
    }
  }

  /**
   * Ends an attempt that failed.
   *
   * @param mayRetry false to make a dead letter of the message at once
   */
  public void fail(TakenMessage<T> delivery, String reason, boolean mayRetry) {
    if (!end(delivery)) {
      return;
    }
    if (delivery.isTransient()) {
      settle(delivery);
      side.leave(delivery);
      return;
    }
    SideMessage<T> message = delivery.detached();
    long nowMs = clock.nowMs();
    message.failures++;
    message.firstAttemptMs = message.failures == 1 ? nowMs : message.firstAttemptMs;
    message.lastAttemptMs = nowMs;
    RetryOptions retry = options.getRetry();
    if (mayRetry && message.failures < retry.getMaxAttempts()) {
      retried++;
      message.reason = cut(reason);
      side.schedule(delivery, message, nowMs + retry.backoffMs(message.failures, random));
    } else {
      bury(delivery, message, reason);
    }
  }

  private boolean end(TakenMessage<T> delivery) {
    if (!delivery.end()) {
      return false;
    }
    if (delivery.side() == null) {
      line.takeBack();
    } else {
      side.unacknowledged--;
    }
    return true;
  }

  /** Gives up messages that were not delivered. */
  public void settleAll(List<TakenMessage<T>> given) {
    given.forEach(this::settle);
  }

  private void settle(TakenMessage<T> delivery) {
    if (delivery.side() == null) {
      line.settle(delivery.packet(), delivery.index());
    } else {
      side.delete(delivery.side());
    }
  }

  private void expire(TakenMessage<T> delivery) {
    expired++;
    if (delivery.attachment() != null) {
      losses.add(new PacketLine.Lost(delivery.attachment(), Reason.EXPIRED));
    }
    if (options.isDeadLetterExpired() && !delivery.isTransient()) {
      bury(delivery, delivery.detached(), "expired");
    } else {
      settle(delivery);
      side.leave(delivery);
    }
  }

  private void bury(TakenMessage<T> delivery, SideMessage<T> message, String reason) {
    deadLettered++;
    message.reason = cut(reason);
    message.diedAtMs = clock.nowMs();
    side.bury(delivery, message);
  }

  private static String cut(String reason) {
    String text = reason == null ? "" : reason;
    return text.length() > RecordSizes.MAX_REASON_CHARS
        ? text.substring(0, RecordSizes.MAX_REASON_CHARS)
        : text;
  }

  // ---- writing

  /** Takes the messages that are to leave their packets, which know them as gone from then on. */
  public List<SideMove<T>> takeMoves(boolean fresh, long maxBytes) {
    List<SideMove<T>> moves = side.takeMoves(fresh, maxBytes);
    for (SideMove<T> move : moves) {
      if (move.delivery.side() == null) {
        line.settle(move.delivery.packet(), move.delivery.index());
      }
    }
    return moves;
  }

  /** Takes the attachments whose messages will not be delivered. */
  public List<PacketLine.Lost> takeLosses() {
    List<PacketLine.Lost> taken = line.takeLosses();
    if (losses.isEmpty() && !side.hasLosses()) {
      return taken;
    }
    List<PacketLine.Lost> all = new ArrayList<>(taken);
    all.addAll(losses);
    losses.clear();
    side.takeLosses(all);
    return all;
  }
}
