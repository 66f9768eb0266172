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
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A client of {@link EchoMain} for an open loop: the caller writes messages of one size, and a
 * thread that waits in the kernel reads the replies.
 */
final class BlockingTcp implements Target, AutoCloseable {
  /** More messages than fit into the buffers of two sockets. */
  private static final int MAX_OPEN = 1 << 16;

  private final SocketChannel channel;
  private final EchoMessages messages;
  private final ByteBuffer out;
  private final AtomicLongArray startNs = new AtomicLongArray(MAX_OPEN);
  private final Thread reader = new Thread(this::read, "bench-tcp-reader");
  private volatile ReplySink sink;

  BlockingTcp(InetSocketAddress address, EchoMessages messages) throws IOException {
    this.messages = messages;
    this.out = ByteBuffer.allocateDirect(messages.maxBytes());
    channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    reader.setDaemon(true);
    reader.start();
  }

  /** Synchronized, because the last call of a round may overlap the first of the next round. */
  @Override
  public synchronized void send(long operation, long startTimeNs, ReplySink newSink) {
    sink = newSink;
    startNs.set((int) operation & (MAX_OPEN - 1), startTimeNs);
    out.clear().limit(messages.encode(operation, out, 0));
    try {
      while (out.hasRemaining()) {
        channel.write(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    ByteBuffer in = ByteBuffer.allocateDirect(messages.maxBytes());
    try {
      while (channel.read(in) >= 0) {
        if (!in.hasRemaining()) {
          long operation = in.getLong(0);
          boolean ok = messages.isReply(operation, in, 0, in.capacity());
          long start = startNs.get((int) operation & (MAX_OPEN - 1));
          sink.onReply(operation, start, ok ? Reply.OK : Reply.CORRUPT);
          in.clear();
        }
      }
    } catch (IOException e) {
      // Closed. Missing replies show in the verdict.
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
