package dev.weir.group.placement;

import dev.weir.options.Checks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Which members hold which shard of a service, and which of them is preferred as its primary. Every
 * member holds as many shards as any other, or one less; the same is true of preferred primaries,
 * as far as the holders of the shards allow it.
 *
 * <p>The first placement depends on names alone, in whatever order members are given: a shard goes
 * to the members that rank first for it by rendezvous hashing and have room. Each further placement
 * starts from the one before it and moves the fewest replicas that restore the balance, so it
 * depends on the history too: whoever computes it must know the present placement.
 *
 * <p>Immutable. Plans only: it knows nothing of replicas that are up to date or not.
 */
public final class ShardPlacement {
  private final String service;
  private final int copies;
  private final List<String> members;

  /** By shard: places in {@link #members}, the preferred primary first. */
  private final int[][] holders;

  /** By shard: a place in {@link #members}, -1 for none; null for a service without witnesses. */
  private final int[] witnesses;

  /**
   * A replica that a member must get.
   *
   * @param shard 0 or more
   * @param to the member that gets the replica
   * @param from the member that no longer has one, or null
   */
  public record Move(int shard, String to, String from) {}

  private ShardPlacement(
      String service, int copies, List<String> members, int[][] holders, int[] witnesses) {
    this.service = service;
    this.copies = copies;
    this.members = members;
    this.holders = holders;
    this.witnesses = witnesses;
  }

  /**
   * The first placement of a service.
   *
   * @param service its name, which is a part of the hash
   * @param shards 1 or more
   * @param copies of each shard, 1 or more; with fewer members every member holds every shard
   * @param members names, at least one, each once
   */
  public static ShardPlacement first(String service, int shards, int copies, List<String> members) {
    return first(service, shards, copies, false, members);
  }

  /**
   * The first placement of a service whose shards may have witnesses.
   *
   * @param hasWitnesses whether each shard has a witness, if there is a member that does not hold
   *     the shard
   */
  public static ShardPlacement first(
      String service, int shards, int copies, boolean hasWitnesses, List<String> members) {
    Checks.range("shards", shards, 1, Integer.MAX_VALUE);
    Checks.range("copies", copies, 1, Integer.MAX_VALUE);
    int[] none = hasWitnesses ? WitnessBalance.none(shards) : null;
    return new ShardPlacement(service, copies, List.of(), new int[shards][0], none).with(members);
  }

  /**
   * A placement that was made before.
   *
   * @param members names, in their order
   * @param holders by shard: places in {@code members}, the preferred primary first
   * @param witnesses by shard: a place in {@code members}, -1 for none; null for a service without
   *     witnesses
   */
  static ShardPlacement of(
      String service, int copies, List<String> members, int[][] holders, int[] witnesses) {
    return new ShardPlacement(service, copies, List.copyOf(members), holders, witnesses);
  }

  /**
   * The placement after members have come or gone.
   *
   * @param next names, at least one, each once
   */
  public ShardPlacement with(List<String> next) {
    List<String> sorted = List.copyOf(new TreeSet<>(next));
    if (sorted.isEmpty() || sorted.size() != next.size()) {
      throw Checks.notAllowed("members", next, "one name or more, each once");
    }
    Map<String, Integer> places = new HashMap<>();
    sorted.forEach(member -> places.put(member, places.size()));
    int[][] staying = new int[holders.length][];
    for (int shard = 0; shard < holders.length; shard++) {
      staying[shard] =
          members(shard).stream()
              .filter(places::containsKey)
              .mapToInt(places::get)
              .limit(copies)
              .toArray();
    }
    int[][] balanced = new ShardBalance(service, sorted, copies, staying).balanced();
    return new ShardPlacement(service, copies, sorted, balanced, witnesses(sorted, balanced));
  }

  /** The witnesses after a change of the members; as many as can be stay where they are. */
  private int[] witnesses(List<String> next, int[][] balanced) {
    if (witnesses == null) {
      return null;
    }
    int[] staying = new int[witnesses.length];
    for (int shard = 0; shard < staying.length; shard++) {
      String witness = witness(shard);
      staying[shard] = witness == null ? WitnessBalance.NONE : next.indexOf(witness);
    }
    return new WitnessBalance(service, next, balanced, staying).balanced();
  }

  /**
   * The same with one replica, or the witness, on another member. It gives up the balance: the next
   * change of the members restores it.
   *
   * @throws IllegalArgumentException if there is no such replica, or {@code to} has one already or
   *     is no member
   */
  public ShardPlacement moved(int shard, String from, String to) {
    Checks.range("shard", shard, 0, shards() - 1);
    List<String> now = new ArrayList<>(members(shard));
    if (witness(shard) != null) {
      now.add(witness(shard));
    }
    if (!now.contains(from)) {
      throw Checks.notAllowed("from", from, "one of " + now + ", the members of shard " + shard);
    }
    if (!members.contains(to) || now.contains(to)) {
      List<String> others = new ArrayList<>(members);
      others.removeAll(now);
      throw Checks.notAllowed("to", to, "one of " + others + ", no members of shard " + shard);
    }
    if (from.equals(witness(shard))) {
      int[] moved = witnesses.clone();
      moved[shard] = members.indexOf(to);
      return new ShardPlacement(service, copies, members, holders, moved);
    }
    int[][] changed = holders.clone();
    changed[shard] = holders[shard].clone();
    changed[shard][now.indexOf(from)] = members.indexOf(to);
    return new ShardPlacement(service, copies, members, changed, witnesses);
  }

  public int shards() {
    return holders.length;
  }

  /** The most members that hold a shard; fewer if there are fewer members. */
  int copies() {
    return copies;
  }

  /** Places in {@link #members()} of those that hold a shard; not to be changed. */
  int[] holders(int shard) {
    return holders[shard];
  }

  /** Whether shards have witnesses, where there are members enough. */
  public boolean hasWitnesses() {
    return witnesses != null;
  }

  /** Place in {@link #members()} of the witness of a shard; -1 for none. */
  int witnessPlace(int shard) {
    return witnesses == null ? WitnessBalance.NONE : witnesses[shard];
  }

  /** The member that votes for a shard and does not hold it; null for none. */
  public String witness(int shard) {
    int place = witnessPlace(shard);
    return place == WitnessBalance.NONE ? null : members.get(place);
  }

  /** All members, in the order of their names. */
  public List<String> members() {
    return members;
  }

  /** The members that hold a shard, the preferred primary first. */
  public List<String> members(int shard) {
    List<String> names = new ArrayList<>(holders[shard].length);
    for (int holder : holders[shard]) {
      names.add(members.get(holder));
    }
    return names;
  }

  /** What must be copied on the way from an earlier placement of the same shards to this one. */
  public List<Move> movesFrom(ShardPlacement before) {
    List<Move> moves = new ArrayList<>();
    for (int shard = 0; shard < holders.length; shard++) {
      List<String> old = before.members(shard);
      List<String> now = members(shard);
      List<String> leaving = new ArrayList<>(old);
      leaving.removeAll(now);
      for (String member : now) {
        if (!old.contains(member)) {
          moves.add(new Move(shard, member, leaving.isEmpty() ? null : leaving.remove(0)));
        }
      }
    }
    return moves;
  }
}
