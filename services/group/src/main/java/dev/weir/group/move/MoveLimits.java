package dev.weir.group.move;

import dev.weir.cluster.GroupOptions;
import dev.weir.group.ShardOptions;
import dev.weir.options.Checks;
import java.util.concurrent.TimeUnit;

/**
 * How fast shards move, and when without being asked.
 *
 * @param perMember how many replicas a member sends or gets at a time
 * @param pauseNs how long a member waits after a move has begun until the next one begins, ns
 * @param lostNs how long a member may be away until its shards move to others, ns; 0 for ever
 * @param levelsRoles whether roles are spread evenly after a move
 */
public record MoveLimits(int perMember, long pauseNs, long lostNs, boolean levelsRoles) {
  /**
   * As the options of a service say.
   *
   * @return null if replicas stay: without a log there is no record of a change of the members
   */
  public static MoveLimits of(ShardOptions shards, GroupOptions group) {
    Checks.notNull("shards", shards);
    if (!Checks.notNull("group", group).isPersistence()) {
      return null;
    }
    return new MoveLimits(
        shards.getMovesPerMember(),
        TimeUnit.MILLISECONDS.toNanos(shards.getMovePauseMs()),
        TimeUnit.MILLISECONDS.toNanos(shards.getMemberLostAfterMs()),
        group.getHandBackMs() == 0);
  }
}
