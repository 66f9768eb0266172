package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Peer;
import java.io.EOFException;
import java.net.ConnectException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects one link again when it is lost, and probes whether the lost process is gone. Of two
 * members only one connects; both probe. Used by the endpoint's thread only.
 */
final class TcpDialer {
  private static final Logger LOG = LoggerFactory.getLogger(TcpDialer.class);
  static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TcpEndpoint endpoint;
  private final TcpTransport transport;
  private final TcpLink link;
  private final boolean dials;
  private boolean dialing;

  /** The other end asks for a connection of its own. */
  private boolean alone;

  private boolean probing;
  private long dialedNs = System.nanoTime() - RETRY_NS;
  private long probedNs = dialedNs;

  TcpDialer(TcpEndpoint endpoint, TcpTransport transport, TcpLink link) {
    this.endpoint = endpoint;
    this.transport = transport;
    this.link = link;
    this.dials = transport.dials(link);
  }

  /** Whether there is nothing to do until the endpoint is woken. */
  boolean isSettled() {
    return link.isConnected() || (!dials || link.isVacant()) && openLoss() == null;
  }

  /** The loss whose process may still be alive; null if there is none. */
  private Loss openLoss() {
    Loss loss = link.loss();
    return loss == null || loss.isRefused() ? null : loss;
  }

  /** Begins to dial or to probe if it is time. */
  void work(long nowNs) {
    if (link.isConnected()) {
      return;
    }
    Loss loss = openLoss();
    if (!probing && loss != null && nowNs - probedNs >= RETRY_NS) {
      probedNs = nowNs;
      probe(loss);
    }
    if (dials && !dialing && nowNs - dialedNs >= RETRY_NS) {
      dial(nowNs);
    }
  }

  private void probe(Loss loss) {
    SocketChannel channel = endpoint.openChannel();
    if (channel != null) {
      probing = true;
      new ProbeAttempt(channel, loss).connect(loss.address());
    }
  }

  private void dial(long nowNs) {
    Peer peer = transport.find(link);
    if (peer == null || peer.replication() == null) {
      return;
    }
    Trunks trunks = endpoint.trunks();
    if (alone || transport.trunk() < 0 || !trunks.takesTrunks(peer, nowNs)) {
      dialedNs = nowNs;
      SocketChannel channel = endpoint.openChannel();
      if (channel != null) {
        dialing = true;
        new LinkDial(channel).connect(peer.replication());
      }
      return;
    }
    Trunk trunk = trunks.find(peer, transport.trunk());
    if (trunk == null) {
      trunks.dial(peer, transport.trunk(), nowNs);
    } else {
      dialedNs = nowNs;
      dialing = true;
      new LinkDial(trunk.open()).begin();
    }
  }

  private void warn(String why) {
    String text = "cannot connect " + transport.group() + " with " + link.name() + ": " + why;
    if (GroupAgreement.mayPass(why)) {
      endpoint.dialing().addIfItLasts(text);
    } else {
      endpoint.dialing().add(text);
    }
  }

  /** Finds out whether a process still listens where the lost one did; sends nothing to it. */
  private final class ProbeAttempt extends TcpAttempt {
    private final Loss loss;

    ProbeAttempt(SocketChannel channel, Loss loss) {
      super(endpoint, channel);
      this.loss = loss;
    }

    @Override
    boolean exchanges() {
      return false;
    }

    @Override
    void connected() {
      fail(null);
    }

    @Override
    void received() {
      // The channel is closed as soon as it is connected.
    }

    @Override
    void failed(Exception reason) {
      probing = false;
      // The system's own timeout is also a ConnectException, but this attempt ends long before.
      if (reason instanceof ConnectException) {
        loss.refuse();
        link.wake();
      }
    }
  }

  /** Connects the link, by itself or over a trunk. */
  private final class LinkDial extends TcpDial {
    /** Null if it connects by itself. */
    private final Trunk trunk;

    LinkDial(SocketChannel channel) {
      super(endpoint, channel);
      this.trunk = null;
    }

    LinkDial(TrunkStream stream) {
      super(endpoint, stream);
      this.trunk = stream.trunk();
    }

    @Override
    Hello hello() {
      return transport.hello(link.name());
    }

    @Override
    void later() {
      fail(null);
    }

    @Override
    void alone() {
      alone = true;
      fail(null);
    }

    @Override
    void welcomed(Hello theirs) {
      String refusal = transport.refusal(theirs);
      if (refusal != null) {
        throw new IllegalStateException(refusal);
      }
      offerTo(link, theirs);
      dialing = false;
    }

    @Override
    void failed(Exception reason) {
      dialing = false;
      if (trunk != null) {
        trunk.suspect();
      }
      boolean tlsFails =
          reason instanceof SSLException
              || endpoint.tls() != null && trunk == null && reason instanceof EOFException;
      if (reason instanceof RuntimeException || tlsFails) {
        warn(
            (tlsFails ? "it does not speak TLS that is trusted here: " : "") + reason.getMessage());
      } else if (reason != null) {
        LOG.debug("connecting to {} failed", link.name(), reason);
      }
    }
  }
}
