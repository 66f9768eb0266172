package dev.weir.cluster.replica;

/**
 * What gives a replica CPU time: threads of its own, or those that the groups of a member share.
 */
public interface GroupDriver {
  void start();

  /** Returns when no thread works for the replica any more. */
  void stop();
}
