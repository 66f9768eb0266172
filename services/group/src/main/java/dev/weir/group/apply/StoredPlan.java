package dev.weir.group.apply;

import dev.weir.group.ShardOptions;
import dev.weir.group.layout.ShardLayout;
import dev.weir.group.placement.ShardPlacement;
import dev.weir.group.placement.ShardPlan;
import io.vertx.core.json.JsonObject;

/**
 * Where the replicas of a service are to be, a part of the state of its first shard: so a change is
 * recorded on as many members as any message, and the primary of that shard knows the plan.
 */
public final class StoredPlan {
  private static final String PLAN = "\1plan";

  private final String service;
  private final ShardPlan first;
  private final int least;
  private final int most;

  /**
   * @param service its name
   * @param first the placement with which the service began
   * @param least the fewest members that the service may have
   * @param most the most members that it may have
   */
  public StoredPlan(String service, ShardPlacement first, int least, int most) {
    this.service = service;
    this.first = new ShardPlan(0, first);
    this.least = least;
    this.most = most;
  }

  /**
   * The plan of a service with this layout.
   *
   * @param least the fewest members that the service may have
   */
  public static StoredPlan of(ShardLayout layout, int least) {
    return new StoredPlan(layout.address(), layout.placement(), least, ShardOptions.MAX_MEMBERS);
  }

  ShardPlan read(ChangeSet state) {
    byte[] plan = state.get(PLAN);
    return plan == null ? first : ShardPlan.decode(service, plan);
  }

  /**
   * Changes the plan, unless it is as wanted already.
   *
   * @param change as of a command
   * @throws IllegalArgumentException if it cannot be changed so
   */
  void change(ChangeSet state, JsonObject change) {
    ShardPlan now = read(state);
    ShardPlan next;
    if (change.containsKey("add")) {
      next = now.added(change.getString("add"), most);
    } else if (change.containsKey("remove")) {
      next = now.removed(change.getString("remove"), least);
    } else if (change.containsKey("move")) {
      next = now.moved(change.getInteger("move"), change.getString("from"), change.getString("to"));
    } else {
      throw new IllegalArgumentException("this version does not know the change " + change);
    }
    if (next.version() != now.version()) {
      state.put(PLAN, next.encode());
    }
  }
}
