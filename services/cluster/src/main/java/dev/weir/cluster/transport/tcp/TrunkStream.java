package dev.weir.cluster.transport.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.Queue;

/** One stream of bytes on a {@link Trunk}. It never blocks. Any thread. */
final class TrunkStream implements ByteChannel {
  /** Links read what has arrived at once; only what follows a greeting waits for another thread. */
  private static final int MAX_ARRIVED_BYTES = 16 << 20;

  private final Trunk trunk;
  private final int number;
  private volatile boolean closed;
  private volatile Runnable onReady = () -> {};

  // Guarded by this.
  private final Queue<ByteBuffer> arrived = new ArrayDeque<>();
  private int arrivedBytes;
  private boolean ended;

  TrunkStream(Trunk trunk, int number) {
    this.trunk = trunk;
    this.number = number;
  }

  int number() {
    return number;
  }

  Trunk trunk() {
    return trunk;
  }

  /** Sets what is called when bytes have arrived, the stream has ended, or has room again. */
  void onReady(Runnable task) {
    onReady = task;
  }

  void ready() {
    onReady.run();
  }

  /** Takes bytes that the other side has sent. */
  synchronized void received(ByteBuffer bytes) {
    arrivedBytes += bytes.remaining();
    if (arrivedBytes > MAX_ARRIVED_BYTES) {
      ended = true;
    }
    if (!ended) {
      arrived.add(bytes);
    }
  }

  /** The other side sends no more. */
  synchronized void end() {
    ended = true;
  }

  @Override
  public synchronized int read(ByteBuffer to) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    int before = to.remaining();
    for (ByteBuffer next = arrived.peek(); next != null && to.hasRemaining(); ) {
      int bytes = Math.min(next.remaining(), to.remaining());
      to.put(next.slice(next.position(), bytes));
      next.position(next.position() + bytes);
      if (!next.hasRemaining()) {
        arrived.remove();
        next = arrived.peek();
      }
    }
    int bytes = before - to.remaining();
    arrivedBytes -= bytes;
    return bytes == 0 && ended && before > 0 ? -1 : bytes;
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    return trunk.write(this, from);
  }

  /** Takes a whole greeting. */
  void greet(ByteBuffer greeting) throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
    trunk.greet(this, greeting);
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      trunk.end(this);
    }
  }
}
