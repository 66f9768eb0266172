package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Peer;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a link up again, where it is this member that dials, and asks where a lost process
 * listened whether somebody still does. On the endpoint's thread only.
 */
final class TcpDialer {
  private static final Logger LOG = LoggerFactory.getLogger(TcpDialer.class);
  private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TcpEndpoint endpoint;
  private final TcpTransport transport;
  private final TcpLink link;
  private final boolean dials;
  private boolean dialing;
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
    return link.isConnected() || !dials && !isLossOpen();
  }

  private boolean isLossOpen() {
    Loss loss = link.loss();
    return loss != null && !loss.isRefused();
  }

  void work(long nowNs) {
    if (link.isConnected()) {
      return;
    }
    Loss loss = link.loss();
    if (!probing && loss != null && !loss.isRefused() && nowNs - probedNs >= RETRY_NS) {
      probedNs = nowNs;
      probe(loss);
    }
    if (dials && !dialing && nowNs - dialedNs >= RETRY_NS) {
      dialedNs = nowNs;
      dial();
    }
  }

  private void probe(Loss loss) {
    SocketChannel channel = open();
    if (channel != null) {
      probing = true;
      new TcpProbe(endpoint, channel, refused -> probed(loss, refused)).connect(loss.address);
    }
  }

  private void probed(Loss loss, boolean refused) {
    probing = false;
    if (refused) {
      loss.refuse();
      link.wake();
    }
  }

  private void dial() {
    Peer peer = transport.find(link);
    SocketChannel channel = peer == null || peer.replication() == null ? null : open();
    if (channel != null) {
      dialing = true;
      new TcpDialed(endpoint, channel, transport, link, () -> dialing = false)
          .connect(peer.replication());
    }
  }

  private static SocketChannel open() {
    try {
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      LOG.warn("a connection cannot be opened: {}", e.getMessage());
      return null;
    }
  }
}
