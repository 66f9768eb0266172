package dev.weir.cluster;

/** How members of a group exchange frames. */
public enum Replication {
  /** Through the Hazelcast members, without a port of our own. */
  HAZELCAST,
  /** Over a TCP connection between each two members of the group. */
  TCP
}
