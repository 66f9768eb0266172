package dev.weir.gateway.cluster;

import dev.weir.cluster.ClusterMember;
import dev.weir.gateway.metrics.ClusterView;
import dev.weir.options.Checks;
import java.util.List;
import java.util.function.Supplier;

/**
 * The members of a cluster of weir-cluster, as {@code ClusterNode.members()} has them. Needs
 * weir-cluster on the class path.
 */
public final class NodeMembers implements ClusterView {
  private final Supplier<List<ClusterMember>> members;

  /**
   * @param members such as {@code node::members}; called by any thread
   */
  public NodeMembers(Supplier<List<ClusterMember>> members) {
    this.members = Checks.notNull("members", members);
  }

  @Override
  public List<Node> nodes() {
    return members.get().stream()
        .map(
            member ->
                new Node(
                    member.id().toString(),
                    member.name(),
                    member.address().toString(),
                    member.self(),
                    member.sinceMs(),
                    member.leftMs()))
        .toList();
  }
}
