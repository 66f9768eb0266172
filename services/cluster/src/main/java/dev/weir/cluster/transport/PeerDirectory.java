package dev.weir.cluster.transport;

/** Finds the addresses of other members by name. */
@FunctionalInterface
public interface PeerDirectory {
  /**
   * Returns the member of that name as it was last seen, even if it has left since; null if it was
   * never seen. Any thread; never blocks.
   */
  Peer find(String name);
}
