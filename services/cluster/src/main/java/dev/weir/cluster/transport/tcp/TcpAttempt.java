package dev.weir.cluster.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that is being established: connected first, then greeted. It ends when the
 * connection is handed over, fails, or takes too long. Used by the endpoint's thread only.
 */
abstract class TcpAttempt {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAttempt.class);
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

  /** The first handshakes of a process take long. */
  private static final long TLS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

  /** How the first record of TLS begins. */
  private static final int TLS_HANDSHAKE = 0x1603;

  private final TcpEndpoint endpoint;

  /** Null if the connection is a stream of a trunk. */
  private final SocketChannel channel;

  /** What greetings are read from and written to: the channel itself, TLS over it, or a stream. */
  private final ByteChannel stream;

  private final TlsChannel tls;
  private boolean secured;
  private final long startNs = System.nanoTime();
  private final ByteBuffer in =
      ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES).limit(Integer.BYTES);
  private boolean connected;

  /** A whole greeting is in the buffer. */
  private boolean complete;

  private boolean over;

  TcpAttempt(TcpEndpoint endpoint, SocketChannel channel) {
    this.endpoint = endpoint;
    this.channel = channel;
    this.connected = channel.isConnected();
    this.tls =
        endpoint.tls() == null || !exchanges()
            ? null
            : new TlsChannel(channel, endpoint.tls().engine(!connected));
    this.stream = tls == null ? channel : tls;
  }

  /** Over a trunk; {@link #begin} must follow. */
  TcpAttempt(TcpEndpoint endpoint, TrunkStream stream) {
    this.endpoint = endpoint;
    this.channel = null;
    this.connected = true;
    this.tls = null;
    this.stream = stream;
    stream.onReady(() -> endpoint.execute(this::ready));
  }

  final TcpEndpoint endpoint() {
    return endpoint;
  }

  final SocketChannel channel() {
    return channel;
  }

  final boolean isOnTrunk() {
    return channel == null;
  }

  /** The trunk of which it is a stream. */
  final Trunk trunk() {
    return ((TrunkStream) stream).trunk();
  }

  /** Whether it sends and receives greetings. */
  boolean exchanges() {
    return true;
  }

  /** Called once when a connection to another member is established. */
  void connected() throws IOException {}

  /** Called when bytes have arrived. */
  abstract void received() throws IOException;

  /** Called once if the attempt failed; the reason is null if it took too long. */
  abstract void failed(Exception reason);

  /** Begins on a trunk, where it is connected already. */
  final void begin() {
    endpoint.follow(this);
    try {
      connected();
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Begins to connect. */
  final void connect(InetSocketAddress address) {
    endpoint.follow(this, 0);
    try {
      if (channel.connect(address)) {
        finishConnect();
      } else {
        endpoint.follow(this, SelectionKey.OP_CONNECT);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  private void finishConnect() throws IOException {
    connected = true;
    if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
      // If nobody listens at a port of this machine, TCP may connect a socket to itself.
      throw new ConnectException("nobody listens at " + channel.getRemoteAddress());
    }
    endpoint.follow(this, SelectionKey.OP_READ);
    if (isSecure()) {
      connected();
    }
  }

  /** Continues the handshake of TLS, if that is on; returns whether it is over. */
  private boolean isSecure() throws IOException {
    secured = secured || tls == null || tls.handshake();
    return secured;
  }

  /** Continues when the channel is ready. */
  final void ready() {
    if (over) {
      return;
    }
    try {
      if (connected) {
        boolean before = secured || tls == null;
        if (isSecure()) {
          if (!before) {
            connected();
          }
          received();
        }
      } else if (channel.finishConnect()) {
        finishConnect();
      }
    } catch (SSLException e) {
      refusePlain();
      fail(e);
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Tells a member without TLS why it is refused. */
  private void refusePlain() {
    if (tls.isPlain()) {
      ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES);
      Hello.encodeRefused("there members speak TLS, here tlsCertificates is not set", out);
      try {
        channel.write(out);
      } catch (IOException e) {
        LOG.debug("a member without TLS is not told that it is refused", e);
      }
    }
  }

  /** Closes the channel and ends the attempt. */
  final void fail(Exception reason) {
    if (!over) {
      over = true;
      TcpConnection.close(isOnTrunk() ? stream : channel);
      failed(reason);
    }
  }

  /** Ends the attempt and hands the connection over to a link. */
  final void offerTo(TcpLink link, Hello theirs) {
    link.offer(theirs.from(), handOver(theirs));
  }

  /** Ends the attempt; returns the connection. */
  final TcpConnection handOver(Hello theirs) {
    over = true;
    if (!isOnTrunk()) {
      endpoint.release(channel);
    }
    return new TcpConnection(channel, stream, theirs.incarnation(), theirs.listening());
  }

  final void setNoDelay() throws IOException {
    if (!isOnTrunk()) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  final boolean isOver() {
    return over;
  }

  /** Whether the attempt has ended; ends one that takes too long. */
  final boolean isOver(long nowNs) {
    if (!over && nowNs - startNs > (tls == null ? TIMEOUT_NS : TLS_TIMEOUT_NS)) {
      fail(null);
    }
    return over;
  }

  /** Reads the other side's greeting and no byte more; null if it is not complete yet. */
  final ByteBuffer readHello() throws IOException {
    if (complete) {
      complete = false;
      in.clear().limit(Integer.BYTES);
    }
    if (in.limit() == Integer.BYTES) {
      if (!readAll() || in.position() < Integer.BYTES) {
        return null;
      }
      int bytes = in.getInt(0);
      if (bytes < 0 || bytes > Hello.MAX_BYTES) {
        throw new IllegalArgumentException(
            bytes >>> 16 == TLS_HANDSHAKE ? Hello.TLS_OFF : Hello.OTHER_PROTOCOL);
      }
      in.limit(Integer.BYTES + bytes);
    }
    complete = !in.hasRemaining() || readAll();
    return complete ? in.position(Integer.BYTES) : null;
  }

  /** Reads what has arrived; returns whether the buffer is full. */
  private boolean readAll() throws IOException {
    if (stream.read(in) < 0) {
      throw new EOFException("closed by the other side");
    }
    return !in.hasRemaining();
  }

  /** Writes a greeting, which fits into the buffer of any new socket. */
  final void write(ByteBuffer out) throws IOException {
    if (isOnTrunk()) {
      ((TrunkStream) stream).greet(out);
    } else {
      stream.write(out);
    }
    if (out.hasRemaining()) {
      throw new IOException("a new connection takes no more than " + out.position() + " bytes");
    }
  }
}
