package dev.weir.cluster.transport.hazelcast;

import dev.weir.cluster.GroupOptions;
import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Transport;
import java.nio.ByteBuffer;

/**
 * The transport over the connections between Hazelcast members, which needs no other port. Threads
 * of Hazelcast that run operations call the receiver; losses are also reported by the thread of
 * {@link HazelcastWire}.
 */
public final class HazelcastTransport implements Transport {
  private final HazelcastWire wire;
  private final GroupOptions options;
  private volatile GroupAgreement agreement;
  private volatile Membership membership;
  private volatile Receiver receiver;

  private final FrameLimits limits;

  /** By slot; null for this member and for a slot that was always vacant. */
  private volatile HazelcastLink[] links = new HazelcastLink[Membership.SLOTS];

  /**
   * @param agreement what other members must share to be connected
   */
  public HazelcastTransport(HazelcastWire wire, GroupOptions options, GroupAgreement agreement) {
    this.wire = wire;
    this.agreement = agreement;
    this.options = new GroupOptions(options);
    this.limits = FrameLimits.of(options);
    this.membership = Membership.of(options);
  }

  @Override
  public synchronized void start(Receiver receiver) {
    this.receiver = receiver;
    connect();
    wire.add(options.getName(), this);
  }

  @Override
  public synchronized void members(Membership members) {
    if (members.slot(wire.self()) < 0) {
      // Who is no member any more is told so by those it knows.
      return;
    }
    agreement = agreement.with(members);
    if (members.equals(membership)) {
      return;
    }
    membership = members;
    if (receiver != null) {
      connect();
      wire.wake();
    }
  }

  private void connect() {
    HazelcastLink[] all = links.clone();
    for (int slot = 0; slot < all.length; slot++) {
      String name = membership.name(slot);
      if (all[slot] != null) {
        all[slot].rename(name);
      } else if (slot != membership.slot(wire.self()) && !name.equals(Membership.VACANT)) {
        all[slot] = new HazelcastLink(wire, options, this::agreement, slot, name, receiver);
      }
    }
    links = all;
  }

  private GroupAgreement agreement() {
    return agreement;
  }

  @Override
  public boolean send(int member, ByteBuffer frame) {
    limits.check(frame);
    HazelcastLink link = links[member];
    return link != null && link.send(frame);
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
    int member = membership.slot(name);
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
