package dev.weir.queue.store;

import dev.weir.queue.DeadLetter;
import dev.weir.queue.DeadLetters;
import dev.weir.queue.Delivery;
import dev.weir.queue.Durability;
import dev.weir.queue.DurableQueue.Admission;
import dev.weir.queue.MessageOptions;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStats;
import dev.weir.queue.Serde;
import dev.weir.queue.je.QueueTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** The users of one simulated queue: senders, a consumer, an operator. */
final class SimQueue {
  private static final int MOST_HELD = 12;

  final String name;
  final SimSettings settings;
  private final SimStore store;
  private final SplittableRandom random;
  private final SimModel model;
  private final List<Delivery<SimMessage>> held = new ArrayList<>();
  private StoredQueue<SimMessage> queue;
  private boolean readable;
  private boolean closing;
  private CompletableFuture<Long> purge;

  SimQueue(String name, SimStore store) {
    this.name = name;
    this.store = store;
    this.random = store.random;
    this.settings = SimSettings.of(random);
    this.model = new SimModel(this, store);
  }

  private final class MessageSerde implements Serde<SimMessage> {
    @Override
    public int sizeBytes(SimMessage message) {
      return message.sizeBytes;
    }

    @Override
    public void write(SimMessage message, ByteBuffer out) {
      out.putInt(message.number).put(new byte[message.sizeBytes - Integer.BYTES]);
    }

    @Override
    public SimMessage read(ByteBuffer in) {
      return model.messages.get(in.getInt());
    }
  }

  // ---- lives

  void open() {
    StoreEngine engine = store.engine();
    model.opening(QueueTables.isOpen(store.files(), name));
    queue =
        (StoredQueue<SimMessage>)
            engine.queue(
                name,
                new MessageSerde(),
                new QueueOptions(settings.options()),
                (attachment, reason) -> {
                  if (isNow(engine)) {
                    model.lost((SimMessage) attachment, reason);
                  }
                });
    held.clear();
    closing = false;
    purge = null;
    readable = true;
    queue.onReadable(() -> readable = true);
    model.opened();
  }

  private boolean isNow(StoreEngine engine) {
    return !store.isDead() && store.engine() == engine;
  }

  void beginClose() {
    closing = true;
    mayBeCounted();
    model.closing();
    queue.beginClose();
  }

  boolean isEnded() {
    return queue.isEnded();
  }

  void closed(boolean orderly) {
    // While a purge runs nothing moves to other tables, and the close does not wait for its end.
    boolean isPurging = purge != null && purge.isCompletedExceptionally();
    if (orderly && !isPurging) {
      model.committed();
    }
    model.restart(false, orderly && !isPurging);
  }

  void restart(boolean power) {
    mayBeCounted();
    model.crashed(power);
    model.restart(power, false);
  }

  /** The disk may count a delivery that does not begin, if the process is killed soon. */
  private void mayBeCounted() {
    Delivery<SimMessage> counting = queue.counting();
    if (counting != null) {
      counting.message().mayBeCounted++;
    }
  }

  // ---- what users do

  /** Does something that does not wait. */
  void act() {
    int dice = random.nextInt(100);
    if (dice < 40) {
      append();
    } else if (dice < 68) {
      poll();
    } else if (dice < 97) {
      if (!held.isEmpty() && !queue.isEnded()) {
        end(held.remove(random.nextInt(held.size())));
      }
    } else if (dice < 98) {
      if (!closing && !store.isBlocking()) {
        purge();
      }
    } else if (!closing) {
      release();
    }
  }

