package dev.weir.cluster.transport.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An established connection, on which both ends have been greeted.
 *
 * @param channel null if the connection is a stream of a trunk
 * @param stream what is read and written: the channel itself, TLS over it, or that stream
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

  /**
   * Has the link worked when something arrives; by the thread of its reader.
   *
   * @param reader null if the link is polled
   * @return null if no selector watches the connection
   */
  SelectionKey attach(TcpReader reader, TcpLink link) throws IOException {
    if (stream instanceof TrunkStream onTrunk) {
      // TcpAccepted sees to it that the reader of the link is that of the trunk.
      onTrunk.onReady(() -> reader.wake(link));
      return null;
    }
    return reader == null ? null : reader.register(channel, link);
  }

  /** The other side has been silent for long. A trunk on which all are silent ends with all. */
  void drop() {
    if (stream instanceof TrunkStream onTrunk) {
      onTrunk.trunk().suspect();
    }
    close();
  }

  void close() {
    close(stream instanceof TrunkStream ? stream : channel);
  }

  /** Closes a channel and ignores a failure. */
  static void close(Closeable channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing a connection failed", e);
    }
  }
}
