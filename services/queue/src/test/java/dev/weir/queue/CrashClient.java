package dev.weir.queue;

import dev.weir.testing.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What {@link CrashModelChild} does to one queue; one thread. */
final class CrashClient {
  private static final int KEYS = 6;
  private static final int MOST_HELD = 20;
  private static final int LONGEST_DELAY_MS = 60;

  private final CrashModelChild child;
  private final CrashQueue name;
  private final Random random;
  private final DurableQueue<byte[]> queue;
  private final List<Delivery<byte[]>> held = new ArrayList<>();

  /** Messages whose ids the queue knows for sure. */
  private final List<Long> ids = new ArrayList<>();

  private volatile boolean purging;

  CrashClient(CrashModelChild child, QueueStore store, CrashQueue name) {
    this.child = child;
    this.name = name;
    this.random = child.random();
    this.queue = store.queue(name.name(), Serde.BYTES, name.options(), (attachment, reason) -> {});
    queue.onReadable(child::readable);
  }

  long waiting() {
    QueueStats stats = queue.stats();
    return stats.waiting() + stats.scheduled();
  }

  QueueStats stats() {
    return queue.stats();
  }

  // ---- appending

  void append() {
    long number = child.nextNumber();
    String key =
        name.order != DeliveryOrder.KEY || random.nextInt(8) == 0
            ? CrashQueue.NO_KEY
            : "k" + random.nextInt(KEYS);
    boolean delayed = random.nextInt(20) == 0;
    long idOf = name.dedupMaxIds == 0 || random.nextInt(3) == 0 ? 0 : idOf(number);
    MessageOptions options =
        new MessageOptions(
            idOf == 0 ? null : "id" + idOf,
            key.equals(CrashQueue.NO_KEY) ? null : key,
            delayed ? System.currentTimeMillis() + random.nextInt(LONGEST_DELAY_MS) : 0,
            0);
    byte[] message = CrashChild.message(number, random);
    child.say('a', name, number, key, idOf, delayed ? 1 : 0);
    queue.append(message, options, child.durability(), failure -> appended(number, failure));
  }

  /** Sometimes of a message that has been. */
  private long idOf(long number) {
    if (!ids.isEmpty() && random.nextInt(10) == 0) {
      return ids.get(
          ids.size() - 1 - random.nextInt(Math.min(CrashQueue.REPEATED_IDS, ids.size())));
    }
    ids.add(number);
    return number;
  }

  private void appended(long number, QueueException failure) {
    if (failure == null) {
      child.say('A', name, number, 0);
    } else if (failure.reason() != QueueException.Reason.CLOSED) {
      child.say("X append " + failure.getMessage());
    }
    child.inFlight().release();
  }

  // ---- consuming

  /** False if there was nothing to do. */
  boolean pollOrEnd() {
    boolean full = held.size() >= MOST_HELD;
    Delivery<byte[]> next = full ? null : poll();
    if (next != null) {
      held.add(next);
    }
    boolean ends = !held.isEmpty() && (next == null || random.nextBoolean());
    if (ends) {
      end(held.remove(random.nextInt(held.size())));
    }
    return ends || next != null;
  }

  private Delivery<byte[]> poll() {
    Delivery<byte[]> next = queue.poll();
    if (next != null) {
      MessageOptions its = next.messageOptions();
      child.say(
          'D',
          name,
          CrashChild.number(next.message()),
          its.key() == null ? CrashQueue.NO_KEY : its.key(),
          next.sequence(),
          next.deliveryCount(),
          next.failures());
    }
    return next;
  }

  private void end(Delivery<byte[]> delivery) {
    long number = CrashChild.number(delivery.message());
    int how = random.nextInt(20);
    if (how < 16) {
      acknowledge(delivery, number);
    } else if (how < 19) {
      child.say('f', name, number, 0);
      queue.fail(delivery, "failed " + number);
      child.say('F', name, number, 0);
    } else {
      child.say('j', name, number, 0);
      queue.reject(delivery, "rejected " + number);
      child.say('J', name, number, 0);
    }
  }

  private void acknowledge(Delivery<byte[]> delivery, long number) {
    child.say('k', name, number, 0);
    queue.acknowledge(delivery);
    child.say('K', name, number, 0);
  }

  /** Acknowledges all there is, and lists what is dead. */
  void drain() {
    while (waiting() > 0) {
      Await.until("a message of " + name + ": " + stats(), () -> poll(held));
      Delivery<byte[]> next = held.remove(0);
      acknowledge(next, CrashChild.number(next.message()));
    }
    list();
  }

  private boolean poll(List<Delivery<byte[]>> into) {
    Delivery<byte[]> next = poll();
    return next != null && into.add(next);
  }

  // ---- purging, and dead letters

  /** Goes on meanwhile. */
  void purge() {
    if (purging) {
      return;
    }
    purging = true;
    child.say('p', name);
    queue
        .purge()
        .whenComplete(
            (count, failure) -> {
              if (failure == null) {
                child.say('P', name, count, 0);
              }
              purging = false;
            });
  }

  private List<DeadLetter<byte[]>> list() {
    List<DeadLetter<byte[]>> all = new ArrayList<>();
    List<DeadLetter<byte[]>> part;
    do {
      long from = all.isEmpty() ? 0 : all.get(all.size() - 1).number() + 1;
      part = queue.deadLetters().list(from, 100);
      all.addAll(part);
    } while (part.size() == 100);
    child.say('L', name, all.stream().map(its -> CrashChild.number(its.message())).toArray());
    return all;
  }

  void requeueOne() {
    List<DeadLetter<byte[]>> all = list();
    if (!all.isEmpty()) {
      DeadLetter<byte[]> letter = all.get(random.nextInt(all.size()));
      long number = CrashChild.number(letter.message());
      child.say('r', name, number, 0);
      child.say('R', name, number, queue.deadLetters().requeue(letter.number()) ? 1 : 0);
    }
  }

  void requeueAll() {
    list();
    child.say('r', name, 0, 0);
    child.say('R', name, 0, queue.deadLetters().requeueAll());
  }

  void removeOne() {
    List<DeadLetter<byte[]>> all = list();
    if (!all.isEmpty()) {
      DeadLetter<byte[]> letter = all.get(random.nextInt(all.size()));
      long number = CrashChild.number(letter.message());
      child.say('u', name, number, 0);
      child.say('U', name, number, queue.deadLetters().purge(letter.number()) ? 1 : 0);
    }
  }

  void removeAll() {
    list();
    child.say('u', name, 0, 0);
    child.say('U', name, 0, queue.deadLetters().purgeAll());
  }
}
