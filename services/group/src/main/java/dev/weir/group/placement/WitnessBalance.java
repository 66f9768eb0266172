package dev.weir.group.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Completes and balances the witnesses of a placement: each shard gets one that does not hold it,
 * where there is such a member, and no member has two more than another one, as far as the holders
 * allow it. Few witnesses move: the nearest way from who has too many to who has fewer.
 */
final class WitnessBalance {
  /** {@value}: no member. */
  static final int NONE = -1;

  private final int[][] holders;
  private final int[] witnesses;
  private final long[] shardHashes;
  private final long[] memberHashes;

  /** By member: the shards of which it is the witness. */
  private final List<List<Integer>> held = new ArrayList<>();

  /**
   * @param members names
   * @param holders by shard: places in {@code members}
   * @param staying by shard: the place of a witness that may stay, -1 for none; is changed
   */
  WitnessBalance(String service, List<String> members, int[][] holders, int[] staying) {
    this.holders = holders;
    this.witnesses = staying;
    this.memberHashes = members.stream().mapToLong(StableHash::of).map(StableHash::mix).toArray();
    this.shardHashes = new long[holders.length];
    long serviceHash = StableHash.of(service);
    Arrays.setAll(shardHashes, shard -> StableHash.mix(serviceHash + shard));
    members.forEach(member -> held.add(new ArrayList<>()));
  }

  /** No witness for each of so many shards. */
  static int[] none(int shards) {
    int[] none = new int[shards];
    Arrays.fill(none, NONE);
    return none;
  }

  int[] balanced() {
    for (int shard = 0; shard < holders.length; shard++) {
      if (witnesses[shard] != NONE && mayVote(witnesses[shard], shard)) {
        held.get(witnesses[shard]).add(shard);
      } else {
        witnesses[shard] = NONE;
      }
    }
    for (int shard = 0; shard < holders.length; shard++) {
      if (witnesses[shard] == NONE) {
        fill(shard);
      }
    }
    for (boolean passes = true; passes; ) {
      passes = false;
      for (int member = 0; member < held.size(); member++) {
        passes |= passOn(member);
      }
    }
    return witnesses;
  }

  private boolean mayVote(int member, int shard) {
    for (int holder : holders[shard]) {
      if (holder == member) {
        return false;
      }
    }
    return true;
  }

  /** Gives a shard the witness that has the fewest, and of those the one that ranks first. */
  private void fill(int shard) {
    int best = NONE;
    for (int member = 0; member < held.size(); member++) {
      if (mayVote(member, shard) && (best == NONE || isBetter(member, best, shard))) {
        best = member;
      }
    }
    if (best != NONE) {
      witnesses[shard] = best;
      held.get(best).add(shard);
    }
  }

  private boolean isBetter(int member, int than, int shard) {
    int byLoad = Integer.compare(held.get(member).size(), held.get(than).size());
    return byLoad < 0 || byLoad == 0 && rank(member, shard) > rank(than, shard);
  }

  /** Not the rank of a holder: the witness would be the first to get a replica when one moves. */
  private long rank(int member, int shard) {
    return StableHash.mix(~(shardHashes[shard] ^ memberHashes[member]));
  }

  /**
   * Takes a shard from a member, and gives one to the nearest with two fewer: each member on the
   * way gets one and passes one on.
   *
   * @return false if there is no way
   */
  private boolean passOn(int first) {
    int least = held.get(first).size() - 1;
    if (held.stream().noneMatch(shards -> shards.size() < least)) {
      return false;
    }
    // By member: the shard that it gets; -1 if it is not reached.
    int[] by = new int[held.size()];
    Arrays.fill(by, NONE);
    ArrayDeque<Integer> reached = new ArrayDeque<>(List.of(first));
    while (!reached.isEmpty()) {
      int member = reached.remove();
      for (int shard : held.get(member)) {
        for (int other = 0; other < held.size(); other++) {
          if (other == first || by[other] != NONE || !mayVote(other, shard)) {
            continue;
          }
          by[other] = shard;
          if (held.get(other).size() < least) {
            handOver(first, other, by);
            return true;
          }
          reached.add(other);
        }
      }
    }
    return false;
  }

  private void handOver(int first, int last, int[] by) {
    for (int to = last; to != first; ) {
      int shard = by[to];
      int from = witnesses[shard];
      held.get(from).remove((Integer) shard);
      held.get(to).add(shard);
      witnesses[shard] = to;
      to = from;
    }
  }
}
