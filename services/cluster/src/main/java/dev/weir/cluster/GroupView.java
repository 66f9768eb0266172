package dev.weir.cluster;

import java.util.List;

/**
 * One look at a replica, at the other members of its group as it knows them, and at its last
 * changes of role.
 *
 * @param stats its figures
 * @param behind messages that its primary has and it has not, as of the primary's last heartbeat; 0
 *     for a primary, -1 if it hears none
 * @param behindMs for how long at least the oldest of these is missing, ms, to about 0.1 s or a
 *     tenth; -1 if unknown
 * @param peers the other members, in the order of the group
 * @param changes the last changes of its role or epoch since its start, at most {@value
 *     #MAX_CHANGES}, the newest first
 */
public record GroupView(
    GroupStats stats, long behind, long behindMs, List<Peer> peers, List<RoleChange> changes) {
  /** {@value}: so many changes are kept. */
  public static final int MAX_CHANGES = 20;

  /**
   * Another member of the group.
   *
   * @param name of the member
   * @param witness whether it votes and holds no messages
   * @param connected whether something was heard of it on its present connection
   * @param inSync whether it is in sync, as far as this replica knows
   * @param position position behind the last message it has, as far as this replica knows; -1 if
   *     unknown, and for a witness
   * @param behind messages of the primary that it has not; -1 if unknown, and for a witness
   * @param behindMs for how long at least the oldest of these is missing, ms, to about 0.1 s or a
   *     tenth; -1 if unknown, and for a witness
   * @param silentMs since when nothing was heard of it, ms; -1 if it is not connected
   */
  public record Peer(
      String name,
      boolean witness,
      boolean connected,
      boolean inSync,
      long position,
      long behind,
      long behindMs,
      long silentMs) {}

  /**
   * A change of this replica's role, or of its epoch.
   *
   * @param atMs when it was, ms since 1970
   * @param role from then on
   * @param epoch from then on
   * @param primary of that epoch; null if none was known
   */
  public record RoleChange(long atMs, Role role, long epoch, String primary) {}
}
