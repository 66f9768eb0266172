package dev.weir.bench.cluster.floors;

import dev.weir.bench.cluster.injection.EchoMessages;
import dev.weir.bench.load.Reply;
import dev.weir.bench.load.ReplySink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A client of {@link EchoMain} or {@link RelayMain}: the caller writes messages of one size, and a
 * thread that waits in the kernel reads as many replies as there are. What that thread sends in
 * return, as a closed loop does, is written at once when it has taken all of them.
 */
final class BlockingTcp implements RelayClient {
  /** More messages than fit into the buffers of two sockets. */
  private static final int MAX_OPEN = 1 << 16;

  /** Replies that are read at once, and messages that are written at once, at most. */
  private static final int BATCH = 256;

  private final SocketChannel channel;
  private final EchoMessages messages;
  private final ByteBuffer out;
  private final AtomicLongArray startNs = new AtomicLongArray(MAX_OPEN);
  private final Thread reader = new Thread(this::read, "bench-tcp-reader");
  private volatile ReplySink sink;

  BlockingTcp(InetSocketAddress address, EchoMessages messages) throws IOException {
    this.messages = messages;
    this.out = ByteBuffer.allocateDirect(BATCH * messages.maxBytes());
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
    if (out.remaining() < messages.maxBytes()) {
      flush();
    }
    out.position(out.position() + messages.encode(operation, out, out.position()));
    if (Thread.currentThread() != reader) {
      flush();
    }
  }

  private synchronized void flush() {
    try {
      out.flip();
      while (out.hasRemaining()) {
        channel.write(out);
      }
      out.clear();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    int bytes = messages.maxBytes();
    ByteBuffer in = ByteBuffer.allocateDirect(BATCH * bytes);
    try {
      while (channel.read(in) >= 0) {
        int taken = 0;
        for (; taken + bytes <= in.position(); taken += bytes) {
          long operation = in.getLong(taken);
          boolean ok = messages.isReply(operation, in, taken, bytes);
          long start = startNs.get((int) operation & (MAX_OPEN - 1));
          sink.onReply(operation, start, ok ? Reply.OK : Reply.CORRUPT);
        }
        in.flip().position(taken);
        in.compact();
        flush();
      }
    } catch (IOException | UncheckedIOException e) {
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
