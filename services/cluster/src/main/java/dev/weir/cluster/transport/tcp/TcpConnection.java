package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An established connection, on which both ends have been greeted.
 *
 * @param stream what is read and written: the channel itself, or TLS over it
 * @param incarnation of the other process
 * @param listening address at which the other process listens
 */
record TcpConnection(
    SocketChannel channel, ByteChannel stream, long incarnation, InetSocketAddress listening) {
  private static final Logger LOG = LoggerFactory.getLogger(TcpConnection.class);

  /** Whether bytes that were received may wait to be read without the channel being ready. */
  boolean isBuffered() {
    return stream != channel;
  }

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
