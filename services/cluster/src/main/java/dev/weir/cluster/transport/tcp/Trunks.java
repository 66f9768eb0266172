package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trunks of an endpoint: for each other member as many as there are readers that groups share.
 * Of two members either may dial; both use what is there. On the endpoint's thread, unless said
 * otherwise.
 */
final class Trunks {
  /** Begins the name that stands in a trunk's greeting in place of a group's, which it never is. */
  private static final String NAME = "@trunk-1.";

  private static final GroupAgreement AGREEMENT = GroupAgreement.parse("");

  /** A member that took no trunk is asked again after that. */
  private static final long ASK_AGAIN_NS = TimeUnit.SECONDS.toNanos(30);

  private static final Logger LOG = LoggerFactory.getLogger(Trunks.class);

  private final TcpEndpoint endpoint;
  private final String self;
  private final List<Trunk> open = new CopyOnWriteArrayList<>();
  private final Set<String> dialing = new HashSet<>();
  private final Map<String, Long> dialedNs = new HashMap<>();

  /** When a process took no trunk, because it is of an earlier version for instance. */
  private final Map<String, Long> refusedNs = new HashMap<>();

  Trunks(TcpEndpoint endpoint, String self) {
    this.endpoint = endpoint;
    this.self = self;
  }

  static boolean isName(String group) {
    return group.startsWith(NAME);
  }

  /**
   * The trunk to a member; null if there is none. It leads to the process that the cluster knows,
   * or to where that was: the next one may listen there before the cluster knows it.
   */
  Trunk find(Peer peer, int index) {
    Trunk found = null;
    for (Trunk trunk : open) {
      boolean isKnown = trunk.incarnation() == peer.incarnation();
      if (trunk.isTo(peer.name(), index) && (isKnown || found == null && trunk.isDialed())) {
        found = trunk;
      }
    }
    return found;
  }

  /** Whether the process takes trunks, as far as that is known. */
  boolean takesTrunks(Peer peer, long nowNs) {
    Long sinceNs = refusedNs.get(process(peer));
    return sinceNs == null || nowNs - sinceNs > ASK_AGAIN_NS;
  }

  private static String process(Peer peer) {
    return peer.name() + '/' + peer.incarnation();
  }

  /** Begins to make a trunk, unless that is under way or was tried just before. */
  void dial(Peer peer, int index, long nowNs) {
    String name = peer.name() + '/' + index;
    Long lastNs = dialedNs.get(name);
    boolean isDue = lastNs == null || nowNs - lastNs >= TcpDialer.RETRY_NS;
    if (isDue && dialing.add(name)) {
      dialedNs.put(name, nowNs);
      SocketChannel channel = endpoint.openChannel();
      if (channel == null) {
        dialing.remove(name);
      } else {
        new Dial(peer, index, name, channel).connect(peer.replication());
      }
    }
  }

  /** Answers the greeting of a trunk. */
  void accept(Hello theirs, TcpAccepted attempt) throws IOException {
    if (!theirs.to().equals(self)) {
      attempt.refuse(
          theirs,
          "it is for " + theirs.to() + ", this member is " + self,
          "the member there is " + self + ", not " + theirs.to());
      return;
    }
    int index = Integer.parseUnsignedInt(theirs.group().substring(NAME.length()));
    TcpReader reader = endpoint.reader(index);
    attempt.welcome(hello(theirs.from(), index));
    add(theirs.from(), index, false, attempt.handOver(theirs), reader);
  }

  private void add(
      String peer, int index, boolean dialed, TcpConnection connection, TcpReader reader) {
    for (Trunk before : open) {
      if (before.isTo(peer, index) && before.isUseless()) {
        before.close();
      }
    }
    Trunk trunk = new Trunk(peer, index, dialed, connection, reader, endpoint, this::lost);
    open.add(trunk);
    reader.wake(trunk);
  }

  /** By a reader. */
  private void lost(Trunk trunk) {
    open.remove(trunk);
    endpoint.wake();
  }

  private Hello hello(String to, int index) {
    return new Hello(
        endpoint.cluster(),
        NAME + index,
        endpoint.secret() == null ? AGREEMENT : AGREEMENT.withSecret(),
        self,
        to,
        endpoint.incarnation(),
        endpoint.address());
  }

  /** When the readers have ended. */
  void closeAll() {
    open.forEach(Trunk::close);
  }

  /**
   * Makes a trunk. If that is refused, the links connect by themselves, and say why they cannot.
   */
  private final class Dial extends TcpDial {
    private final Peer peer;
    private final int index;
    private final String name;

    Dial(Peer peer, int index, String name, SocketChannel channel) {
      super(endpoint, channel);
      this.peer = peer;
      this.index = index;
      this.name = name;
    }

    @Override
    Hello hello() {
      return Trunks.this.hello(peer.name(), index);
    }

    @Override
    void later() {
      throw new IllegalStateException("it knows no trunks");
    }

    @Override
    void alone() {
      later();
    }

    @Override
    void welcomed(Hello theirs) {
      if (!theirs.from().equals(peer.name())) {
        throw new IllegalStateException("there is " + theirs.from() + ", not " + peer.name());
      }
      TcpReader reader = endpoint.reader(index);
      add(peer.name(), index, true, handOver(theirs), reader);
      dialing.remove(name);
    }

    @Override
    void failed(Exception reason) {
      dialing.remove(name);
      if (reason instanceof RuntimeException
          || reason instanceof SSLException
          || endpoint.tls() != null && reason instanceof EOFException) {
        LOG.debug("{} takes no trunk: {}", peer.name(), reason.getMessage());
        refusedNs.put(process(peer), System.nanoTime());
      }
    }
  }
}
