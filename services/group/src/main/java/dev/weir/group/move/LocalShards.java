package dev.weir.group.move;

import dev.weir.cluster.ProcessorGroup;
import dev.weir.group.placement.ShardPlaces;
import dev.weir.group.placement.ShardPlan;
import io.vertx.core.Future;
import java.util.Set;

/** The replicas of a service on this member, as moves see them. Any thread. */
public interface LocalShards {
  /** The shards whose replicas run here. */
  Set<Integer> shards();

  /** The replica of a shard; null if none runs here. */
  ProcessorGroup group(int shard);

  /**
   * Starts a replica that has no log here, or goes on with its log. Blocks.
   *
   * @param places the members of the shard, with this one
   */
  void start(int shard, ShardPlaces places);

  /** Ends a replica, and keeps its log. Blocks. */
  void stop(int shard);

  /** Starts a replica that was stopped. Blocks. */
  void restart(int shard);

  /** Ends a replica, and deletes its log. Blocks. */
  void delete(int shard);

  /** Where the replicas are to be; fails on a member that is not primary of the first shard. */
  Future<ShardPlan> plan();

  /** Completes if this member is primary of a shard and may acknowledge; fails otherwise. */
  Future<Void> confirmPrimary(int shard);
}
