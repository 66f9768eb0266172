package dev.weir.queue.store;

import dev.weir.queue.Completion;
import dev.weir.queue.Durability;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.line.Dispatcher;
import dev.weir.queue.line.IdWindow;
import dev.weir.queue.line.Packet;
import dev.weir.queue.line.PacketLine;
import dev.weir.queue.line.QueueCounters;
import dev.weir.queue.line.QueueLimits;
import dev.weir.queue.line.RecordSizes;
import dev.weir.queue.line.UserCallbacks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Admits messages to a queue: applies the limits, recognizes a message that was sent before by its
 * id, and holds senders back while the queue is full. Guarded by the queue's lock.
 *
 * @param <T> the message type
 */
final class QueueAdmission<T> {
  /**
   * A message and its sender.
   *
   * @param options null for none
   */
  record Append<T>(
      T message,
      int sizeBytes,
      MessageOptions options,
      Durability durability,
      Completion completion) {
    /** Size of the message and its options. */
    long bytes() {
      return sizeBytes + RecordSizes.optionsBytes(options);
    }
  }

  private final StoreEngine store;
  private final QueueOptions options;
  private final QueueLimits limits;
  private final PacketLine<T> packets;
  private final Dispatcher<T> dispatcher;
  private final IdWindow ids;
  private final QueueCounters counters;

  /** Duplicates of messages that are not yet as safe as asked, and that nobody can join now. */
  private List<Append<T>> duplicates = new ArrayList<>();

  /** Senders that wait for room, in order. */
  private final ArrayDeque<Append<T>> blocked = new ArrayDeque<>();

  /** Size of the messages of all senders that wait. */
  private long heldBytes;

  QueueAdmission(
      StoreEngine store,
      QueueOptions options,
      QueueLimits limits,
      PacketLine<T> packets,
      Dispatcher<T> dispatcher,
      IdWindow ids,
      QueueCounters counters) {
    this.store = store;
    this.options = options;
    this.limits = limits;
    this.packets = packets;
    this.dispatcher = dispatcher;
    this.ids = ids;
    this.counters = counters;
  }

  /** True if the policy of the queue makes senders wait for room. */
  boolean blocks() {
    return options.getPolicy() == OverflowPolicy.BLOCK;
  }

  /** Adds a message that nobody waits for; returns the reason if it is refused. */
  Reason offer(T message, int sizeBytes, MessageOptions its, boolean keep, Object attachment) {
    Reason refusal = limits.isTooLarge(sizeBytes) ? Reason.MESSAGE_TOO_LARGE : null;
    if (refusal == null) {
      refusal = admit(sizeBytes, its);
    }
    if (refusal == null) {
      packets.append(message, sizeBytes, its, keep ? 0 : Packet.TRANSIENT, attachment);
    } else {
      counters.rejected++;
    }
    return refusal;
  }

  /**
   * Adds a message, or lets its sender wait for room. Returns what to run without the lock, or null
   * if the completion comes with a commit.
   */
  Runnable append(Append<T> next) {
    if (limits.isTooLarge(next.sizeBytes)) {
      return refuse(next, Reason.MESSAGE_TOO_LARGE);
    }
    IdWindow.Use earlier = find(next.options);
    if (earlier != null) {
      return repeat(earlier, next);
    }
    return add(next);
  }

  /**
   * Decides anew about a duplicate of a message that was being written or handled: by now the
   * message may be committed, or wait to be written, or be refused or done.
   */
  private Runnable appendAgain(Append<T> next) {
    IdWindow.Use earlier = find(next.options);
    return earlier == null ? add(next) : join(earlier, next);
  }

  private Runnable add(Append<T> next) {
    boolean durable = next.durability != Durability.NONE;
    Reason refusal = durable ? store.fault() : null;
    if (refusal == null) {
      refusal = admit(next.sizeBytes, next.options);
    }
    if (refusal == null) {
      put(next);
    } else if (durable && blocks() && mayBlock(next)) {
      blocked.add(next);
      heldBytes += next.bytes();
    } else {
      return refuse(next, refusal);
    }
    return durable ? null : done(next);
  }

  private boolean mayBlock(Append<T> next) {
    return blocked.size() < options.getMaxBlocked()
        && limits.mayHold(dispatcher, heldBytes + next.bytes());
  }

  /** Size of the messages of senders that wait for room or for an earlier message. */
  long heldBytes() {
    return heldBytes;
  }

