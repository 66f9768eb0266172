package dev.weir.queue;

import java.util.EnumSet;
import java.util.Set;

/** What one message may be on disk, and what it is to the process that runs. */
final class ModelMessage {
  /** Why it may be gone. */
  enum Gone {
    NOT_WRITTEN,
    DUPLICATE,
    ACKNOWLEDGED,
    PURGED
  }

  /** To the process that runs. */
  enum State {
    WAITING,
    OUT,
    ACKNOWLEDGED,
    DYING,
    DEAD,
    PURGED
  }

  private static final int UNKNOWN = -1;

  final long number;
  final String key;

  /** Of the message whose id it has, its own if it is the first; 0 for none. */
  final long idOf;

  /** What is on disk is one of: this, {@link #mayBeDead}, {@link #gone}. */
  boolean mayBeAlive = true;

  boolean mayBeDead;
  final Set<Gone> gone = EnumSet.noneOf(Gone.class);

  State state = State.WAITING;

  /** It was delayed or requeued: it comes when it comes. */
  boolean takesNoPlace;

  long sequence = UNKNOWN;

  /** How often this process made a dead letter of it. */
  int ends;

  /** Failed attempts that may be remembered. */
  int mostFailures;

  /** What the next delivery has to say, unless it is unknown. */
  int deliveries = UNKNOWN;

  int failures = UNKNOWN;

  ModelMessage(long number, String key, long idOf, boolean delayed) {
    this.number = number;
    this.key = key;
    this.idOf = idOf;
    this.takesNoPlace = delayed;
  }

  ModelMessage(ModelMessage other) {
    number = other.number;
    key = other.key;
    idOf = other.idOf;
    mayBeAlive = other.mayBeAlive;
    mayBeDead = other.mayBeDead;
    gone.addAll(other.gone);
    state = other.state;
    takesNoPlace = other.takesNoPlace;
    sequence = other.sequence;
    ends = other.ends;
    mostFailures = other.mostFailures;
    deliveries = other.deliveries;
    failures = other.failures;
  }

  boolean isImpossible() {
    return !mayBeAlive && !mayBeDead && gone.isEmpty();
  }

  /** It is there, though perhaps not written yet. */
  boolean isSurelyHeld() {
    return mayBeAlive
        && !mayBeDead
        && (gone.isEmpty() || deliveries == 0 && gone.equals(EnumSet.of(Gone.NOT_WRITTEN)));
  }

  void isAlive() {
    mayBeAlive = true;
    mayBeDead = false;
    gone.clear();
  }

  void isDead() {
    mayBeAlive = false;
    mayBeDead = true;
    gone.clear();
    state = State.DEAD;
  }

  /** With all its attempts before it. */
  void isRequeued() {
    state = State.WAITING;
    takesNoPlace = true;
    mostFailures = 0;
    deliveries = 0;
    failures = 0;
  }

  /** Its process is gone, with all that was only in memory. */
  void restart() {
    state = mayBeAlive ? State.WAITING : mayBeDead ? State.DEAD : State.ACKNOWLEDGED;
    deliveries = UNKNOWN;
    failures = UNKNOWN;
  }

  void deliveriesUnknown() {
    deliveries = UNKNOWN;
    failures = UNKNOWN;
  }

  boolean knowsDeliveries() {
    return deliveries != UNKNOWN;
  }

  @Override
  public String toString() {
    return number
        + " ("
        + state
        + (mayBeAlive ? ", may be alive" : "")
        + (mayBeDead ? ", may be dead" : "")
        + (gone.isEmpty() ? "" : ", may be gone: " + gone)
        + ")";
  }
}
