package dev.weir.group.placement;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Completes and balances a placement in three steps. Each changes as little as it can:
 *
 * <ol>
 *   <li>a shard with too few copies gets the members that rank first for it and have room;
 *   <li>while one member holds two shards more than another, the other one takes over the shard for
 *       which it ranks highest;
 *   <li>preferred primaries go from members with too many to members with too few, over a chain of
 *       members that hold the same shards. No data moves for that.
 * </ol>
 *
 * A second step always has a shard to move: who holds more shards holds one that the other does
 * not.
 */
final class ShardBalance {
  private final int copies;
  private final long[] memberHashes;
  private final long[] shardHashes;

  /** By shard: its members, the preferred primary first. */
  private final int[][] holders;

  /** By member: the shards that it holds. */
  private final List<List<Integer>> held = new ArrayList<>();

  /** By member: how many shards it holds. */
  private final int[] load;

  /** By member: the shards of which it is the preferred primary. */
  private final List<List<Integer>> led = new ArrayList<>();

  /**
   * @param holders members of each shard that stay; at most {@code copies} each
   */
  ShardBalance(String service, List<String> members, int copies, int[][] holders) {
    this.copies = Math.min(copies, members.size());
    this.memberHashes = members.stream().mapToLong(StableHash::of).map(StableHash::mix).toArray();
    this.shardHashes = new long[holders.length];
    this.holders = holders;
    this.load = new int[members.size()];
    long serviceHash = StableHash.of(service);
    for (int shard = 0; shard < holders.length; shard++) {
      shardHashes[shard] = StableHash.mix(serviceHash + shard);
    }
    members.forEach(
        member -> {
          held.add(new ArrayList<>());
          led.add(new ArrayList<>());
        });
  }

  int[][] balanced() {
    for (int shard = 0; shard < holders.length; shard++) {
      for (int member : holders[shard]) {
        hold(member, shard);
      }
    }
    fill();
    level();
    for (int shard = 0; shard < holders.length; shard++) {
      led.get(holders[shard][0]).add(shard);
    }
    levelPrimaries();
    return holders;
  }

  /** The rendezvous rank: of the members, those with the highest numbers are first. */
  private long rank(int shard, int member) {
    return StableHash.mix(shardHashes[shard] ^ memberHashes[member]);
  }

  private void fill() {
    int members = held.size();
    long all = (long) holders.length * copies;
    int least = (int) (all / members);
    int most = (int) ((all + members - 1) / members);
    long[] ranks = new long[members];
    for (int shard = 0; shard < holders.length; shard++) {
      int missing = copies - holders[shard].length;
      if (missing == 0) {
        continue;
      }
      for (int member = 0; member < members; member++) {
        ranks[member] = rank(shard, member);
      }
      for (int i = 0; i < missing; i++) {
        // First to those who must get more. Without room anywhere it is the next step that mends.
        int member = best(shard, ranks, least);
        member = member < 0 ? best(shard, ranks, most) : member;
        add(shard, member < 0 ? best(shard, ranks, Integer.MAX_VALUE) : member);
      }
    }
  }

  /** The member that ranks first of those with fewer than {@code most} shards; -1 for none. */
  private int best(int shard, long[] ranks, int most) {
    int best = -1;
    for (int member = 0; member < ranks.length; member++) {
      if ((best < 0 || ranks[member] > ranks[best])
          && load[member] < most
          && !holds(shard, member)) {
        best = member;
      }
    }
    return best;
  }

  private boolean holds(int shard, int member) {
    for (int holder : holders[shard]) {
      if (holder == member) {
        return true;
      }
    }
    return false;
  }

  private void add(int shard, int member) {
    int count = holders[shard].length;
    holders[shard] = Arrays.copyOf(holders[shard], count + 1);
    holders[shard][count] = member;
    hold(member, shard);
  }

  private void hold(int member, int shard) {
    held.get(member).add(shard);
    load[member]++;
  }

  private void level() {
    for (; ; ) {
      int fewest = 0;
      int most = 0;
      for (int member = 1; member < load.length; member++) {
        fewest = load[member] < load[fewest] ? member : fewest;
        most = load[member] > load[most] ? member : most;
      }
      if (load[most] - load[fewest] <= 1) {
        return;
      }
      move(preferred(most, fewest), most, fewest);
    }
  }

  /** Of the shards of one member, that for which another one ranks highest and that it lacks. */
  private int preferred(int from, int to) {
    int best = -1;
    for (int shard : held.get(from)) {
      if (!holds(shard, to) && (best < 0 || rank(shard, to) > rank(best, to))) {
        best = shard;
      }
    }
    return best;
  }

  private void move(int shard, int from, int to) {
    for (int i = 0; i < holders[shard].length; i++) {
      if (holders[shard][i] == from) {
        holders[shard][i] = to;
      }
    }
    held.get(from).remove((Integer) shard);
    load[from]--;
    hold(to, shard);
  }

  private void levelPrimaries() {
    int least = holders.length / held.size();
    int most = (holders.length + held.size() - 1) / held.size();
    passOnAbove(most);
    passOnAbove(least);
  }

  /** Takes roles from members with more than {@code limit}, as long as there is a way. */
  private void passOnAbove(int limit) {
    for (int member = 0; member < led.size(); member++) {
      while (led.get(member).size() > limit
          && led.stream().anyMatch(shards -> shards.size() < limit)
          && passOn(member, limit)) {
        // One less.
      }
    }
  }

  /**
   * Takes a role from a member and gives one to the nearest member with fewer than {@code limit}:
   * each member on the way gets one and passes one on.
   *
   * @return false if there is no way
   */
  private boolean passOn(int first, int limit) {
    // By member: the shard whose role it gets; -1 if it is not reached.
    int[] by = new int[held.size()];
    Arrays.fill(by, -1);
    ArrayDeque<Integer> reached = new ArrayDeque<>(List.of(first));
    while (!reached.isEmpty()) {
      int member = reached.remove();
      for (int shard : led.get(member)) {
        for (int other : holders[shard]) {
          if (other == first || other == member || by[other] >= 0) {
            continue;
          }
          by[other] = shard;
          if (led.get(other).size() < limit) {
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
      int from = holders[shard][0];
      for (int i = 0; i < holders[shard].length; i++) {
        if (holders[shard][i] == to) {
          holders[shard][i] = from;
        }
      }
      holders[shard][0] = to;
      led.get(from).remove((Integer) shard);
      led.get(to).add(shard);
      to = from;
    }
  }
}
