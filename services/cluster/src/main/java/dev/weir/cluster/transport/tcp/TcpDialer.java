package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.GroupAgreement;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
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
      dialedNs = nowNs;
      dial();
    }
  }

  private void probe(Loss loss) {
    SocketChannel channel = open();
    if (channel != null) {
      probing = true;
      new ProbeAttempt(channel, loss).connect(loss.address());
    }
  }

  private void dial() {
    Peer peer = transport.find(link);
    SocketChannel channel = peer == null || peer.replication() == null ? null : open();
    if (channel != null) {
      dialing = true;
      new DialAttempt(channel).connect(peer.replication());
    }
  }

  private SocketChannel open() {
    try {
      SocketChannel channel = SocketChannel.open();
      channel.configureBlocking(false);
      return channel;
    } catch (IOException e) {
      endpoint.dialing().add("cannot open a socket: " + e.getMessage());
      return null;
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

  /** Connects the link: sends a hello and waits for the welcome. */
  private final class DialAttempt extends TcpAttempt {
    /** The random numbers of both ends. */
    private final String own = endpoint.secret() == null ? null : endpoint.secret().nonce();

    private String theirs;

    /** The other end has proven that it knows the secret. */
    private boolean proven;

    DialAttempt(SocketChannel channel) {
      super(endpoint, channel);
    }

    @Override
    void connected() throws IOException {
      channel().setOption(StandardSocketOptions.TCP_NODELAY, true);
      ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
      transport.hello(link.name()).encode(Hello.HELLO, out);
      write(out);
    }

    @Override
    void received() throws IOException {
      for (ByteBuffer in = readHello(); in != null; in = isOver() ? null : readHello()) {
        byte kind = Hello.decodeKind(in);
        switch (kind) {
          case Hello.LATER -> fail(null);
          case Hello.REFUSED -> throw new IllegalStateException(Hello.text(in));
          case Hello.CHALLENGE -> prove(Hello.text(in));
          case Hello.PROOF -> check(Hello.text(in), Hello.text(in));
          default -> use(Hello.decode(in));
        }
      }
    }

    private void prove(String challenge) throws IOException {
      if (endpoint.secret() == null) {
        throw new IllegalStateException(
            "there members have to know a secret, here secretFile is not set");
      }
      theirs = challenge;
      ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
      Hello.encodeTexts(
          Hello.PROOF, out, own, endpoint.secret().proof("dials", transport.group(), theirs, own));
      write(out);
    }

    private void check(String challenge, String proof) {
      proven =
          endpoint.secret() != null
              && theirs != null
              && challenge.equals(theirs)
              && endpoint.secret().isProof(proof, "accepts", transport.group(), own, theirs);
    }

    private void use(Hello theirs) {
      if (endpoint.secret() != null && !proven) {
        throw new IllegalStateException(
            "the other side has not proven that it knows the secret of secretFile");
      }
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
      boolean tlsFails =
          reason instanceof SSLException
              || endpoint.tls() != null && reason instanceof EOFException;
      if (reason instanceof RuntimeException || tlsFails) {
        warn(
            (tlsFails ? "it does not speak TLS that is trusted here: " : "") + reason.getMessage());
      } else if (reason != null) {
        LOG.debug("connecting to {} failed", link.name(), reason);
      }
    }
  }
}
