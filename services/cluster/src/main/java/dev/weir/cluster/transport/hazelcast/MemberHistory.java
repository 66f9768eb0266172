package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.cluster.MembershipEvent;
import com.hazelcast.cluster.MembershipListener;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.LifecycleEvent.LifecycleState;
import dev.weir.cluster.ClusterMember;
import dev.weir.cluster.HostPort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The members of a Hazelcast cluster with the times at which this one saw them join, and those that
 * it saw leave: the last {@value #MAX_LEFT} of them, for an hour. Any thread; never blocks.
 */
public final class MemberHistory {
  static final int MAX_LEFT = 32;
  static final long KEPT_MS = 3_600_000;

  private final LongSupplier clockMs;

  /** In the order in which they joined. */
  private final Map<UUID, ClusterMember> present = new LinkedHashMap<>();

  /** The last to leave is the first. */
  private final Deque<ClusterMember> left = new ArrayDeque<>();

  MemberHistory(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Begins with the present members; ends with the Hazelcast member. */
  public static MemberHistory of(HazelcastInstance hazelcast) {
    MemberHistory history = new MemberHistory(System::currentTimeMillis);
    hazelcast
        .getCluster()
        .addMembershipListener(
            new MembershipListener() {
              @Override
              public void memberAdded(MembershipEvent event) {
                history.read(hazelcast);
              }

              @Override
              public void memberRemoved(MembershipEvent event) {
                history.read(hazelcast);
              }
            });
    hazelcast
        .getLifecycleService()
        .addLifecycleListener(
            event -> {
              if (event.getState() == LifecycleState.MERGED) {
                history.read(hazelcast);
              }
            });
    history.read(hazelcast);
    return history;
  }

  /**
   * Reads what is there now, and not what an event says, which may be late. A member that has left
   * itself sees nobody any more.
   */
  private synchronized void read(HazelcastInstance hazelcast) {
    long nowMs = clockMs.getAsLong();
    if (hazelcast.getLifecycleService().isRunning()) {
      update(
          hazelcast.getCluster().getMembers().stream().map(each -> joined(each, nowMs)).toList(),
          nowMs);
    }
  }

  private static ClusterMember joined(Member member, long nowMs) {
    Address address = member.getAddress();
    return new ClusterMember(
        member.getUuid(),
        HazelcastMembers.name(member),
        new HostPort(address.getHost(), address.getPort()),
        HazelcastMembers.clients(member),
        member.localMember(),
        nowMs,
        0);
  }

  /** Takes in who is a member now. */
  synchronized void update(Collection<ClusterMember> now, long nowMs) {
    Map<UUID, ClusterMember> members =
        now.stream()
            .collect(
                Collectors.toMap(
                    ClusterMember::id, each -> each, (one, same) -> one, LinkedHashMap::new));
    for (ClusterMember member : List.copyOf(present.values())) {
      if (!members.containsKey(member.id())) {
        present.remove(member.id());
        // When two halves of a cluster meet again, this member may get another id.
        if (!member.self()) {
          left.addFirst(left(member, nowMs));
        }
      }
    }
    members.forEach(present::putIfAbsent);
    left.removeIf(member -> members.containsKey(member.id()));
    while (left.size() > MAX_LEFT) {
      left.removeLast();
    }
  }

  private static ClusterMember left(ClusterMember member, long nowMs) {
    return new ClusterMember(
        member.id(),
        member.name(),
        member.address(),
        member.clients(),
        member.self(),
        member.sinceMs(),
        nowMs);
  }

  /** The members in the order in which they joined, then those that left, the last one first. */
  public synchronized List<ClusterMember> members() {
    long nowMs = clockMs.getAsLong();
    left.removeIf(member -> nowMs - member.leftMs() > KEPT_MS);
    List<ClusterMember> all = new ArrayList<>(present.values());
    all.addAll(left);
    return all;
  }
}
