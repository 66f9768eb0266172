package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.threads.ByteRing;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.FrameReader;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Transport;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One other member of the group, connected or not. {@link #work} is for one thread at a time and
 * makes all calls to the receiver; everything else is for any thread.
 */
final class TcpLink {
  private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);

  private final int member;
  private final String name;
  private final Selector selector;
  private final Runnable onLoss;
  private final FrameReader in;

  /** Held while frames are queued and written, never during a call to the receiver. */
  private final Object lock = new Object();

  private final ByteRing out;
  private final AtomicReference<TcpConnection> offered = new AtomicReference<>();
  private volatile TcpConnection current;
  private volatile boolean queued;
  private volatile boolean broken;
  private volatile boolean closed;
  private volatile Loss loss;
  private SelectionKey key;

  /**
   * @param selector of the thread that works the link, null if it polls
   * @param onLoss called when a connection broke, before the receiver knows
   */
  TcpLink(int member, String name, FrameLimits limits, Selector selector, Runnable onLoss) {
    this.member = member;
    this.name = name;
    this.selector = selector;
    this.onLoss = onLoss;
    this.in = new FrameReader(limits.maxFrameBytes());
    this.out = new ByteRing(limits.queueBytes());
  }

  String name() {
    return name;
  }

  /** The connection in use, or null. */
  TcpConnection current() {
    return current;
  }

  /** Whether there is a connection, or one that only needs to be taken into use. */
  boolean isConnected() {
    synchronized (lock) {
      return current != null || offered.get() != null;
    }
  }

  /** What the last connection ended with; null if there was none, or there is one again. */
  Loss loss() {
    return loss;
  }

  /** Hands over a connection that takes the place of what was there. */
  void offer(TcpConnection connection) {
    TcpConnection replaced = offered.getAndSet(connection);
    if (replaced != null) {
      replaced.close();
    }
    if (closed) {
      close();
    }
    wake();
  }

  /** Makes the thread that works the link look at it. */
  void wake() {
    if (selector != null) {
      selector.wakeup();
    }
  }

  boolean send(ByteBuffer frame) {
    boolean waits;
    synchronized (lock) {
      if (current == null || broken || closed) {
        return false;
      }
      if (!out.offer(frame) && !(flush() && out.offer(frame))) {
        return false;
      }
      // Behind others that wait, it is written with them when the socket takes it.
      waits = !queued && !(flush() && out.isEmpty());
    }
    if (waits) {
      wake();
    }
    return !broken;
  }

  /** Writes what the socket takes; false if it is broken. With the lock. */
  private boolean flush() {
    try {
      out.writeTo(current.channel());
      queued = !out.isEmpty();
    } catch (IOException e) {
      // Whoever reads meets the same and reports it.
      broken = true;
    }
    return !broken;
  }

  /**
   * Does what there is to do without waiting.
   *
   * @return frames handed over
   */
  int work(Transport.Receiver receiver) {
    if (offered.get() != null) {
      connect(receiver);
    }
    if (current == null) {
      Loss last = loss;
      if (last != null && last.takeRefused()) {
        receiver.onRefused(member);
      }
      return 0;
    }
    return exchange(receiver);
  }

  private int exchange(Transport.Receiver receiver) {
    if (queued) {
      synchronized (lock) {
        flush();
      }
    }
    int frames = 0;
    try {
      int bytes = in.readFrom(current.channel());
      for (ByteBuffer frame = next(); frame != null; frame = next()) {
        frames++;
        receiver.onFrame(member, frame);
      }
      if (bytes < 0 || broken) {
        throw new EOFException("closed by the other side");
      }
    } catch (IOException e) {
      LOG.info("connection to {} is lost: {}", name, e.getMessage());
      lose(receiver);
    } catch (RuntimeException | Error e) {
      LOG.error("a frame from {} was not handled; its connection is closed", name, e);
      lose(receiver);
    }
    return frames;
  }

  private ByteBuffer next() throws IOException {
    return closed ? null : in.next();
  }

  private void connect(Transport.Receiver receiver) {
    if (current != null) {
      lose(receiver);
    }
    if (take()) {
      receiver.onConnected(member);
    }
  }

  /** Takes the connection that is offered into use; false if it cannot be. */
  private boolean take() {
    // With the lock, so that nobody sees neither and dials.
    synchronized (lock) {
      TcpConnection next = offered.getAndSet(null);
      if (next == null) {
        return false;
      }
      try {
        key = selector == null ? null : next.channel().register(selector, SelectionKey.OP_READ);
      } catch (IOException e) {
        next.close();
        return false;
      }
      in.clear();
      out.clear();
      queued = false;
      broken = false;
      loss = null;
      current = next;
      return true;
    }
  }

  private void lose(Transport.Receiver receiver) {
    synchronized (lock) {
      current.close();
      loss = new Loss(current.listening());
      current = null;
      queued = false;
      key = null;
    }
    onLoss.run();
    receiver.onLost(member);
  }

  /** Ends the connection; whoever reads it meets that, and reports it. */
  void drop() {
    synchronized (lock) {
      if (current != null) {
        current.close();
        broken = true;
      }
    }
    wake();
  }

  /** Has the selector tell when the socket takes more, if something waits for that. */
  void select() {
    if (key != null && key.isValid()) {
      int operations = queued ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
      if (key.interestOps() != operations) {
        key.interestOps(operations);
      }
    }
  }

  /** Ends the connection; when nobody works the link any more, for good. */
  void close() {
    closed = true;
    TcpConnection last = offered.getAndSet(null);
    if (last != null) {
      last.close();
    }
    synchronized (lock) {
      if (current != null) {
        current.close();
      }
    }
  }
}
