package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.transport.Hello;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** A connection on its way: being made, or saying who it is. On the endpoint's thread only. */
abstract class TcpPending {
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(1);

  private final SocketChannel channel;
  private final long startNs = System.nanoTime();
  private final ByteBuffer in =
      ByteBuffer.allocate(Integer.BYTES + Hello.MAX_BYTES).limit(Integer.BYTES);
  private boolean over;

  TcpPending(SocketChannel channel) {
    this.channel = channel;
  }

  SocketChannel channel() {
    return channel;
  }

  final void ready() {
    try {
      proceed();
    } catch (IOException | RuntimeException e) {
      fail(e);
    }
  }

  /** Goes on now that the channel is ready. */
  abstract void proceed() throws IOException;

  /** It came to nothing; null if the time was over. */
  abstract void failed(Exception reason);

  final void fail(Exception reason) {
    if (!over) {
      over = true;
      TcpConnection.close(channel);
      failed(reason);
    }
  }

  /** Nobody has to follow it any more; the channel stays as it is. */
  final void end() {
    over = true;
  }

  /** Gives up if it is late. */
  final boolean isOver(long nowNs) {
    if (!over && nowNs - startNs > DEADLINE_NS) {
      fail(null);
    }
    return over;
  }

  /** Reads what the other side says and not a byte more; null if it has not come whole. */
  final ByteBuffer readHello() throws IOException {
    if (in.limit() == Integer.BYTES) {
      if (read() || in.position() < Integer.BYTES) {
        return null;
      }
      int bytes = in.getInt(0);
      if (bytes < 0 || bytes > Hello.MAX_BYTES) {
        throw new IllegalArgumentException("it does not speak the protocol of Weir");
      }
      in.limit(Integer.BYTES + bytes);
    }
    return in.hasRemaining() && read() ? null : in.position(Integer.BYTES);
  }

  /** Whether something is missing still. */
  private boolean read() throws IOException {
    if (channel.read(in) < 0) {
      throw new EOFException("closed by the other side");
    }
    return in.hasRemaining();
  }

  /** Sends what fits into any socket's buffer. */
  final void write(ByteBuffer out) throws IOException {
    channel.write(out);
    if (out.hasRemaining()) {
      throw new IOException("a new connection takes no more than " + out.position() + " bytes");
    }
  }
}