  private void append() {
    boolean isOffer = random.nextInt(100) < settings.offering();
    boolean keep = !isOffer || random.nextBoolean();
    Durability durability = isOffer ? Durability.NONE : Durability.values()[random.nextInt(3)];
    int size = Integer.BYTES + random.nextInt(settings.largestBytes());
    String key =
        settings.keys() == 0 || random.nextInt(4) == 0
            ? null
            : "k" + random.nextInt(settings.keys());
    String id =
        settings.ids() == 0 || isOffer || random.nextInt(3) == 0
            ? null
            : "i" + random.nextInt(settings.ids());
    SimMessage message = new SimMessage(model.messages.size(), size, key, id, durability, !keep);
    long nowMs = store.nowMs();
    if (random.nextInt(100) < settings.delaying()) {
      message.notBeforeMs = nowMs + 1 + random.nextInt(300);
      message.takesNoPlace = true;
    }
    if (random.nextInt(100) < settings.expiring() && !message.isTransient) {
      message.expiresAtMs = nowMs + random.nextInt(400);
    }
    MessageOptions options = new MessageOptions(id, key, message.notBeforeMs, message.expiresAtMs);
    long ttlMs = settings.options().getTtlMs();
    if (ttlMs > 0 && (message.expiresAtMs == 0 || message.expiresAtMs > nowMs + ttlMs)) {
      message.expiresAtMs = nowMs + ttlMs;
    }
    message.mayBeEarly = model.isReleasing();
    model.messages.add(message);
    store.trace(() -> name + " append " + message);
    message.inCall = true;
    if (isOffer) {
      Admission admission = queue.offer(message, options, message, keep);
      store.trace(() -> name + " offered " + message.number + ": " + admission);
      model.completed(
          message, admission == Admission.ACCEPTED ? null : Reason.valueOf(admission.name()));
    } else {
      StoreEngine engine = store.engine();
      long before = id == null ? 0 : queue.stats().duplicates();
      queue.append(message, options, durability, failure -> completed(engine, message, failure));
      if (id != null) {
        model.appendedWithId(message, queue.stats().duplicates() > before);
      }
    }
    message.inCall = false;
    model.appended(message, queue.stats());
  }

  private void completed(StoreEngine engine, SimMessage message, QueueException failure) {
    if (isNow(engine)) {
      store.trace(
          () ->
              name
                  + " completed "
                  + message.number
                  + ": "
                  + (failure == null ? "ok" : failure.reason()));
      model.completed(message, failure == null ? null : failure.reason());
    }
  }

  private boolean poll() {
    if (held.size() >= MOST_HELD) {
      return false;
    }
    Delivery<SimMessage> delivery = queue.poll();
    if (delivery == null) {
      return false;
    }
    store.trace(() -> name + " delivered " + delivery.message());
    model.delivered(delivery);
    held.add(delivery);
    return true;
  }

  private void end(Delivery<SimMessage> delivery) {
    SimMessage message = delivery.message();
    int dice = random.nextInt(100);
    if (dice < settings.failing()) {
      store.trace(() -> name + " fail " + message);
      model.failing(message, true);
      queue.fail(delivery, "failed");
    } else if (dice < settings.failing() + settings.rejecting()) {
      store.trace(() -> name + " reject " + message);
      model.failing(message, false);
      queue.reject(delivery, "rejected");
    } else if (dice < settings.failing() + settings.rejecting() + settings.releasing()) {
      store.trace(() -> name + " release " + message);
      model.released(message);
      queue.release(delivery);
    } else {
      acknowledge(delivery);
    }
  }

  private void acknowledge(Delivery<SimMessage> delivery) {
    store.trace(() -> name + " acknowledge " + delivery.message());
    model.acknowledged(delivery.message());
    queue.acknowledge(delivery);
  }

  private void purge() {
    if (purge != null && !purge.isDone()) {
      return;
    }
    store.trace(() -> name + " purge");
    mayBeCounted();
    List<SimMessage> purged = model.purging();
    StoreEngine engine = store.engine();
    purge = queue.purge();
    purge.whenComplete(
        (count, failure) -> {
          if (isNow(engine)) {
            store.trace(() -> name + " purged " + count + " " + failure);
            model.purged(purged, failure == null);
          }
        });
  }

  private void release() {
    store.trace(() -> name + " release scheduled");
    model.releasing();
    StoreEngine engine = store.engine();
    queue
        .releaseScheduled()
        .whenComplete(
            (count, failure) -> {
              if (isNow(engine)) {
                model.released();
              }
            });
  }

  // ---- what an operator does, and waits for

