package dev.weir.gateway.metrics;

import java.util.List;

/**
 * Says which nodes the cluster has, as this node sees it. {@code
 * dev.weir.gateway.cluster.NodeMembers} is one for weir-cluster. Any thread; must not block.
 */
@FunctionalInterface
public interface ClusterView {
  /** The nodes, this one included; those that have left behind those that are there. */
  List<Node> nodes();

  /**
   * A node of the cluster.
   *
   * @param id not null; one that is started again has another one
   * @param name for people; null if it has none
   * @param address host and port by which the others know it
   * @param self whether it is this node
   * @param sinceMs since when this node knows it, ms since 1970
   * @param leftMs when this node saw that it had left, ms since 1970; 0 while it is there
   */
  record Node(String id, String name, String address, boolean self, long sinceMs, long leftMs) {}
}
