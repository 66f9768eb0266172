package dev.weir.cluster.client;

import dev.weir.cluster.HostPort;
import java.util.List;
import java.util.function.Supplier;

/** The members of a group, which a client tries in turn. Not thread-safe. */
final class MemberRing {
  private final Supplier<List<HostPort>> members;
  private int index;

  /**
   * @param members those whose addresses are known at the moment
   */
  MemberRing(Supplier<List<HostPort>> members) {
    this.members = members;
  }

  /** The member to try; null if none is known. */
  HostPort current() {
    List<HostPort> known = members.get();
    return known.isEmpty() ? null : known.get(index % known.size());
  }

  void next() {
    index = (index + 1) & Integer.MAX_VALUE;
  }
}
