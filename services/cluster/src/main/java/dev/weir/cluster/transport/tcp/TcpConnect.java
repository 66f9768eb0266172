package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/** A connection that this member makes. */
abstract class TcpConnect extends TcpPending {
  private final TcpEndpoint endpoint;
  private boolean connected;

  TcpConnect(TcpEndpoint endpoint, SocketChannel channel) {
    super(channel);
    this.endpoint = endpoint;
  }

  final void connect(InetSocketAddress address) {
    endpoint.follow(this, 0);
    try {
      if (channel().connect(address)) {
        connected();
      } else {
        endpoint.follow(this, SelectionKey.OP_CONNECT);
      }
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  @Override
  final void proceed() throws IOException {
    if (connected) {
      answered();
    } else if (channel().finishConnect()) {
      connected();
    }
  }

  private void connected() throws IOException {
    connected = true;
    if (channel().getLocalAddress().equals(channel().getRemoteAddress())) {
      // Where nobody listens, TCP connects a socket with itself if it happens to get that port.
      throw new ConnectException("nobody listens at " + channel().getRemoteAddress());
    }
    endpoint.follow(this, SelectionKey.OP_READ);
    greet();
  }

  /** Somebody listens. */
  abstract void greet() throws IOException;

  /** Something has come. */
  abstract void answered() throws IOException;

  /**
   * Whether it failed because nobody listens. The system's own time-out, the other reason for this
   * exception, is much later than ours.
   */
  static boolean isRefused(Exception reason) {
    return reason instanceof ConnectException;
  }
}
