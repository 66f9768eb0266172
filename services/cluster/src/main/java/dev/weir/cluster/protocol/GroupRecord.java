package dev.weir.cluster.protocol;

/**
 * What a replica knows for good about its group; forced to disk before it acts on it.
 *
 * @param epoch the highest epoch it has accepted or promised to accept; 0 before the first primary
 * @param votedFor the member it voted for in that epoch, as long as it does not know what came of
 *     it; -1 otherwise
 * @param inSyncEpoch the epoch {@code inSync} and {@code version} belong to, at most {@code epoch};
 *     0 before the first primary
 * @param inSync bit set of the members that hold everything acknowledged in that epoch, as far as
 *     this replica was told; 0 before the first primary
 * @param version counts the changes of {@code inSync} within its epoch
 * @param votedDisk id of the disk of {@code votedFor}; 0 if unknown
 * @param disks sum of the ids of the disks of {@code inSync}, each with its member, see {@link
 *     #disk}; 0 if unknown
 * @param voter if two of three members are in sync: id of the disk with which the third one votes;
 *     0 if its vote does not count
 * @param membership the members, a part of what {@code version} counts the changes of; null while
 *     they are those with which the group began
 */
public record GroupRecord(
    long epoch,
    int votedFor,
    long inSyncEpoch,
    int inSync,
    long version,
    long disks,
    long votedDisk,
    long voter,
    Membership membership) {
  /** Of a replica that has never been part of its group. */
  public static final GroupRecord NONE = new GroupRecord(0, -1, 0, 0, 0);

  private static final long MIX = 0x9E3779B97F4A7C15L;

  /** A record that does not know the disks. */
  public GroupRecord(long epoch, int votedFor, long inSyncEpoch, int inSync, long version) {
    this(epoch, votedFor, inSyncEpoch, inSync, version, 0, 0, 0, null);
  }

  /** A record of a group whose members never changed. */
  public GroupRecord(
      long epoch,
      int votedFor,
      long inSyncEpoch,
      int inSync,
      long version,
      long disks,
      long votedDisk,
      long voter) {
    this(epoch, votedFor, inSyncEpoch, inSync, version, disks, votedDisk, voter, null);
  }

  /** Of a replica that becomes primary of a group whose members never changed. */
  static GroupRecord ofPrimary(int member, long epoch) {
    return ofPrimary(member, epoch, null);
  }

  /** Of a replica that becomes primary. */
  static GroupRecord ofPrimary(int member, long epoch, Membership membership) {
    return new GroupRecord(epoch, -1, epoch, 1 << member, 0, 0, 0, 0, membership);
  }

  /** The part of one member's disk in {@link #disks}. */
  static long disk(int member, long id) {
    long mixed = (id + member) * MIX;
    return mixed ^ mixed >>> 29;
  }

  /** Whether it was never told of a primary; it may have voted for the first one. */
  boolean isBlank() {
    return inSyncEpoch == 0;
  }

  public boolean holds(int member) {
    return (inSync & 1 << member) != 0;
  }

  /** Whether its set has a member that another record's has not. */
  boolean isLarger(GroupRecord other) {
    return (inSync & ~other.inSync) != 0;
  }

  /** Number of members whose vote counts: those in sync, and the third with the disk known. */
  public int voters() {
    return Integer.bitCount(inSync) + (voter != 0 ? 1 : 0);
  }

  /** Whether it waits to hear what became of a vote. */
  public boolean hasVoted() {
    return votedFor >= 0;
  }

  /** Compares what was known of the in-sync set: negative if this was known before the other. */
  int compareInSync(GroupRecord other) {
    int byEpoch = Long.compare(inSyncEpoch, other.inSyncEpoch);
    return byEpoch != 0 ? byEpoch : Long.compare(version, other.version);
  }

  GroupRecord withInSync(int members, long itsVersion, long itsDisks, long itsVoter) {
    return new GroupRecord(
        epoch,
        votedFor,
        inSyncEpoch,
        members,
        itsVersion,
        itsDisks,
        votedDisk,
        itsVoter,
        membership);
  }

  /** The same with other members. */
  public GroupRecord withMembership(Membership members) {
    return new GroupRecord(
        epoch, votedFor, inSyncEpoch, inSync, version, disks, votedDisk, voter, members);
  }

  GroupRecord withVote(int member, long itsEpoch, long disk) {
    return new GroupRecord(
        itsEpoch, member, inSyncEpoch, inSync, version, disks, disk, voter, membership);
  }

  /** Of a backup of that epoch's primary. */
  GroupRecord follow(long itsEpoch) {
    return new GroupRecord(itsEpoch, -1, inSyncEpoch, inSync, version, disks, 0, voter, membership);
  }

  /** Without the vote for a member that, as it says, neither stands any more nor became primary. */
  GroupRecord settle(int member, Control said) {
    boolean open =
        votedFor != member
            || votedDisk != 0 && said.disk() != votedDisk
            || said.primary() == member
            || said.has(Control.CANDIDATE)
            || said.record().inSyncEpoch >= epoch
            || !isBlank() && said.record().isBlank();
    return open ? this : withVote(-1, epoch, 0);
  }

  /**
   * With the in-sync set of another member, if that is later than this one. A vote is settled when
   * its epoch is known to have had a primary.
   */
  GroupRecord learn(GroupRecord told) {
    if (compareInSync(told) >= 0) {
      return this;
    }
    boolean settled = told.inSyncEpoch >= epoch;
    return new GroupRecord(
        Math.max(epoch, told.inSyncEpoch),
        settled ? -1 : votedFor,
        told.inSyncEpoch,
        told.inSync,
        told.version,
        told.disks,
        settled ? 0 : votedDisk,
        told.voter,
        told.membership);
  }
}
