package dev.weir.group.move;

/**
 * How fast shards move, and when without being asked.
 *
 * @param perMember how many replicas a member sends or gets at a time
 * @param pauseNs how long a member waits after a move has begun until the next one begins, ns
 * @param lostNs how long a member may be away until its shards move to others, ns; 0 for ever
 * @param levelsRoles whether roles are spread evenly after a move
 */
public record MoveLimits(int perMember, long pauseNs, long lostNs, boolean levelsRoles) {}