  /** Counts a refusal; returns what completes the sender. */
  Runnable refuse(Append<T> next, Reason refusal) {
    counters.rejected++;
    return () -> UserCallbacks.complete(next.completion, limits.failure(refusal));
  }

  private static Runnable done(Append<?> next) {
    return () -> UserCallbacks.complete(next.completion, null);
  }

  /** Null if there is room and no sender waits. */
  private Reason admit(int sizeBytes, MessageOptions its) {
    return blocked.isEmpty() ? room(sizeBytes, its) : Reason.QUEUE_FULL;
  }

  private Reason room(int sizeBytes, MessageOptions its) {
    return limits.admit(dispatcher, sizeBytes + RecordSizes.optionsBytes(its));
  }

  private void put(Append<T> next) {
    packets.append(next.message, next.sizeBytes, next.options, (byte) 0, null);
    if (hasId(next.options)) {
      ids.add(next.options.id(), next.options.fingerprint(), packets.open(), store.clock().nowMs());
    }
    if (next.durability != Durability.NONE) {
      packets.require(next.durability, next.completion);
    }
  }

  private boolean hasId(MessageOptions its) {
    return its != null && its.id() != null && !ids.isOff();
  }

  /** Where a message with the same id is, or null. */
  private IdWindow.Use find(MessageOptions its) {
    return hasId(its) ? ids.find(its.id(), store.clock().nowMs()) : null;
  }

  /**
   * Refuses a message with the id of an earlier message and other content. Joins the two if the
   * content is the same, or is not known. Returns as {@link #join} does.
   */
  private Runnable repeat(IdWindow.Use earlier, Append<T> next) {
    if (!earlier.maybeSameAs(next.options.fingerprint())) {
      return refuse(next, Reason.ID_REUSED);
    }
    counters.duplicates++;
    return join(earlier, next);
  }

  /**
   * Completes a send together with an earlier one of the same id, when the message is as safe as
   * this send asks. Returns what to run without the lock, or null if the completion comes with the
   * commit of the earlier one.
   */
  private Runnable join(IdWindow.Use earlier, Append<T> next) {
    Packet<?> packet = earlier.block().uncommitted();
    if (next.durability == Durability.NONE) {
      if (packet != null) {
        packet.accept(earlier.index());
      }
      return done(next);
    }
    if (packet != null && !packet.isSettled(earlier.index())) {
      Reason fault = store.fault();
      if (fault != null && !blocks()) {
        return refuse(next, fault);
      }
      if (packets.join(packet, earlier.index(), next.durability, next.completion)) {
        return null;
      }
      if (!limits.mayHold(dispatcher, heldBytes + next.bytes())) {
        return refuse(next, Reason.BUFFER_FULL);
      }
      duplicates.add(next);
      heldBytes += next.bytes();
      return null;
    }
    // A settled message is done with, or has moved to another table, which survives the process.
    Durability its = packet == null ? earlier.block().durability() : Durability.PROCESS;
    return next.durability.compareTo(its) <= 0 ? done(next) : () -> flush(next.completion);
  }

  /** Completes a send when everything that was committed is on the device. */
  private void flush(Completion completion) {
    store.sync(
        failure ->
            UserCallbacks.complete(
                completion, failure == null ? null : limits.failure(Reason.STORE_FAILED)));
  }

  /** Adds the messages of blocked senders while there is room; called after every change. */
  void admitBlocked() {
    if (!duplicates.isEmpty()) {
      List<Append<T>> waiting = duplicates;
      duplicates = new ArrayList<>();
      waiting.forEach(next -> heldBytes -= next.bytes());
      waiting.forEach(next -> completeLater(appendAgain(next)));
    }
    while (!blocked.isEmpty()
        && store.fault() == null
        && room(blocked.peek().sizeBytes, blocked.peek().options) == null) {
      Append<T> next = blocked.poll();
      heldBytes -= next.bytes();
      IdWindow.Use earlier = find(next.options);
      if (earlier == null) {
        put(next);
      } else {
        completeLater(repeat(earlier, next));
      }
    }
  }

  /** Completions are not called under the lock. */
  private void completeLater(Runnable then) {
    if (then != null) {
      store.tasks().runAlways(then);
    }
  }

  /** Refuses all senders that wait for room or for an earlier message; returns them. */
  List<Append<T>> refuseBlocked() {
    List<Append<T>> refused = new ArrayList<>(blocked);
    refused.addAll(duplicates);
    blocked.clear();
    heldBytes = 0;
    duplicates.clear();
    counters.rejected += refused.size();
    return refused;
  }
}
