package dev.weir.group.placement;

import java.util.List;

/**
 * Who holds a shard, as its primary says.
 *
 * @param shard 0 or more
 * @param epoch of the primary
 * @param version counts what the primary of one epoch says
 * @param primary name of the primary
 * @param places names of the members by their place in the group; empty for a vacant place
 * @param inSync names of the members in sync, with the primary
 */
public record ShardStatus(
    int shard, long epoch, long version, String primary, List<String> places, List<String> inSync) {

  public ShardStatus {
    places = List.copyOf(places);
    inSync = List.copyOf(inSync);
  }

  /** The members of the shard. */
  public List<String> members() {
    return places.stream().filter(name -> !name.isEmpty()).toList();
  }

  /** Whether it is later than another one, which may be null. */
  public boolean isAfter(ShardStatus other) {
    return other == null || epoch > other.epoch || epoch == other.epoch && version > other.version;
  }
}
