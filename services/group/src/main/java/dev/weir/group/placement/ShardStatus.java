package dev.weir.group.placement;

import java.util.List;

/**
 * Who holds a shard, as its primary says.
 *
 * @param shard 0 or more
 * @param epoch of the primary
 * @param version counts what the primary of one epoch says
 * @param primary name of the primary
 * @param places its members
 * @param inSync names of the members in sync, with the primary; a witness is none of them
 */
public record ShardStatus(
    int shard, long epoch, long version, String primary, ShardPlaces places, List<String> inSync) {

  public ShardStatus {
    inSync = List.copyOf(inSync);
  }

  /** Of a shard without a witness. */
  public ShardStatus(
      int shard,
      long epoch,
      long version,
      String primary,
      List<String> places,
      List<String> inSync) {
    this(shard, epoch, version, primary, ShardPlaces.of(places), inSync);
  }

  /** The members of the shard, with the witness. */
  public List<String> members() {
    return places.members();
  }

  /** The members that hold the shard. */
  public List<String> holders() {
    return places.holders();
  }

  /** The member that only votes; null for none. */
  public String witness() {
    return places.witness();
  }

  /** Whether it is later than another one, which may be null. */
  public boolean isAfter(ShardStatus other) {
    return other == null || epoch > other.epoch || epoch == other.epoch && version > other.version;
  }
}
