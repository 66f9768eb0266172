package dev.weir.queue;

import dev.weir.queue.ModelMessage.Gone;
import dev.weir.queue.ModelMessage.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What a queue may hold, from what a process said before it was killed. Of each message it knows
 * which of three it may be on disk: alive, a dead letter, gone. What is seen narrows that; nothing
 * must be left with none of them.
 */
final class ModelQueue {
  private record Purge(List<ModelMessage> messages, long least) {}

  private final CrashQueue queue;
  private final Consumer<String> wrong;
  private final TreeMap<Long, ModelMessage> messages = new TreeMap<>();

  /** By lane, in order: what comes before the next message of the lane. */
  private final Map<String, NavigableSet<Long>> places = new HashMap<>();

  /** By lane: the message that is out. */
  private final Map<String, ModelMessage> out = new HashMap<>();

  private final Set<ModelMessage> dying = new HashSet<>();
  private final ModelCommits commits = new ModelCommits();
  private Purge purge;
  private int purges;

  ModelQueue(CrashQueue queue, Consumer<String> wrong) {
    this.queue = queue;
    this.wrong = wrong;
  }

  ModelQueue(ModelQueue other, Consumer<String> wrong, long activeMs) {
    this(other.queue, wrong);
    Map<ModelMessage, ModelMessage> copies = new HashMap<>();
    other.messages.forEach(
        (number, message) -> {
          ModelMessage copy = new ModelMessage(message);
          messages.put(number, copy);
          copies.put(message, copy);
        });
    commits.copy(other.commits, copies);
    restart(activeMs);
  }

  ModelMessage find(long number) {
    ModelMessage message = messages.get(number);
    if (message == null) {
      wrong.accept(queue + ": " + number + " is unknown or gone");
      return new ModelMessage(number, "", 0, true);
    }
    return message;
  }

  private void narrowed(ModelMessage message, String by) {
    if (message.isImpossible()) {
      wrong.accept(queue + ": " + message + " is lost or overtaken: " + by);
    }
  }

  // ---- appending

  void append(long number, String key, long idOf, boolean delayed) {
    ModelMessage message = new ModelMessage(number, key, idOf, delayed);
    messages.put(number, message);
    message.deliveries = 0;
    message.failures = 0;
    if (idOf != 0 && idOf != number) {
      message.mayBeAlive = false;
      message.gone.add(Gone.DUPLICATE);
      message.state = State.ACKNOWLEDGED;
      return;
    }
    message.gone.add(Gone.NOT_WRITTEN);
    commits.appending(number, purges, purge != null);
    takePlace(message);
  }

  void appended(long number) {
    ModelMessage message = find(number);
    if (message.gone.contains(Gone.DUPLICATE)) {
      ModelMessage first = find(message.idOf);
      first.gone.remove(Gone.NOT_WRITTEN);
      narrowed(first, "an append with its id completed");
      return;
    }
    message.gone.remove(Gone.NOT_WRITTEN);
    narrowed(message, "its append completed");
    commits.appended(number, purges);
  }

  // ---- order

  private String lane(ModelMessage message) {
    return queue.lane(message.key);
  }

  private void takePlace(ModelMessage message) {
    // Without a lane, what failed before may have left its place.
    boolean left = lane(message).isEmpty() && message.mostFailures > 0;
    if (!message.takesNoPlace && !left) {
      places.computeIfAbsent(lane(message), lane -> new TreeSet<>()).add(message.number);
    }
  }

  private void leavePlace(ModelMessage message) {
    NavigableSet<Long> lane = places.get(lane(message));
    if (lane != null) {
      lane.remove(message.number);
    }
  }

  /** Whatever is before it cannot be in the queue. */
  private void checkPlace(ModelMessage message) {
    NavigableSet<Long> lane = places.get(lane(message));
    if (lane == null || !lane.contains(message.number)) {
      return;
    }
    NavigableSet<Long> before = lane.headSet(message.number, false);
    for (long number : before) {
      ModelMessage overtaken = find(number);
      overtaken.mayBeAlive = false;
      narrowed(overtaken, message.number + " came");
    }
    before.clear();
  }

  // ---- delivering

  void delivered(long number, String key, long sequence, int deliveries, int failures) {
    ModelMessage message = find(number);
    String what = queue + ": " + message + " came";
    check(message.key.equals(key), what + " with key " + key + " instead of " + message.key);
    check(message.mayBeAlive && message.state == State.WAITING, what);
    check(message.sequence < 0 || message.sequence == sequence, what + " as another");
    message.sequence = sequence;
    checkSequence(message);
    String lane = lane(message);
    if (!lane.isEmpty()) {
      ModelMessage other = out.put(lane, message);
      check(other == null, what + " while " + other + " was out");
      for (ModelMessage dead : List.copyOf(dying)) {
        if (lane(dead).equals(lane)) {
          // A dead letter keeps its lane closed until it is committed.
          dead.mayBeAlive = false;
          dead.state = State.DEAD;
          dying.remove(dead);
        }
      }
    }
    checkPlace(message);
    if (lane.isEmpty()) {
      leavePlace(message);
    }
    if (message.knowsDeliveries()) {
      check(
          deliveries == message.deliveries + 1 && failures == message.failures,
          what + ", deliveries " + deliveries + ", failures " + failures);
    }
    check(failures <= message.mostFailures, what + ", failures " + failures);
    message.deliveries = deliveries;
    message.failures = failures;
    message.isAlive();
    message.state = State.OUT;
  }

