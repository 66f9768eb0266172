package dev.weir.bench.cluster.floors;

import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import dev.weir.bench.load.Target;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client of {@link EchoMain} whose caller writes a message and waits for the reply. */
final class TcpPingPong implements Target, AutoCloseable {
  private final SocketChannel channel;
  private final EchoMessages messages;
  private final ByteBuffer buffer;

  TcpPingPong(InetSocketAddress address, EchoMessages messages) throws IOException {
    this.messages = messages;
    this.buffer = ByteBuffer.allocateDirect(messages.maxBytes());
    channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  @Override
  public void send(long operation, long startTimeNs, ReplySink sink) {
    buffer.clear().limit(messages.encode(operation, buffer, 0));
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
      while (buffer.hasRemaining()) {
        if (channel.read(buffer) < 0) {
          throw new IOException("the other side has closed the connection");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    boolean ok = messages.isReply(operation, buffer, 0, buffer.capacity());
    sink.onReply(operation, startTimeNs, ok ? Reply.OK : Reply.CORRUPT);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
