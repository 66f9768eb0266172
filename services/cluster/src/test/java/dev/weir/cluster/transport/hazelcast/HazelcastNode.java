package dev.weir.cluster.transport.hazelcast;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.NodeOptions;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.TransportNode;

/** A Hazelcast member with what its transports need. */
public final class HazelcastNode implements TransportNode {
  private final HazelcastWire wire;
  private final HazelcastMembers members;

  public HazelcastNode(NodeOptions options) {
    long incarnation = System.nanoTime();
    wire = new HazelcastWire(options.getMemberName(), incarnation);
    members = new HazelcastMembers(options, incarnation, null, wire::configure);
    wire.start(members);
  }

  @Override
  public HazelcastTransport transport(GroupOptions options, String self) {
    return new HazelcastTransport(wire, options, GroupAgreement.of(options, "test"));
  }

  @Override
  public void close() {
    wire.close();
    members.close();
  }
}
