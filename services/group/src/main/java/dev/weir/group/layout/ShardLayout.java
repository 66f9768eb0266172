package dev.weir.group.layout;

import dev.weir.group.ShardOptions;
import dev.weir.group.placement.ShardPlacement;
import dev.weir.group.placement.StableHash;
import dev.weir.options.Checks;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The shards of a service: their names, the keys that they have, and the members with which they
 * began. Immutable.
 */
public final class ShardLayout {
  private final String address;
  private final int copies;
  private final List<String> names;
  private final List<List<String>> members;

  /** Null for a plain group. */
  private final ShardPlacement placement;

  private ShardLayout(
      String address,
      int copies,
      List<String> names,
      List<List<String>> members,
      ShardPlacement placement) {
    this.address = address;
    this.copies = copies;
    this.names = names;
    this.members = members;
    this.placement = placement;
  }

  /**
   * A service of one shard, which is the group of its name.
   *
   * @param members of the group, in its order
   */
  public static ShardLayout single(String address, List<String> members) {
    return new ShardLayout(address, members.size(), List.of(address), List.of(members), null);
  }

  /**
   * A service that is split as options say. Where all members hold the only shard, it is the group
   * of that name with the members in the order given.
   *
   * @throws IllegalArgumentException if there is no member
   */
  public static ShardLayout of(String address, ShardOptions options) {
    List<String> members = options.getMembers();
    Checks.range("members", members.size(), 1, ShardOptions.MAX_MEMBERS);
    int shards = options.getShards();
    int copies = Math.min(options.getCopies(), members.size());
    ShardPlacement placement = ShardPlacement.first(address, shards, options.getCopies(), members);
    boolean isSingle = shards == 1 && copies == members.size();
    return new ShardLayout(
        address,
        copies,
        IntStream.range(0, shards).mapToObj(shard -> name(address, shard, shards)).toList(),
        isSingle
            ? List.of(members)
            : IntStream.range(0, shards).mapToObj(placement::members).toList(),
        placement);
  }

  /** With the number of shards: members that disagree about it never exchange messages. */
  private static String name(String address, int shard, int shards) {
    return shards == 1 ? address : address + "." + shard + "-of-" + shards;
  }

  public String address() {
    return address;
  }

  public int shards() {
    return names.size();
  }

  /** How many members held a shard when the service began. */
  public int copies() {
    return copies;
  }

  /** The name of the group that a shard is. */
  public String name(int shard) {
    return names.get(shard);
  }

  /** The members with which a shard began, the preferred primary first. */
  public List<String> members(int shard) {
    return members.get(shard);
  }

  /** How many shards began on the member on which most began. */
  public int mostReplicas() {
    return members.stream()
        .flatMap(List::stream)
        .collect(Collectors.groupingBy(member -> member, Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .max()
        .orElseThrow();
  }

  /** All members with which shards began, in the order of their names. */
  public List<String> members() {
    return members.stream().flatMap(List::stream).distinct().sorted().toList();
  }

  /** The placement with which the service began; null for a plain group. */
  public ShardPlacement placement() {
    return placement;
  }

  /**
   * The shard of a key.
   *
   * @param key null only if there is one shard
   */
  public int shardOf(String key) {
    return shards() == 1 ? 0 : StableHash.shardOf(key, shards());
  }
}
