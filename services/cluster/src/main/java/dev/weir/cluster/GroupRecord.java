package dev.weir.cluster;

/**
 * What a replica knows for good about its group; forced to disk before it acts on it.
 *
 * @param epoch the highest epoch it has accepted or promised to accept; 0 before the first primary
 * @param inSync bit set of the members that hold everything acknowledged in that epoch, as far as
 *     this replica was told; 0 before the first primary
 * @param version counts the changes of {@code inSync} within the epoch
 */
record GroupRecord(long epoch, int inSync, long version) {
  /** Of a replica that has never been part of its group. */
  static final GroupRecord NONE = new GroupRecord(0, 0, 0);

  boolean holds(int member) {
    return (inSync & 1 << member) != 0;
  }

  /** Whether this is what a replica was told later than {@code other}. */
  boolean isNewerThan(GroupRecord other) {
    return epoch > other.epoch || epoch == other.epoch && version > other.version;
  }
}
