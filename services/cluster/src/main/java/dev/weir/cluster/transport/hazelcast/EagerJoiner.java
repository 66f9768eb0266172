package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.cluster.Address;
import com.hazelcast.config.Config;
import com.hazelcast.config.TcpIpConfig;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.internal.cluster.Joiner;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import com.hazelcast.internal.cluster.impl.TcpIpJoiner;
import com.hazelcast.internal.cluster.impl.operations.JoinMastershipClaimOp;
import com.hazelcast.internal.server.tcp.LocalAddressRegistry;
import dev.weir.cluster.transport.Probe;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the oldest member of a Hazelcast cluster, or becomes it, by the rules of Hazelcast's own
 * joiner and sooner. Hazelcast asks once a second, and a member that finds no oldest one claims
 * that role after a second of asking. So two members that start together need two to three seconds.
 *
 * <p>This joiner asks many times a second, and claims once each of the addresses is connected or
 * refuses, if its own address has the least hash of those that are connected. A claim needs the
 * consent of all but those that refuse a connection at that moment. Two members that claim at once
 * both listen already, so at least one of them asks the other and is refused: there is one oldest
 * member. Hazelcast's list of addresses that refused would not do, because a member on it may have
 * started since. Where all this leads to nothing for {@link #EAGER_NS}, Hazelcast's joiner goes on.
 * That one may make two members the oldest; their clusters merge later.
 */
final class EagerJoiner extends TcpIpJoiner {
  private static final long EAGER_NS = TimeUnit.SECONDS.toNanos(20);
  private static final long PAUSE_MS = 50;
  private static final long CLAIM_MS = 1_000;
  private static final int PROBE_MS = 500;

  /** One that does not admit this member for so long may not be the oldest any more. */
  private static final long ADMISSION_NS = TimeUnit.SECONDS.toNanos(2);

  private volatile boolean claiming;

  private EagerJoiner(Node node) {
    super(node);
  }

  /** Starts a member with this joiner; blocks until it has joined a cluster. */
  static HazelcastInstance start(Config config) {
    return HazelcastInstanceFactory.newHazelcastInstance(
        config,
        config.getInstanceName(),
        new DefaultNodeContext() {
          @Override
          public Joiner createJoiner(Node node) {
            return new EagerJoiner(node);
          }
        });
  }

  /** Whether another member's claim must be refused. */
  @Override
  public boolean isClaimingMastership() {
    return claiming || super.isClaimingMastership();
  }

  @Override
  public void doJoin() {
    try {
      if (getTargetAddress() == null) {
        joinEagerly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      logger.warning(e);
    }
    if (!clusterService.isJoined()) {
      super.doJoin();
    }
  }

  private void joinEagerly() throws InterruptedException {
    TcpIpConfig join = config.getNetworkConfig().getJoin().getTcpIpConfig();
    if (join instanceof PatientJoin patient) {
      patient.awaitOthers();
    }
    Collection<Address> others = new ArrayList<>(getPossibleAddressesForInitialJoin());
    others.removeIf(this::isSelf);
    long endNs = System.nanoTime() + EAGER_NS;
    long knownNs = System.nanoTime();
    while (shouldRetry() && System.nanoTime() - endNs < 0) {
      ask(others);
      // Ends also when the oldest member is known, which is asked for admission next.
      clusterService.blockOnJoin(PAUSE_MS);
      if (clusterService.isJoined()) {
        return;
      }
      if (clusterService.getMasterAddress() == null) {
        if (mayClaim(others) && claim(others)) {
          return;
        }
        knownNs = System.nanoTime();
      } else if (System.nanoTime() - knownNs > ADMISSION_NS) {
        forgetOldest();
      }
    }
    forgetOldest();
    // One that refused long ago may have started since; Hazelcast's joiner would not ask it.
    others.forEach(this::unblacklist);
  }

  /** Unless this member was admitted meanwhile: then Hazelcast throws, or warns. */
  private void forgetOldest() {
    if (!clusterService.isJoined()) {
      clusterService.setMasterAddressToJoin(null);
    }
  }

  /** Whether it is an address of this member, maybe by another name of the host. */
  private boolean isSelf(Address address) {
    try {
      LocalAddressRegistry registry = node.getLocalAddressRegistry();
      Address resolved = new Address(address.getInetSocketAddress());
      return node.getThisUuid().equals(registry.uuidOf(address))
          || node.getThisUuid().equals(registry.uuidOf(resolved));
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** Asks the oldest member for admission, or others for the oldest member. */
  private void ask(Collection<Address> others) {
    Address oldest = clusterService.getMasterAddress();
    if (oldest != null) {
      clusterJoinManager.sendJoinRequest(oldest);
      return;
    }
    for (Address other : others) {
      if (!isBlacklisted(other)) {
        clusterJoinManager.sendMasterQuestion(other);
      }
    }
  }

  private boolean isConnected(Address address) {
    return node.getServer().getConnectionManager(EndpointQualifier.MEMBER).get(address) != null;
  }

  /** Whether nobody is left to be connected, and nobody who is goes before this member. */
  private boolean mayClaim(Collection<Address> others) {
    int own = node.getThisAddress().hashCode();
    for (Address other : others) {
      boolean isBefore =
          isConnected(other) ? own > primary(other).hashCode() : !isBlacklisted(other);
      if (isBefore) {
        return false;
      }
    }
    return true;
  }

  /** The address by which the member calls itself, as far as it has said that. */
  private Address primary(Address address) {
    LocalAddressRegistry registry = node.getLocalAddressRegistry();
    UUID member = registry.uuidOf(address);
    Address primary = member == null ? null : registry.getPrimaryAddress(member);
    return primary == null ? address : primary;
  }

  private boolean claim(Collection<Address> others) throws InterruptedException {
    // Before it looks whom to ask: of two that claim at once, one has to see the other.
    claiming = true;
    try {
      return isGranted(others) && clusterJoinManager.setThisMemberAsMaster();
    } finally {
      claiming = false;
    }
  }

  private boolean isGranted(Collection<Address> others) throws InterruptedException {
    List<Future<Boolean>> answers = new ArrayList<>();
    for (Address other : others) {
      if (isConnected(other)) {
        answers.add(
            node.getNodeEngine()
                .getOperationService()
                .createInvocationBuilder(
                    ClusterServiceImpl.SERVICE_NAME, new JoinMastershipClaimOp(), other)
                .setTryCount(1)
                .invoke());
      } else if (!refuses(other)) {
        // It has started since it was asked last.
        unblacklist(other);
        return false;
      }
    }
    boolean granted = true;
    for (Future<Boolean> answer : answers) {
      try {
        granted &= answer.get(CLAIM_MS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        logger.fine(e);
        granted = false;
      }
    }
    return granted;
  }

  /** Whether nobody listens at an address at the moment. */
  private static boolean refuses(Address address) {
    try {
      return Probe.ask(address.getInetSocketAddress(), PROBE_MS) == Probe.Answer.REFUSED;
    } catch (UnknownHostException e) {
      return false;
    }
  }
}
