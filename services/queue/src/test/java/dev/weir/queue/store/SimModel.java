package dev.weir.queue.store;

import static dev.weir.queue.store.SimMessage.ALIVE;
import static dev.weir.queue.store.SimMessage.DEAD;
import static dev.weir.queue.store.SimMessage.ENDED;
import static dev.weir.queue.store.SimMessage.UNWRITTEN;

import dev.weir.queue.DeadLetter;
import dev.weir.queue.Delivery;
import dev.weir.queue.DeliveryOrder;
import dev.weir.queue.Durability;
import dev.weir.queue.OverflowPolicy;
import dev.weir.queue.QueueException.Reason;
import dev.weir.queue.QueueOptions;
import dev.weir.queue.QueueStats;
import dev.weir.queue.store.SimMessage.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a queue promises, kept by its users: judges all that they see. */
final class SimModel {
  final List<SimMessage> messages = new ArrayList<>();

  /** Messages whose append was called, in this life. */
  private int firstOfLife;

  private final SimQueue of;
  private final SimStore store;
  private final QueueOptions options;

  /** By key, or "" for the whole queue: the message that others wait for. */
  private final Map<String, SimMessage> out = new HashMap<>();

  /** By number of a dead letter: the sequence of its message. */
  private final Map<Long, Long> numbered = new HashMap<>();

  private boolean closing;

  /** The life before ended by a kill or a loss of power. */
  private boolean afterCrash;

  private boolean crashing;

  /** Calls that release what waits for a time, and that are not done. */
  private int releases;

  long handled;

  // Figures of this life.
  private long delivered;
  private long acknowledged;
  private long retried;
  private long buried;
  private long released;
  private long transientsEnded;
  private long requeued;

  SimModel(SimQueue of, SimStore store) {
    this.of = of;
    this.store = store;
    this.options = of.settings.options();
  }

  private void require(boolean promise, SimMessage message, String what) {
    if (!promise) {
      throw store.broken(of.name + ": " + message + " " + what);
    }
  }

  private void narrow(SimMessage message, int killed, int powerLost, String because) {
    message.ifKilled &= killed;
    message.ifPowerLost &= powerLost;
    require(
        message.ifKilled != 0 && message.ifPowerLost != 0, message, "is impossible: " + because);
  }

  /** The clock of a store and ours differ by less than a millisecond. */
  private boolean mayBeExpired(SimMessage message) {
    return message.isExpired(store.nowMs() + 1);
  }

  // ---- appends

  void appendedWithId(SimMessage message, boolean isDuplicate) {
    SimMessage earlier = null;
    SimMessage sure = null;
    int candidates = 0;
    for (SimMessage other : messages) {
      if (other != message && message.id.equals(other.id) && other.original == null) {
        boolean maybe = other.state != State.REFUSED && other.ifKilled != UNWRITTEN;
        boolean known =
            !other.recovered
                || (other.ifKilled & UNWRITTEN) == 0 && other.durability != Durability.NONE;
        earlier = maybe ? other : earlier;
        candidates += maybe ? 1 : 0;
        sure = maybe && known && other.state != State.ABSENT ? other : sure;
      }
    }
    if (isDuplicate) {
      require(earlier != null, message, "is taken for a duplicate of a message that is not there");
      message.original = earlier;
      message.mayBeOfAnother = candidates > 1 && earlier.recovered;
      message.takesNoPlace = true;
      if (earlier.recovered && candidates == 1) {
        narrow(earlier, ~UNWRITTEN, ~UNWRITTEN, "its id is known");
      }
      if (message.completed) {
        completedAsDuplicate(message);
      }
    } else if (!closing) {
      require(
          sure == null || sure.mayBeGone || isPending(sure),
          message,
          "was added although its id is known: " + sure);
      if (earlier != null) {
        message.takesNoPlace = true;
        message.mayBeDuplicate = !message.completed;
        message.mayBeGone |= !message.completed;
      }
    }
  }

  private boolean isPending(SimMessage message) {
    return !message.completed;
  }

