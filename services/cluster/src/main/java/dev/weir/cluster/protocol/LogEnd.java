package dev.weir.cluster.protocol;

/**
 * How far a log reaches.
 *
 * @param epoch of the last message; 0 if the log is empty
 * @param position number of messages it has ever held: the position of the next one
 */
public record LogEnd(long epoch, long position) implements Comparable<LogEnd> {
  public static final LogEnd EMPTY = new LogEnd(0, 0);

  /** By epoch, then position: of two replicas that were in sync, the greater holds more. */
  @Override
  public int compareTo(LogEnd other) {
    int byEpoch = Long.compare(epoch, other.epoch);
    return byEpoch != 0 ? byEpoch : Long.compare(position, other.position);
  }
}