  void operate() {
    if (closing || purge != null && !purge.isDone()) {
      return;
    }
    StoreEngine engine = store.engine();
    SimMessage requeuing = null;
    Set<SimMessage> dead = model.dead();
    try {
      List<DeadLetter<SimMessage>> letters =
          store.call(() -> queue.deadLetters().list(0, DeadLetters.MAX_LIST));
      if (!isNow(engine)) {
        return;
      }
      store.trace(
          () -> name + " dead letters " + letters.stream().map(DeadLetter::message).toList());
      model.listed(letters, dead);
      if (letters.isEmpty() || random.nextInt(3) == 0) {
        return;
      }
      if (random.nextInt(3) == 0) {
        DeadLetter<SimMessage> letter = letters.get(random.nextInt(letters.size()));
        store.trace(() -> name + " remove dead " + letter.message());
        letter.message().may(SimMessage.ENDED);
        boolean removed = store.call(() -> queue.deadLetters().purge(letter.number()));
        if (isNow(engine)) {
          model.removed(letter.message(), removed);
        }
      } else {
        DeadLetter<SimMessage> letter = letters.get(random.nextInt(letters.size()));
        store.trace(() -> name + " requeue " + letter.message());
        requeuing = letter.message();
        model.requeuing(requeuing);
        boolean requeued = store.call(() -> queue.deadLetters().requeue(letter.number()));
        store.trace(() -> name + " requeued: " + requeued);
        if (isNow(engine)) {
          model.requeued(letter.message(), requeued);
        }
      }
    } catch (QueueException e) {
      store.trace(() -> name + " operator: " + e);
      if (requeuing != null && isNow(engine)) {
        model.requeueFailed(requeuing);
      }
    }
  }

  // ---- rest

  /** Checks the figures; called when nobody is in the middle of something. */
  void checkFigures() {
    model.checkFigures(queue.stats());
    try {
      queue.check();
    } catch (IllegalStateException e) {
      throw store.broken(name + ": " + e.getMessage());
    }
  }

  /** Called when all that was to be written is written. */
  void committed() {
    if (queue.isEnded()) {
      return;
    }
    model.committed();
  }

  /** The consumer takes and acknowledges what it can; false if there was nothing. */
  boolean consume() {
    boolean done = !held.isEmpty();
    while (!held.isEmpty()) {
      acknowledge(held.remove(held.size() - 1));
    }
    while (readable) {
      readable = poll();
      done |= readable;
      if (readable) {
        acknowledge(held.remove(held.size() - 1));
      }
    }
    return done;
  }

  void wantAll() {
    readable = true;
  }

  /** True if no message is left that can be delivered in this life. */
  boolean isDrained() {
    QueueStats stats = queue.stats();
    return model.isHeldByReleased()
        || stats.waiting() + stats.scheduled() + stats.unacknowledged() == 0 && !model.hasPending();
  }

  boolean isHeldByReleased() {
    return model.isHeldByReleased();
  }

  String figures() {
    return queue.stats().toString();
  }

  void drained() {
    model.drained();
    Set<SimMessage> dead = model.dead();
    List<DeadLetter<SimMessage>> letters =
        store.call(() -> queue.deadLetters().list(0, DeadLetters.MAX_LIST));
    model.listed(letters, dead);
    model.checkDrained(queue.stats());
  }

  /** Nothing is left on disk. */
  void empty() {
    store.call(() -> queue.deadLetters().purgeAll());
  }

  /**
   * A queue that drops what is over its budget is not over it when everything is at rest. While a
   * key is out, or kept for the next opening, what has been taken from the disk and waits for that
   * key cannot be dropped: at most what an append may leave to be dropped later.
   */
  void checkBudget() {
    QueueStats stats = queue.stats();
    boolean mayHold = stats.unacknowledged() > 0 || model.isHeldByReleased();
    long held = mayHold ? 3 * settings.options().getWriteBufferBytes() : 0;
    if (dropsOldest() && stats.bytes() > settings.options().getMaxBytes() + held) {
      throw store.broken(name + " stays over its budget: " + stats);
    }
  }

  boolean dropsOldest() {
    return settings.options().getPolicy() == OverflowPolicy.DROP_OLDEST;
  }

  long handled() {
    return model.handled;
  }
}