  void appended(SimMessage message, QueueStats stats) {
    if (!message.completed || !message.accepted || message.original != null) {
      return;
    }
    long most = options.getMaxBytes();
    if (options.getPolicy() == OverflowPolicy.DROP_OLDEST) {
      most += 3 * options.getWriteBufferBytes();
    }
    require(stats.bytes() <= most, message, "was added over the budget: " + stats);
  }

  /**
   * @param failure null for none
   */
  void completed(SimMessage message, Reason failure) {
    require(!message.completed, message, "is completed twice");
    message.completed = true;
    if (failure != null) {
      refused(message, failure);
      return;
    }
    message.accepted = true;
    if (options.getPolicy() == OverflowPolicy.DROP_OLDEST) {
      message.may(ENDED);
    }
    if (message.original != null) {
      completedAsDuplicate(message);
    } else if (!message.inCall || message.id == null) {
      accepted(message, message.durability);
    }
  }

  private void accepted(SimMessage message, Durability durability) {
    if (message.mayBeDuplicate) {
      return;
    }
    require(message.state != State.ABSENT, message, "is accepted, and a later one came before it");
    narrow(
        message,
        durability == Durability.NONE ? -1 : ~UNWRITTEN,
        durability == Durability.MACHINE ? ~UNWRITTEN : -1,
        "its append completed");
  }

  private void completedAsDuplicate(SimMessage message) {
    if (!message.accepted) {
      return;
    }
    if (message.original.state == State.REFUSED) {
      message.original = null;
      accepted(message, message.durability);
      return;
    }
    message.state = State.DUPLICATE;
    message.is(UNWRITTEN);
    if (message.durability != Durability.NONE
        && message.original.state != State.ABSENT
        && !message.mayBeOfAnother) {
      accepted(message.original, message.durability);
    }
  }

  private void refused(SimMessage message, Reason reason) {
    require(
        message.state == State.WAITING
            || message.state == State.PURGED
            || message.state == State.ABSENT,
        message,
        "is refused: " + reason);
    if (message.inCall) {
      message.state = State.REFUSED;
      message.is(UNWRITTEN);
      return;
    }
    message.may(UNWRITTEN);
    if (hasAcceptedDuplicate(message)) {
      // It stays for the other sender, who did not ask for durability.
      message.durability = Durability.NONE;
      message.accepted = true;
    } else {
      message.state = State.REFUSED;
    }
  }

  private boolean hasAcceptedDuplicate(SimMessage message) {
    return messages.stream()
        .anyMatch(other -> other.original == message && other.state == State.DUPLICATE);
  }

  void lost(SimMessage message, Reason reason) {
    store.trace(() -> of.name + " lost " + message + ": " + reason);
    switch (reason) {
      case CLOSED -> {}
      case DROPPED, PURGED -> {
        message.may(ENDED);
        if (message.state == State.WAITING || message.state == State.RETRY) {
          free(message);
          message.state = State.PURGED;
        }
      }
      case EXPIRED -> {
        require(mayBeExpired(message), message, "expired before its time");
        message.may(ENDED | DEAD);
        free(message);
        message.state = State.PURGED;
      }
      case STORE_FAILED -> {
        require(message.durability == Durability.NONE, message, "is lost");
        message.may(UNWRITTEN);
        message.state = State.PURGED;
      }
      default -> require(false, message, "is lost: " + reason);
    }
  }

  // ---- order

  /** What a message waits in, null for nothing. */
  private String lane(SimMessage message) {
    return switch (options.getOrder()) {
      case NONE -> null;
      case QUEUE -> "";
      case KEY -> message.key;
    };
  }

  private void free(SimMessage message) {
    String lane = lane(message);
    if (lane != null && out.get(lane) == message) {
      out.remove(lane);
    }
  }

