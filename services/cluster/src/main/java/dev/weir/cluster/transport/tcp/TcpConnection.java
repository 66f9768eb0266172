package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection on which both ends have said who they are.
 *
 * @param incarnation of the other end
 * @param listening where the other end's endpoint listens
 */
record TcpConnection(SocketChannel channel, long incarnation, InetSocketAddress listening) {
  private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

  void close() {
    close(channel);
  }

  /** Closes a channel whose fate interests nobody any more. */
  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a connection failed", e);
    }
  }
}
