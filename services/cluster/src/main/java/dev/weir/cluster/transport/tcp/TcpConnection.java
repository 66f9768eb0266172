package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An established connection, on which both ends have been greeted.
 *
 * @param incarnation of the other process
 * @param listening address at which the other process listens
 */
record TcpConnection(SocketChannel channel, long incarnation, InetSocketAddress listening) {
  private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

  void close() {
    close(channel);
  }

  /** Closes a channel and ignores a failure. */
  static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a connection failed", e);
    }
  }
}
