package dev.weir.cluster;

/** A Hazelcast member with what its transports need. */
final class HazelcastNode implements TransportNode {
  private final HazelcastWire wire;
  private final HazelcastMembers members;

  HazelcastNode(NodeOptions options) {
    long incarnation = System.nanoTime();
    wire = new HazelcastWire(options.getMemberName(), incarnation);
    members = new HazelcastMembers(options, incarnation, null, wire::configure);
    wire.start(members);
  }

  HazelcastMembers members() {
    return members;
  }

  @Override
  public HazelcastTransport transport(GroupOptions options, String self) {
    return new HazelcastTransport(wire, options);
  }

  @Override
  public void close() {
    wire.close();
    members.close();
  }
}
