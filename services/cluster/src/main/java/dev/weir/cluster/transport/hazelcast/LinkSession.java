package dev.weir.cluster.transport.hazelcast;

/**
 * Identifies one connection of a link as one of its ends counts them. A message that names another
 * session than the current one is of an earlier connection.
 *
 * @param incarnation of the process
 * @param number grows with each session of the process; 0 for none
 */
record LinkSession(long incarnation, long number) {
  static final LinkSession NONE = new LinkSession(0, 0);

  /** Whether {@code other} is a later session of the same process. */
  boolean isBefore(LinkSession other) {
    return incarnation == other.incarnation && number < other.number;
  }
}