  /** True if a message is in the queue for sure, and was not delivered yet. */
  private boolean surelyWaits(SimMessage message, long nowMs) {
    return message.state == State.WAITING
        && !message.mayBeGone
        && message.original == null
        && (message.durability != Durability.NONE || !store.hasFailed())
        && (message.recovered ? message.ifKilled == ALIVE : message.accepted)
        && !mayBeExpired(message)
        && options.getPolicy() != OverflowPolicy.DROP_OLDEST;
  }

  private void checkPlace(SimMessage message, long nowMs) {
    String lane = lane(message);
    for (int i = message.number - 1; i >= 0; i--) {
      SimMessage before = messages.get(i);
      if (before.state != State.WAITING || before.takesNoPlace) {
        continue;
      }
      String other = lane(before);
      if (lane == null ? other == null : lane.equals(other)) {
        require(!surelyWaits(before, nowMs), message, "came before " + before);
        if (before.original == null && !mayBeExpired(before)) {
          before.state = State.ABSENT;
        }
      }
    }
  }

  // ---- deliveries

  void delivered(Delivery<SimMessage> delivery) {
    SimMessage message = delivery.message();
    long nowMs = store.nowMs();
    if (message.original != null && message.original.state == State.REFUSED) {
      message.original = null;
    }
    require(message.original == null, message, "came, a duplicate of " + message.original);
    require(message.state == State.WAITING || message.state == State.RETRY, message, "came");
    require((message.ifKilled & ALIVE) != 0, message, "came");
    // The clock of a store may be a part of a millisecond behind.
    require(
        !message.isExpired(nowMs - 1) || message.wasRequeued,
        message,
        "came after its expiry, at " + nowMs);
    require(
        message.mayBeEarly || nowMs + 1 >= Math.max(message.notBeforeMs, message.retryMs),
        message,
        "came before its time, at " + nowMs);
    require(
        message.sequence < 0 || message.sequence == delivery.sequence(),
        message,
        "has sequence " + delivery.sequence());
    require(
        String.valueOf(message.key).equals(String.valueOf(delivery.messageOptions().key())),
        message,
        "has key " + delivery.messageOptions().key());
    checkCounts(message, delivery);
    String lane = lane(message);
    if (lane != null) {
      checkAlone(message, out.put(lane, message), nowMs);
    }
    if (message.state == State.WAITING && !message.takesNoPlace) {
      checkPlace(message, nowMs);
    }
    if (message.recovered && !message.mayBeGone) {
      narrow(message, ~(UNWRITTEN | ENDED), ~(UNWRITTEN | ENDED), "it came");
    }
    message.sequence = delivery.sequence();
    message.countsKnown = true;
    message.deliveries = delivery.deliveryCount();
    message.mayBeCounted = 0;
    if (afterCrash && message.recovered) {
      message.counted = message.deliveries;
    }
    message.failures = delivery.failures();
    message.state = State.OUT;
    delivered++;
    handled++;
  }

  private void checkAlone(SimMessage message, SimMessage other, long nowMs) {
    if (other == null || other == message || mayBeExpired(other) && other.state == State.RETRY) {
      return;
    }
    if (other.state == State.DYING) {
      // A dead letter keeps its key blocked until it is committed.
      narrow(other, ~ALIVE, -1, "the next of its key came");
      other.state = State.DEAD;
      return;
    }
    boolean blocks =
        other.state == State.OUT || other.state == State.RETRY || other.state == State.RELEASED;
    boolean mayHaveLeft =
        other.state == State.RETRY
            && (other.mayBeGone || options.getPolicy() == OverflowPolicy.DROP_OLDEST);
    require(!blocks || mayHaveLeft, message, "came while " + other + " blocks its key");
  }

  private void checkCounts(SimMessage message, Delivery<SimMessage> delivery) {
    int deliveries = delivery.deliveryCount();
    int failures = delivery.failures();
    boolean right =
        message.countsKnown
            ? deliveries == message.deliveries + 1 && failures == message.failures
            : deliveries >= 1
                && deliveries <= message.deliveries + message.mayBeCounted + 1
                && failures <= message.failures;
    require(right, message, "came with deliveries " + deliveries + ", failures " + failures);
    require(deliveries > message.counted, message, "came again with deliveries " + deliveries);
    require(
        failures < options.getRetry().getMaxAttempts(),
        message,
        "came after " + failures + " failures");
  }

