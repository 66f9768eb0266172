package dev.weir.cluster;

import java.util.UUID;

/**
 * A member of the cluster as this member has seen it.
 *
 * @param id Hazelcast's; a member that starts again has another one
 * @param name its {@link NodeOptions#setMemberName name}; null for one that only carries the event
 *     bus
 * @param address of its Hazelcast
 * @param clients where it takes clients; null if it does not
 * @param self whether it is this member
 * @param sinceMs when this member first saw it, ms since 1970; not before its own start
 * @param leftMs when this member saw that it had left, ms since 1970; 0 while it is a member
 */
public record ClusterMember(
    UUID id,
    String name,
    HostPort address,
    HostPort clients,
    boolean self,
    long sinceMs,
    long leftMs) {

  /** Whether it is a member no more. */
  public boolean hasLeft() {
    return leftMs != 0;
  }
}
