package dev.weir.group.layout;

import dev.weir.group.ShardOptions;
import dev.weir.group.placement.ShardPlacement;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.StableHash;
import dev.weir.options.Checks;
import java.util.ArrayList;
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
  private final List<ShardPlaces> places;

  /** Null for a plain group. */
  private final ShardPlacement placement;

  private ShardLayout(
      String address,
      int copies,
      List<String> names,
      List<ShardPlaces> places,
      ShardPlacement placement) {
    this.address = address;
    this.copies = copies;
    this.names = names;
    this.places = places;
    this.placement = placement;
  }

  /**
   * A service of one shard, which is the group of its name.
   *
   * @param places of the group
   */
  public static ShardLayout single(String address, ShardPlaces places) {
    return new ShardLayout(
        address, places.holders().size(), List.of(address), List.of(places), null);
  }

  /**
   * A service that is split as options say. Where all members hold the only shard, it is the group
   * of that name with the members in the order given.
   *
   * @throws IllegalArgumentException if there is no member, or a witness beside other than two
   *     copies
   */
  public static ShardLayout of(String address, ShardOptions options) {
    List<String> members = options.getMembers();
    Checks.range("members", members.size(), 1, ShardOptions.MAX_MEMBERS);
    int shards = options.getShards();
    if (options.isWitness() && options.getCopies() != 2) {
      throw Checks.notAllowed("copies", options.getCopies(), "2 where witness is true");
    }
    int copies = Math.min(options.getCopies(), members.size());
    ShardPlacement placement =
        ShardPlacement.first(address, shards, options.getCopies(), options.isWitness(), members);
    boolean isSingle = shards == 1 && copies == members.size();
    return new ShardLayout(
        address,
        copies,
        IntStream.range(0, shards).mapToObj(shard -> name(address, shard, shards)).toList(),
        isSingle
            ? List.of(ShardPlaces.of(members))
            : IntStream.range(0, shards).mapToObj(shard -> places(placement, shard)).toList(),
        placement);
  }

  /** The witness has the last place. */
  private static ShardPlaces places(ShardPlacement placement, int shard) {
    String witness = placement.witness(shard);
    List<String> names = new ArrayList<>(placement.members(shard));
    if (witness != null) {
      names.add(witness);
    }
    return new ShardPlaces(names, witness);
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

  /** The members with which a shard began, the preferred primary first, the witness last. */
  public ShardPlaces places(int shard) {
    return places.get(shard);
  }

  /** The members that held a shard when it began, the preferred primary first. */
  public List<String> members(int shard) {
    return places(shard).holders();
  }

  /** Whether shards began with a witness. */
  public boolean hasWitnesses() {
    return placement != null && placement.hasWitnesses();
  }

  /** How many shards began on the member on which most began. */
  public int mostReplicas() {
    return places.stream()
        .flatMap(each -> each.holders().stream())
        .collect(Collectors.groupingBy(member -> member, Collectors.counting()))
        .values()
        .stream()
        .mapToInt(Long::intValue)
        .max()
        .orElseThrow();
  }

  /** All members with which shards began, in the order of their names. */
  public List<String> members() {
    return places.stream().flatMap(each -> each.members().stream()).distinct().sorted().toList();
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
