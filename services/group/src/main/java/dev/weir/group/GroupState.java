package dev.weir.group;

/** The tables of a group; used during a call of its processor. */
public interface GroupState {
  /**
   * The table of a name. Tables need not be made before; one without entries costs nothing.
   *
   * @param name without control characters and halves of surrogate pairs
   * @param serde of its values; the same for as long as the group holds values of this table
   */
  <V> Table<V> table(String name, Serde<V> serde);

  /** The timers of the group. A state of a test may have none. */
  default Timers timers() {
    throw new UnsupportedOperationException("this state has no timers");
  }

  /** What the group sends to other services. A state of a test may have none. */
  default Outbox outbox() {
    throw new UnsupportedOperationException("this state has no outbox");
  }

  /**
   * The version of the application in which this call writes: the highest one that the processors
   * of all members state, as {@link GroupProcessor#version}. In a call that reads, the version of
   * this member's processor.
   */
  default int version() {
    return 1;
  }
}
