package dev.weir.cluster.transport;

/** Tells where a member is. */
public interface PeerDirectory {
  /**
   * The member of that name as it was last seen, though it may have left since; null if it was
   * never seen. Any thread, never blocks.
   */
  Peer find(String name);
}