  private void checkSequence(ModelMessage message) {
    var before = messages.lowerEntry(message.number);
    var after = messages.higherEntry(message.number);
    check(
        (before == null || before.getValue().sequence < message.sequence)
            && (after == null
                || after.getValue().sequence < 0
                || after.getValue().sequence > message.sequence),
        queue + ": " + message + " has sequence " + message.sequence);
  }

  private void check(boolean right, String what) {
    if (!right) {
      wrong.accept(what);
    }
  }

  private ModelMessage end(long number) {
    ModelMessage message = find(number);
    check(message.state == State.OUT, queue + ": " + message + " ended");
    out.remove(lane(message));
    return message;
  }

  void acknowledging(long number) {
    ModelMessage message = end(number);
    message.state = State.ACKNOWLEDGED;
    message.gone.add(Gone.ACKNOWLEDGED);
    leavePlace(message);
  }

  void acknowledged(long number, long ms) {
    commits.acknowledged(find(number), ms);
  }

  void failing(long number, boolean mayRetry) {
    ModelMessage message = end(number);
    message.failures++;
    message.mostFailures++;
    if (mayRetry && message.failures < queue.maxAttempts) {
      message.state = State.WAITING;
    } else {
      message.state = State.DYING;
      message.ends++;
      message.mayBeDead = true;
      dying.add(message);
      leavePlace(message);
    }
  }

  void failed(long number, long ms) {
    ModelMessage message = find(number);
    if (message.state == State.DYING) {
      commits.died(message, ms);
    }
  }

  // ---- purging

  void purging() {
    check(purge == null, queue + " is being purged");
    List<ModelMessage> waiting = new ArrayList<>();
    long least = 0;
    for (ModelMessage message : messages.values()) {
      if (message.state == State.WAITING) {
        least += message.isSurelyHeld() ? 1 : 0;
        message.gone.add(Gone.PURGED);
        message.state = State.PURGED;
        leavePlace(message);
        waiting.add(message);
      }
    }
    purge = new Purge(waiting, least);
    purges++;
  }

  void purged(long count) {
    check(
        purge.least <= count && count <= purge.messages.size(),
        queue + ": purged " + count + " of " + purge.least + " to " + purge.messages.size());
    for (ModelMessage message : purge.messages) {
      message.mayBeAlive &= message.state != State.PURGED;
    }
    purge = null;
  }

  // ---- dead letters

  void listed(List<Long> numbers) {
    for (long number : numbers) {
      ModelMessage message = find(number);
      check(message.mayBeDead, queue + ": " + message + " is dead");
      message.isDead();
      dying.remove(message);
    }
    Set<Long> listed = new HashSet<>(numbers);
    check(listed.size() == numbers.size(), queue + ": dead letters are doubled: " + numbers);
    for (ModelMessage message : messages.values()) {
      if (message.mayBeDead && message.state != State.DYING && !listed.contains(message.number)) {
        message.mayBeDead = false;
        narrowed(message, "it is not among the dead letters");
      }
    }
  }

  /**
   * @param number 0 for all
   */
  void requeuing(long number) {
    for (ModelMessage message : dead(number)) {
      message.mayBeAlive = true;
      // That its death is committed says nothing any more.
      message.ends++;
      message.takesNoPlace = true;
      leavePlace(message);
    }
  }

  void requeued(long number, long count) {
    long sure = 0;
    List<ModelMessage> dead = dead(number);
    for (ModelMessage message : dead) {
      if (message.state == State.DEAD && message.gone.isEmpty()) {
        sure++;
        message.isRequeued();
        message.isAlive();
      } else {
        dying.remove(message);
        message.state = State.WAITING;
        message.deliveriesUnknown();
      }
    }
    check(
        sure <= count && count <= dead.size(),
        queue + ": requeued " + count + " of " + sure + " to " + dead.size());
  }

  void removing(long number) {
    dead(number).forEach(message -> message.gone.add(Gone.PURGED));
  }

  void removed(long number, long count) {
    List<ModelMessage> dead = dead(number);
    long sure = 0;
    for (ModelMessage message : dead) {
      if (message.state == State.DEAD && !message.mayBeAlive) {
        sure++;
        message.mayBeDead = false;
      }
    }
    check(
        sure <= count && count <= dead.size(),
        queue + ": removed " + count + " of " + sure + " to " + dead.size());
  }

  private List<ModelMessage> dead(long number) {
    return messages.values().stream()
        .filter(message -> message.mayBeDead && (number == 0 || message.number == number))
        .toList();
  }

  // ---- ends of a process

  /** The queue was closed in order. */
  void closed() {
    commits.closed(purge != null);
  }

  /**
   * The process is gone.
   *
   * @param activeMs how long it had worked
   */
  void restart(long activeMs) {
    commits.restart(activeMs);
    purge = null;
    purges = 0;
    out.clear();
    dying.clear();
    places.clear();
    messages.values().removeIf(message -> !message.mayBeAlive && !message.mayBeDead);
    for (ModelMessage message : messages.values()) {
      message.restart();
      if (message.state == State.WAITING) {
        takePlace(message);
      }
    }
  }

  /** All that can come has come. */
  void drained() {
    for (ModelMessage message : messages.values()) {
      if (message.state == State.WAITING) {
        message.mayBeAlive = false;
        narrowed(message, "it never came");
      }
    }
  }
}
