package dev.weir.cluster.transport.hazelcast;

/**
 * One life of a connection as one of its ends sees it.
 *
 * @param incarnation of the process
 * @param number grows with each session of the process; 0 for none
 */
public record Session(long incarnation, long number) {
  public static final Session NONE = new Session(0, 0);

  /** Whether the same process has begun another one since. */
  public boolean isBefore(Session other) {
    return incarnation == other.incarnation && number < other.number;
  }
}
