package dev.weir.cluster.transport.hazelcast;

import com.hazelcast.config.TcpIpConfig;
import dev.weir.cluster.HostPort;
import dev.weir.cluster.transport.Probe;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Where a member looks for others. It begins to look when each of them either serves its port or
 * refuses.
 *
 * <p>Hazelcast listens for a large part of its start before it serves its port. A member that asks
 * for the role of the oldest meanwhile loses its question, and Hazelcast waits 10 s for the answer.
 * So two members that started together joined 10 s late.
 */
final class PatientJoin extends TcpIpConfig {
  /**
   * How long members look for an older one before one of them claims to be the oldest. The claim
   * needs the consent of all that can be reached, so a short time is safe.
   */
  private static final int MASTER_SEARCH_S = 1;

  /** A member that listens and does not serve for so long hangs. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(15);

  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int PROBE_MS = 500;

  /** What a member of Hazelcast sends first, and is answered with by one that serves. */
  private static final String GREETING = "HZC";

  private final InetSocketAddress own;
  private boolean waited;

  /**
   * @param own address of this member
   * @param others addresses to look at, this member's own maybe among them
   */
  PatientJoin(InetSocketAddress own, List<String> others) {
    this.own = own;
    setEnabled(true);
    setMembers(List.copyOf(others));
    setConnectionTimeoutSeconds(MASTER_SEARCH_S);
  }

  /** Hazelcast asks for this when its own port is served and it begins to look for others. */
  @Override
  public synchronized int getConnectionTimeoutSeconds() {
    // Two members that waited for each other before they serve would wait for long.
    if (!waited && Probe.greet(own, GREETING, PROBE_MS) == Probe.Answer.SERVES) {
      awaitOthers();
    }
    return super.getConnectionTimeoutSeconds();
  }

  /** Blocks until each of the others serves or refuses; once. This member must serve its port. */
  synchronized void awaitOthers() {
    if (waited) {
      return;
    }
    waited = true;
    long endNs = System.nanoTime() + PATIENCE_NS;
    for (String other : getMembers()) {
      HostPort at = HostPort.of(other);
      InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
      while (System.nanoTime() - endNs < 0
          && Probe.greet(address, GREETING, PROBE_MS) == Probe.Answer.LISTENS) {
        LockSupport.parkNanos(PAUSE_NS);
      }
    }
  }
}
