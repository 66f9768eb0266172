package dev.weir.group.layout;

import dev.weir.group.placement.ShardStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Who holds the shards of a service, as far as this member was told. It begins with the layout. Any
 * thread.
 */
public final class ShardDirectory {
  private final ShardLayout layout;
  private final AtomicReferenceArray<ShardStatus> known;
  private final Map<String, Long> heardNs = new ConcurrentHashMap<>();
  private volatile List<String> planned;
  private volatile int moves = -1;

  public ShardDirectory(ShardLayout layout) {
    this.layout = layout;
    this.known = new AtomicReferenceArray<>(layout.shards());
    this.planned = layout.members();
  }

  public ShardLayout layout() {
    return layout;
  }

  /** The member that votes for a shard and does not hold it; null for none. */
  public String witness(int shard) {
    ShardStatus status = known.get(shard);
    return status == null ? layout.places(shard).witness() : status.witness();
  }

  /** The members that hold a shard, the primary first if it is known. */
  public List<String> members(int shard) {
    ShardStatus status = known.get(shard);
    if (status == null) {
      return layout.members(shard);
    }
    List<String> members = new ArrayList<>(status.holders());
    members.remove(status.primary());
    members.add(0, status.primary());
    return members;
  }

  /** What the primary of a shard said last; null if none has said anything. */
  public ShardStatus status(int shard) {
    return known.get(shard);
  }

  /** What is known of all shards; null for those of which nothing is. */
  public List<ShardStatus> statuses() {
    List<ShardStatus> all = new ArrayList<>();
    for (int shard = 0; shard < layout.shards(); shard++) {
      all.add(known.get(shard));
    }
    return all;
  }

  /** Takes in what a primary says, unless a later one is known. */
  public void learn(ShardStatus status) {
    if (status.shard() >= 0 && status.shard() < layout.shards()) {
      known.accumulateAndGet(status.shard(), status, (old, told) -> told.isAfter(old) ? told : old);
    }
  }

  /** A member of the service was heard. */
  public void heard(String member, long nowNs) {
    heardNs.put(member, nowNs);
  }

  /** Whether a member was heard within a time. */
  public boolean isHeard(String member, long withinNs, long nowNs) {
    Long atNs = heardNs.get(member);
    return atNs != null && nowNs - atNs <= withinNs;
  }

  /** Takes in what the member that moves shards says. */
  public void plan(List<String> members, int left) {
    planned = List.copyOf(members);
    moves = left;
  }

  /** The members over which shards are to be spread, as far as this member was told. */
  public List<String> planned() {
    return planned;
  }

  /** How many replicas still have to move; -1 if this member was told nothing. */
  public int moves() {
    return moves;
  }
}
