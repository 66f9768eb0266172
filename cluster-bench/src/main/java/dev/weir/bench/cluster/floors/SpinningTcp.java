package dev.weir.bench.cluster.floors;

import dev.weir.bench.cluster.injection.ProcessorUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client of {@link EchoMain} that polls its socket and never waits in the kernel. */
final class SpinningTcp implements ProcessorUnderTest {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SocketChannel channel;
  private final int messageBytes;
  private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);

  SpinningTcp(InetSocketAddress address, int messageBytes) throws IOException {
    this.messageBytes = messageBytes;
    channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    out.flip();
  }

  @Override
  public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
    if (out.hasRemaining()) {
      return false;
    }
    out.clear().limit(length);
    out.put(0, body, offset, length);
    flush();
    return true;
  }

  private void flush() {
    try {
      channel.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public int poll(Replies replies) {
    if (out.hasRemaining()) {
      flush();
    }
    try {
      if (channel.read(in) < 0) {
        throw new IOException("the other side has closed the connection");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int count = in.position() / messageBytes;
    for (int i = 0; i < count; i++) {
      int at = i * messageBytes;
      replies.onReply(in.getLong(at), in, at, messageBytes);
    }
    if (count > 0) {
      in.flip().position(count * messageBytes);
      in.compact();
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