  void acknowledged(SimMessage message) {
    require(message.state == State.OUT, message, "is out");
    message.state = State.DONE;
    message.may(ENDED);
    free(message);
    acknowledged++;
  }

  void released(SimMessage message) {
    if (message.isTransient) {
      message.state = State.DONE;
      message.may(ENDED);
      free(message);
      transientsEnded++;
    } else {
      message.state = State.RELEASED;
      released++;
    }
  }

  void failing(SimMessage message, boolean mayRetry) {
    if (message.isTransient) {
      released(message);
      return;
    }
    message.failures++;
    // Without a key, those behind it do not wait for its next attempt.
    message.takesNoPlace |= lane(message) == null;
    if (mayRetry && message.failures < options.getRetry().getMaxAttempts()) {
      message.state = State.RETRY;
      message.mayBeEarly |= releases > 0;
      message.retryMs = store.nowMs() + options.getRetry().getBackoffMs();
      retried++;
      if (message.deliveries >= options.getRetry().getMaxDeliveries()) {
        message.may(DEAD);
        message.mayBeGone = true;
      }
    } else {
      message.state = State.DYING;
      message.may(DEAD);
      buried++;
    }
  }

  // ---- operators

  List<SimMessage> purging() {
    List<SimMessage> purged = new ArrayList<>();
    for (SimMessage message : messages) {
      boolean waits = message.state == State.WAITING || message.state == State.RETRY;
      if (waits && message.original == null) {
        message.may(ENDED);
        free(message);
        boolean maybeNot =
            options.getPolicy() == OverflowPolicy.BLOCK
                && message.durability != Durability.NONE
                && !message.completed;
        // It no longer waits when it is about to become a dead letter.
        boolean mayDie = (message.ifKilled & DEAD) != 0;
        if (maybeNot || mayDie || message.id != null && !message.completed) {
          message.mayBeGone = true;
        } else {
          message.state = State.PURGED;
          purged.add(message);
        }
      }
    }
    return purged;
  }

  void purged(List<SimMessage> purged, boolean done) {
    for (SimMessage message : purged) {
      if (message.state != State.PURGED) {
        continue;
      }
      if (done) {
        narrow(message, ~ALIVE, -1, "it was purged");
      } else {
        message.state = State.WAITING;
        message.mayBeGone = true;
      }
    }
  }

  void releasing() {
    releases++;
    for (SimMessage message : messages) {
      boolean waits = message.state == State.WAITING || message.state == State.RETRY;
      if (waits || message.state == State.PURGED) {
        message.mayBeEarly = true;
      }
    }
  }

  boolean isReleasing() {
    return releases > 0;
  }

  void released() {
    releases--;
  }

  Set<SimMessage> dead() {
    Set<SimMessage> dead = new HashSet<>(messages);
    dead.removeIf(message -> message.state != State.DEAD);
    return dead;
  }

  /**
   * @param before dead letters before the call
   */
  void listed(List<DeadLetter<SimMessage>> letters, Set<SimMessage> before) {
    Set<SimMessage> listed = new HashSet<>();
    for (DeadLetter<SimMessage> letter : letters) {
      SimMessage message = letter.message();
      require(listed.add(message), message, "is listed twice");
      Long known = numbered.putIfAbsent(letter.number(), letter.sequence());
      require(
          known == null || known == letter.sequence(),
          message,
          "has the number " + letter.number() + " of the dead letter " + known);
      if (options.isDeadLetterExpired() && mayBeExpired(message)) {
        message.may(DEAD);
      }
      require((message.ifKilled & DEAD) != 0, message, "is listed as a dead letter");
      free(message);
      require(message.state != State.OUT && message.state != State.RELEASED, message, "is listed");
      message.state = State.DEAD;
      narrow(message, DEAD, -1, "it is a dead letter");
      require(
          letter.failures() <= options.getRetry().getMaxAttempts(),
          message,
          "has failures " + letter.failures());
    }
    for (SimMessage message : before) {
      if (message.state == State.DEAD && !listed.contains(message)) {
        narrow(message, ~DEAD, -1, "it is not among the dead letters");
        message.state = (message.ifKilled & ALIVE) != 0 ? State.WAITING : State.PURGED;
        message.mayBeGone = true;
      }
    }
  }

