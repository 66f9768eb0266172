package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.protocol.Membership;
import dev.weir.cluster.transport.FrameLimits;
import dev.weir.cluster.transport.Loss;
import dev.weir.cluster.transport.Transport;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one other member of a group, connected or not. One thread at a time calls {@link
 * #work}, which makes all calls to the receiver. All other methods are for any thread.
 */
final class TcpLink implements TcpReader.Readable {
  private static final Logger LOG = LoggerFactory.getLogger(TcpLink.class);

  private final String group;
  private final int member;
  private volatile String name;
  private final TcpReader reader;
  private final Runnable onLoss;
  private final FrameReader in;

  /** Guards the writer and changes of the connection; never held during a call to the receiver. */
  private final Object lock = new Object();

  private final FrameWriter out;

  /** A new connection that {@link #work} will use; null if there is none. */
  private final AtomicReference<TcpConnection> offered = new AtomicReference<>();

  private volatile TcpConnection current;

  /** The current connection is that of a member that had the slot before; guarded by the lock. */
  private boolean renamed;

  /** Name of the member at the other end of the current connection; guarded by the lock. */
  private String connected;

  /** The socket accepted only a part: the thread that works the link writes the rest. */
  private volatile boolean queued;

  private volatile boolean broken;
  private volatile boolean closed;

  /** Set before the reader works the link. */
  private Transport.Receiver receiver;

  private volatile Loss loss;
  private SelectionKey key;

  /**
   * @param reader works the link; null if the link is polled
   * @param onLoss called after a loss, before the receiver is
   */
  TcpLink(
      String group,
      int member,
      String name,
      FrameLimits limits,
      TcpReader reader,
      Runnable onLoss) {
    this.group = group;
    this.member = member;
    this.name = name;
    this.reader = reader;
    this.onLoss = onLoss;
    this.in = new FrameReader(limits.maxFrameBytes());
    this.out = new FrameWriter(limits.queueBytes());
  }

  int member() {
    return member;
  }

  /** Name of the other member; {@link Membership#VACANT} if there is none any more. */
  @Override
  public String name() {
    return name;
  }

  /**
   * Another member has the slot, or none: the connection is closed, and reported as lost. The
   * process that had it is not probed any more.
   */
  void rename(String newName) {
    synchronized (lock) {
      name = newName;
      renamed = current != null;
      loss = null;
      TcpConnection unused = offered.getAndSet(null);
      if (unused != null) {
        unused.close();
      }
    }
    end(TcpConnection::close);
  }

  boolean isVacant() {
    return name.equals(Membership.VACANT);
  }

  /** The connection in use, or null. */
  TcpConnection current() {
    return current;
  }

  /** Whether there is a connection, in use or offered. */
  boolean isConnected() {
    synchronized (lock) {
      return current != null || offered.get() != null;
    }
  }

  /** The last loss; null if the link was never connected, or is connected again. */
  Loss loss() {
    return loss;
  }

  /**
   * Offers a connection, which replaces the current one.
   *
   * @param to name of the member at its other end
   */
  void offer(String to, TcpConnection connection) {
    TcpConnection replaced;
    synchronized (lock) {
      replaced = to.equals(name) ? offered.getAndSet(connection) : connection;
    }
    if (replaced != null) {
      replaced.close();
    }
    if (closed) {
      close();
    }
    wake();
  }

  /** Wakes the thread that works the link. */
  void wake() {
    if (reader != null) {
      reader.wake(this);
    }
  }

  /** Sets who gets the frames; before the link is worked. */
  void begin(Transport.Receiver newReceiver) {
    receiver = newReceiver;
  }

  /** Ends all work of the reader on the link; {@link #close} must follow. */
  void end() {
    closed = true;
  }

  @Override
  public boolean isEnded() {
    return closed;
  }

  /** The same as {@link #work(Transport.Receiver)}, by the reader. */
  @Override
  public void work() {
    work(receiver);
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
      // If frames are queued already, this one is written with them.
      waits = !queued && !(flush() && out.isEmpty());
    }
    if (waits) {
      wake();
    }
    return !broken;
  }

  /** Writes as much as the socket accepts; false if it is broken. The caller holds the lock. */
  private boolean flush() {
    try {
      out.writeTo(current.stream());
      queued = !out.isEmpty();
    } catch (IOException e) {
      // The reading thread gets the same failure and reports the loss.
      broken = true;
    }
    return !broken;
  }

  /**
   * Connects, writes and reads as far as possible without blocking.
   *
   * @return the number of frames handed to the receiver
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
      int bytes;
      do {
        bytes = in.readFrom(current.stream());
        for (ByteBuffer frame = next(); frame != null; frame = next()) {
          frames++;
          receiver.onFrame(member, frame);
        }
      } while (bytes > 0 && current.isBuffered());
      if (bytes < 0 || broken) {
        throw new EOFException("closed by the other side");
      }
    } catch (IOException e) {
      logLoss(e);
      lose(receiver);
    } catch (Throwable e) {
      LOG.error("a frame from {} was not handled; its connection is closed", name, e);
      lose(receiver);
    }
    return frames;
  }

  private void logLoss(IOException reason) {
    synchronized (lock) {
      if (renamed) {
        LOG.info("group {}: {} is not a member any more, its connection ends", group, connected);
        return;
      }
    }
    // An exception without a message; see drop().
    String why =
        reason instanceof ClosedChannelException ? "closed by this side" : reason.getMessage();
    LOG.info("group {}: the connection to {} is lost: {}", group, name, why);
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

  /** Begins to use the connection that is offered; false if that is impossible. */
  private boolean take() {
    // The lock keeps isConnected() from seeing neither the offered nor the current connection.
    synchronized (lock) {
      TcpConnection next = offered.getAndSet(null);
      if (next == null) {
        return false;
      }
      try {
        key = next.attach(reader, this);
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
      connected = name;
      return true;
    }
  }

  private void lose(Transport.Receiver receiver) {
    synchronized (lock) {
      current.close();
      loss = renamed ? null : new Loss(current.listening());
      renamed = false;
      current = null;
      queued = false;
      key = null;
    }
    onLoss.run();
    receiver.onLost(member);
  }

  /** Closes the connection to a silent member; the thread that works the link reports the loss. */
  void drop() {
    end(TcpConnection::drop);
  }

  private void end(Consumer<TcpConnection> way) {
    synchronized (lock) {
      if (current != null) {
        way.accept(current);
        broken = true;
      }
    }
    wake();
  }

  /** Makes the selector also wait for room in the socket while frames are queued. */
  @Override
  public void select() {
    if (key == null) {
      return;
    }
    int operations = queued ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    try {
      if (key.interestOps() != operations) {
        key.interestOps(operations);
      }
    } catch (CancelledKeyException e) {
      // Another thread has closed the connection, and wakes the reader, which reports the loss.
      LOG.debug("the connection to {} is closed", name, e);
    }
  }

  /** Closes the connection; final once no thread works the link any more. */
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
