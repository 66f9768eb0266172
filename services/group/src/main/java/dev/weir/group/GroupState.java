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
   * Bytes of changes that this call may still make, with the names of tables and keys: four times
   * the group's {@code maxMessageBytes} at first. Each value takes about 20 bytes more, and the
   * reply to a request with an id is stored too. A call that makes more changes has no effect. It
   * fails, like a call that throws.
   *
   * @return below 0 for a call that has made too many; 0 for one that reads; {@link
   *     Integer#MAX_VALUE}, the default, for a state of a test
   */
  default int room() {
    return Integer.MAX_VALUE;
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