  void removed(SimMessage message, boolean removed) {
    if (removed) {
      // Known: what was removed before its move is known to be written may be written again.
      message.is(store.hasFailed() ? ENDED | DEAD : ENDED);
      message.state = State.DONE;
    }
  }

  void requeuing(SimMessage message) {
    message.may(ALIVE);
    message.state = State.WAITING;
    message.takesNoPlace = true;
    message.notBeforeMs = 0;
    message.retryMs = 0;
    message.deliveries = 0;
    message.counted = 0;
    message.failures = 0;
    message.countsKnown = true;
    message.wasRequeued = true;
    // The clock of the store may be a millisecond behind: then the message keeps its expiry.
    message.expiresAtMs = message.isExpired(store.nowMs() - 1) ? 0 : message.expiresAtMs;
    message.mayBeGone = true;
    requeued++;
  }

  /** It is not known whether it was requeued. */
  void requeueFailed(SimMessage message) {
    requeued--;
  }

  void requeued(SimMessage message, boolean done) {
    if (!done) {
      requeued--;
      message.state = State.DEAD;
    } else if (message.state == State.WAITING) {
      message.is(ALIVE);
      message.mayBeGone = false;
    }
  }

  // ---- lives

  /**
   * The queue is about to be opened.
   *
   * @param isOpen whether the disk says that it was not closed in order
   */
  void opening(boolean isOpen) {
    if (afterCrash && !isOpen) {
      if (!closing) {
        throw store.broken(of.name + ": a crash is not known at the opening");
      }
      // The close was committed before the process ended.
      afterCrash = false;
    }
  }

  void opened() {
    firstOfLife = messages.size();
    delivered = 0;
    acknowledged = 0;
    retried = 0;
    buried = 0;
    released = 0;
    transientsEnded = 0;
    requeued = 0;
    releases = 0;
    closing = false;
    out.clear();
  }

  void closing() {
    closing = true;
  }

  /** The process is gone without a close. */
  void crashed(boolean power) {
    if (power) {
      // A dead letter that was not yet forced to the device is lost with its number.
      numbered.clear();
      messages.forEach(message -> message.counted = 0);
    }
    crashing = true;
  }

  /** All that was to be written is written, and the operating system has it. */
  void committed() {
    for (SimMessage message : messages) {
      switch (message.state) {
        case DONE -> {
          // Known: the record of a failed write stays until its packet is written or done with.
          if (message.durability != Durability.NONE || !store.hasFailed()) {
            narrow(message, ~ALIVE, -1, "its end is committed");
          }
        }
        case DYING -> {
          narrow(message, ~ALIVE, -1, "its death is committed");
          free(message);
          message.state = State.DEAD;
        }
        default -> {}
      }
    }
  }

  /**
   * The process is gone.
   *
   * @param orderly it has closed the store, which could write
   */
  void restart(boolean power, boolean orderly) {
    for (SimMessage message : messages) {
      if (orderly) {
        written(message);
      }
      int found = power ? message.ifPowerLost : message.ifKilled;
      if (message.isTransient) {
        found = ENDED;
      }
      message.is(found);
      message.recovered = true;
      message.mayBeGone = found != ALIVE && found != DEAD;
      // On a full disk a retry may be made without a record of the attempt.
      message.countsKnown &= orderly && !store.hasFailed() && !store.wasFull();
      if (message.wasRequeued && !message.countsKnown) {
        message.deliveries = Delivery.MAX_COUNT;
        message.failures = options.getRetry().getMaxAttempts();
      }
      message.state =
          (found & ALIVE) != 0
              ? State.WAITING
              : (found & DEAD) != 0
                  ? State.DEAD
                  : message.state == State.DUPLICATE || message.state == State.REFUSED
                      ? State.REFUSED
                      : found == UNWRITTEN ? State.REFUSED : State.DONE;
      if (message.state == State.WAITING) {
        message.original = null;
        message.mayBeEarly |= !orderly && message.retryMs != 0;
        message.retryMs = orderly ? message.retryMs : 0;
        int most = message.deliveries + message.mayBeCounted;
        if (most >= options.getRetry().getMaxDeliveries()) {
          message.may(DEAD);
          message.mayBeGone = true;
        }
      }
    }
    afterCrash = crashing;
    crashing = false;
    out.clear();
  }

