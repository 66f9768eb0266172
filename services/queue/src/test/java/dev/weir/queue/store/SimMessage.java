package dev.weir.queue.store;

import dev.weir.queue.Durability;

/**
 * A message of a simulation: what it is to the process that runs, and what may be on disk if the
 * process is killed now, or if the power is lost.
 */
final class SimMessage {
  /** What may be on disk, as bits. */
  static final int ALIVE = 1;

  static final int DEAD = 2;

  /** Its append never reached the disk. */
  static final int UNWRITTEN = 4;

  /** It is gone: acknowledged, purged, dropped or expired. */
  static final int ENDED = 8;

  /** To the process that runs. */
  enum State {
    WAITING,
    OUT,
    /** Failed; waits for its next attempt. */
    RETRY,
    /** Kept for the next opening. */
    RELEASED,
    DONE,
    /** On its way to the dead letters. */
    DYING,
    DEAD,
    PURGED,
    REFUSED,
    DUPLICATE,
    /** A later message of its order came: it cannot be in the queue. */
    ABSENT
  }

  final int number;
  final int sizeBytes;
  final String key;
  final String id;

  /** NONE after its append failed, if it stays for the sender of a duplicate. */
  Durability durability;

  /** Of no use after a restart. */
  final boolean isTransient;

  State state = State.WAITING;
  int ifKilled = ALIVE | UNWRITTEN;
  int ifPowerLost = ALIVE | UNWRITTEN;

  /** The append has not returned. */
  boolean inCall;

  /** The append was completed, well or not. */
  boolean completed;

  boolean accepted;

  /** It was found by an opening. */
  boolean recovered;

  /** It may be gone for a reason of which nobody is told, such as a purge that failed. */
  boolean mayBeGone;

  /** It may be a duplicate of a message that waits for room with it. */
  boolean mayBeDuplicate;

  /** It was requeued: an expiry may have been dropped then. */
  boolean wasRequeued;

  /** The message whose id it has, null for none. */
  SimMessage original;

  /** More than one message may have its id. */
  boolean mayBeOfAnother;

  /** It was delayed, requeued or decided about later: it comes when it comes. */
  boolean takesNoPlace;

  long notBeforeMs;
  long expiresAtMs;

  /** Not to be delivered earlier, because its last attempt failed. */
  long retryMs;

  /** It was released, or its retry forgotten by a restart: it may come before its time. */
  boolean mayBeEarly;

  long sequence = -1;
  boolean countsKnown = true;
  int deliveries;
  int failures;

  /** The delivery count that a kill cannot take back. */
  int counted;

  /** A delivery that did not begin may be counted, so many times. */
  int mayBeCounted;

  SimMessage(
      int number,
      int sizeBytes,
      String key,
      String id,
      Durability durability,
      boolean isTransient) {
    this.number = number;
    this.sizeBytes = sizeBytes;
    this.key = key;
    this.id = id;
    this.durability = durability;
    this.isTransient = isTransient;
  }

  boolean isExpired(long nowMs) {
    return expiresAtMs != 0 && expiresAtMs <= nowMs;
  }

  void may(int bits) {
    ifKilled |= bits;
    ifPowerLost |= bits;
  }

  void is(int bits) {
    ifKilled = bits;
    ifPowerLost = bits;
  }

  @Override
  public String toString() {
    return "#"
        + number
        + "["
        + state
        + (key == null ? "" : " key " + key)
        + (id == null ? "" : " id " + id)
        + " "
        + durability
        + (isTransient ? " transient" : "")
        + (completed ? accepted ? " accepted" : " refused" : " pending")
        + (recovered ? " recovered" : "")
        + (mayBeGone ? " may be gone" : "")
        + " killed "
        + bits(ifKilled)
        + " power "
        + bits(ifPowerLost)
        + (notBeforeMs == 0 ? "" : " not before " + notBeforeMs)
        + (retryMs == 0 ? "" : " retry " + retryMs)
        + (expiresAtMs == 0 ? "" : " expires " + expiresAtMs)
        + " sequence "
        + sequence
        + " deliveries "
        + deliveries
        + " failures "
        + failures
        + "]";
  }

  private static String bits(int bits) {
    return ((bits & ALIVE) == 0 ? "" : "A")
        + ((bits & DEAD) == 0 ? "" : "D")
        + ((bits & UNWRITTEN) == 0 ? "" : "U")
        + ((bits & ENDED) == 0 ? "" : "E");
  }
}
