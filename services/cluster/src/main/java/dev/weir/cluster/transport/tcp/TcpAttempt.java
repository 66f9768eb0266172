package dev.weir.cluster.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A connection that is being established: connected first, then greeted. It ends when the
 * connection is handed over, fails, or takes too long. Used by the endpoint's thread only.
 */
abstract class TcpAttempt {
  private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

  private final TcpEndpoint endpoint;
  private final SocketChannel channel;
  private final long startNs = System.nanoTime();
  private final ByteBuffer in =
      ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES).limit(Integer.BYTES);
  private boolean connected;
  private boolean over;

  TcpAttempt(TcpEndpoint endpoint, SocketChannel channel) {
    this.endpoint = endpoint;
    this.channel = channel;
    this.connected = channel.isConnected();
  }

  final TcpEndpoint endpoint() {
    return endpoint;
  }

  final SocketChannel channel() {
    return channel;
  }

  /** Called once when a connection to another member is established. */
  void connected() throws IOException {}

  /** Called when bytes have arrived. */
  abstract void received() throws IOException;

  /** Called once if the attempt failed; the reason is null if it took too long. */
  abstract void failed(Exception reason);

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
    connected();
  }

  /** Continues when the channel is ready. */
  final void ready() {
    try {
      if (connected) {
        received();
      } else if (channel.finishConnect()) {
        finishConnect();
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Closes the channel and ends the attempt. */
  final void fail(Exception reason) {
    if (!over) {
      over = true;
      TcpConnection.close(channel);
      failed(reason);
    }
  }

  /** Ends the attempt and hands the channel over to a link. */
  final void offerTo(TcpLink link, Hello theirs) {
    over = true;
    endpoint.release(channel);
    link.offer(new TcpConnection(channel, theirs.incarnation(), theirs.listening()));
  }

  /** Whether the attempt has ended; ends one that takes too long. */
  final boolean isOver(long nowNs) {
    if (!over && nowNs - startNs > TIMEOUT_NS) {
      fail(null);
    }
    return over;
  }

  /** Reads the other side's greeting and no byte more; null if it is not complete yet. */
  final ByteBuffer readHello() throws IOException {
    if (in.limit() == Integer.BYTES) {
      if (!readAll() || in.position() < Integer.BYTES) {
        return null;
      }
      int bytes = in.getInt(0);
      if (bytes < 0 || bytes > Hello.MAX_BYTES) {
        throw new IllegalArgumentException(Hello.OTHER_PROTOCOL);
      }
      in.limit(Integer.BYTES + bytes);
    }
    return in.hasRemaining() && !readAll() ? null : in.position(Integer.BYTES);
  }

  /** Reads what has arrived; returns whether the buffer is full. */
  private boolean readAll() throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("closed by the other side");
    }
    return !in.hasRemaining();
  }

  /** Writes a greeting, which fits into the buffer of any new socket. */
  final void write(ByteBuffer out) throws IOException {
    channel.write(out);
    if (out.hasRemaining()) {
      throw new IOException("a new connection takes no more than " + out.position() + " bytes");
    }
  }
}
