package dev.weir.cluster.transport.hazelcast;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Frames over the connections between Hazelcast members; no other port. Receivers are called by
 * threads of Hazelcast that run operations, and about losses also by a thread of {@link
 * HazelcastWire}.
 */
public final class HazelcastTransport implements Transport {
  private final HazelcastWire wire;
  private final GroupOptions options;
  private final FrameLimits limits;
  private final HazelcastLink[] links;

  public HazelcastTransport(HazelcastWire wire, GroupOptions options) {
    this.wire = wire;
    this.options = new GroupOptions(options);
    this.limits = FrameLimits.of(options);
    this.links = new HazelcastLink[options.getMembers().size()];
  }

  @Override
  public void start(Receiver receiver) {
    List<String> members = options.getMembers();
    for (int i = 0; i < links.length; i++) {
      if (!members.get(i).equals(wire.self())) {
        links[i] = new HazelcastLink(wire, options, i, receiver);
      }
    }
    wire.add(options.getName(), this);
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    limits.check(frame);
    return links[member].send(frame);
  }

  /** Does nothing: Hazelcast looks after its connections. */
  @Override
  public void drop(int member) {
    // See above.
  }

  /** Does nothing: Hazelcast has threads of its own. */
  @Override
  public int poll() {
    return 0;
  }

  /** Link to a member by its name; null if it is this one or not in the group. */
  HazelcastLink link(String name) {
    int member = options.getMembers().indexOf(name);
    return member < 0 ? null : links[member];
  }

  /** Looks after the links; by the wire's thread. */
  void tick() {
    for (HazelcastLink link : links) {
      if (link != null) {
        link.tick();
      }
    }
  }

  @Override
  public void close() {
    wire.remove(options.getName(), this);
    for (HazelcastLink link : links) {
      if (link != null) {
        link.close();
      }
    }
  }
}