  /** The close has written what was to be written. */
  private void written(SimMessage message) {
    if (message.state == State.REFUSED) {
      message.ifKilled = UNWRITTEN;
    } else if (message.accepted
        && !message.recovered
        && message.original == null
        && message.state != State.ABSENT
        && message.ifKilled != UNWRITTEN
        && !message.mayBeDuplicate
        && !message.mayBeGone
        && !store.hasFailed()) {
      // Messages without durability too.
      message.ifKilled &= ~UNWRITTEN;
    }
  }

  /** True if appends are not completed; those that wait for the room of a released message may. */
  boolean hasPending() {
    boolean mayWait =
        options.getPolicy() == OverflowPolicy.BLOCK
            && messages.stream().anyMatch(message -> message.state == State.RELEASED);
    return !mayWait
        && messages.subList(firstOfLife, messages.size()).stream().anyMatch(m -> !m.completed);
  }

  // ---- figures

  void checkFigures(QueueStats stats) {
    expect("delivered", delivered, stats.delivered());
    expect("acknowledged", acknowledged, stats.acknowledged());
    expect("retried", retried, stats.retried());
    expect("corrupt packets", 0, stats.corruptPackets());
    long in = stats.recovered() - stats.recoveredTransient() + stats.appended() + requeued;
    long gone =
        stats.acknowledged()
            + released
            + transientsEnded
            + stats.dropped()
            + stats.purged()
            + stats.deadLettered()
            + stats.lost()
            + (options.isDeadLetterExpired() ? 0 : stats.expired());
    long there = stats.waiting() + stats.scheduled() + stats.unacknowledged();
    if (in - gone != there && !(store.hasFailed() && stats.purged() > 0)) {
      // Known: a purge counts a record twice that a failed write has left.
      throw store.broken(
          of.name + ": in " + in + ", gone " + gone + ", there " + there + ": " + stats);
    }
  }

  private void expect(String what, long expected, long actual) {
    if (expected != actual) {
      throw store.broken(of.name + ": " + what + " is " + actual + " instead of " + expected);
    }
  }

  boolean isHeldByReleased() {
    return options.getOrder() != DeliveryOrder.NONE
        && messages.stream()
            .anyMatch(message -> message.state == State.RELEASED && lane(message) != null);
  }

  /** All that can come has come. */
  void drained() {
    long nowMs = store.nowMs();
    for (SimMessage message : messages) {
      if (message.state == State.WAITING || message.state == State.RETRY) {
        boolean sure =
            message.state == State.RETRY
                ? !mayBeExpired(message)
                    && options.getPolicy() != OverflowPolicy.DROP_OLDEST
                    && !message.mayBeGone
                : surelyWaits(message, nowMs);
        require(!sure, message, "never came");
        require(
            message.completed || message.recovered || !hasPending(),
            message,
            "was never completed");
      }
    }
  }

  void checkDrained(QueueStats stats) {
    if (store.hasFailed()) {
      // Known: see the places that ask hasFailed().
      return;
    }
    if (stats.bytes() != 0 && released == 0 || stats.bufferedBytes() != 0) {
      throw store.broken(of.name + ": an empty queue has bytes: " + stats);
    }
    long dead = messages.stream().filter(message -> message.state == State.DEAD).count();
    expect("dead letters", dead, stats.deadLetters());
  }
}
