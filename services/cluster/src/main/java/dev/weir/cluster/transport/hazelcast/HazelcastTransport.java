package dev.weir.cluster.transport.hazelcast;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The transport over the connections between Hazelcast members, which needs no other port. Threads
 * of Hazelcast that run operations call the receiver; losses are also reported by the thread of
 * {@link HazelcastWire}.
 */
public final class HazelcastTransport implements Transport {
  private final HazelcastWire wire;
  private final GroupOptions options;
  private final GroupAgreement agreement;
  private final FrameLimits limits;
  private final HazelcastLink[] links;

  /**
   * @param agreement what other members must share to be connected
   */
  public HazelcastTransport(HazelcastWire wire, GroupOptions options, GroupAgreement agreement) {
    this.wire = wire;
    this.agreement = agreement;
    this.options = new GroupOptions(options);
    this.limits = FrameLimits.of(options);
    this.links = new HazelcastLink[options.getMembers().size()];
  }

  @Override
  public void start(Receiver receiver) {
    List<String> members = options.getMembers();
    for (int i = 0; i < links.length; i++) {
      if (!members.get(i).equals(wire.self())) {
        links[i] = new HazelcastLink(wire, options, agreement, i, receiver);
      }
    }
    wire.add(options.getName(), this);
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    limits.check(frame);
    return links[member].send(frame);
  }

  /** Does nothing: the connections are Hazelcast's. */
  @Override
  public void drop(int member) {
    // Hazelcast closes silent connections itself.
  }

  /** Does nothing: Hazelcast has threads of its own. */
  @Override
  public int poll() {
    return 0;
  }

  /** The link to the member of this name; null for this member and for one outside the group. */
  HazelcastLink link(String name) {
    int member = options.getMembers().indexOf(name);
    return member < 0 ? null : links[member];
  }

  /** Ticks all links; called by the wire's thread. */
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
