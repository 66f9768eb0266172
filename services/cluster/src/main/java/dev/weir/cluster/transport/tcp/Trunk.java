package dev.weir.cluster.transport.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection between two members that carries the streams of many links, so that what their
 * groups send at the same time is one system call. It begins with a {@link Hello} of its own, and
 * then has frames:
 *
 * <pre>
 * int bytes that follow, int number of the stream, bytes of the stream; none if the stream ends
 * </pre>
 *
 * Each end opens streams by the first bytes of one: who dialed the trunk has the odd numbers.
 *
 * <p>What a thread sends in a {@link dev.weir.cluster.threads.Turn} goes out together, at its end.
 * Otherwise it goes out at once. Any thread, but for {@link #work} and {@link #select}.
 */
final class Trunk implements TcpReader.Readable {
  private static final Logger LOG = LoggerFactory.getLogger(Trunk.class);

  /** The links read what has arrived before more is. */
  private static final int MAX_READ_BYTES = 256 << 10;

  private static final long SILENT_NS = TimeUnit.SECONDS.toNanos(1);

  private final String peer;
  private final int index;
  private final boolean dialed;
  private final TcpConnection connection;
  private final TcpReader reader;
  private final TcpEndpoint endpoint;
  private final Consumer<Trunk> onLost;
  private final Map<Integer, TrunkStream> streams = new ConcurrentHashMap<>();

  // Used by the reader only.
  private final FrameReader in = new FrameReader(Integer.BYTES + TrunkWriter.MAX_PART_BYTES);
  private final Set<TrunkStream> arrived = new LinkedHashSet<>();
  private SelectionKey key;
  private int lastOpened;
  private boolean lost;

  private final TrunkWriter out;
  private final AtomicInteger nextNumber;

  /** Somebody takes the other end for dead. */
  private volatile boolean suspected;

  private volatile long heardNs = System.nanoTime();

  /**
   * @param peer name of the member at the other end
   * @param index tells the trunks between two members apart
   * @param dialed whether this end has made the connection
   * @param endpoint gets each stream that the other end opens
   * @param onLost called once, by the reader, before the streams are told
   */
  Trunk(
      String peer,
      int index,
      boolean dialed,
      TcpConnection connection,
      TcpReader reader,
      TcpEndpoint endpoint,
      Consumer<Trunk> onLost) {
    this.peer = peer;
    this.index = index;
    this.dialed = dialed;
    this.connection = connection;
    this.reader = reader;
    this.endpoint = endpoint;
    this.onLost = onLost;
    this.out = new TrunkWriter(this, connection, reader);
    this.nextNumber = new AtomicInteger(dialed ? 1 : 2);
  }

  @Override
  public String name() {
    return peer;
  }

  /** Whether it leads to that member, and can be used. */
  boolean isTo(String name, int wanted) {
    return !out.isBroken() && index == wanted && peer.equals(name);
  }

  boolean isDialed() {
    return dialed;
  }

  /** Names the process at the other end. */
  long incarnation() {
    return connection.incarnation();
  }

  TcpReader reader() {
    return reader;
  }

  private boolean isSilent() {
    return System.nanoTime() - heardNs > SILENT_NS;
  }

  /** Whether nobody uses it, and nothing comes from the other end. */
  boolean isUseless() {
    return streams.isEmpty() && isSilent();
  }

  /**
   * Ends the trunk if nothing has come from the other end for a second, and nothing waits to be
   * read.
   */
  void suspect() {
    if (isSilent()) {
      suspected = true;
      reader.wake(this);
    }
  }

  /** Opens a stream; one that is closed already if the trunk is lost. */
  TrunkStream open() {
    TrunkStream stream = new TrunkStream(this, nextNumber.getAndAdd(2));
    if (stream.number() < 0) {
      // No number is left; the links will find another trunk.
      out.breakOff();
    }
    streams.put(stream.number(), stream);
    if (out.isBroken()) {
      stream.end();
    }
    return stream;
  }

  /** Takes bytes of a stream; see {@link TrunkWriter#write}. */
  int write(TrunkStream stream, ByteBuffer from) throws IOException {
    return out.write(stream, from);
  }

  /** Takes a greeting, for which there is room when there is none for other bytes. */
  void greet(TrunkStream stream, ByteBuffer greeting) throws IOException {
    out.greet(stream, greeting);
  }

  /** Ends a stream at the other side; what it has written arrives before. */
  void end(TrunkStream stream) {
    streams.remove(stream.number());
    out.end(stream);
  }

  @Override
  public void work() {
    if (lost) {
      return;
    }
    try {
      if (key == null) {
        key = reader.register(connection.channel(), this);
      }
      tell(out.writeRest());
      read();
      if (suspected) {
        suspected = false;
        if (isSilent()) {
          throw new IOException("nothing has come for a second");
        }
      }
    } catch (IOException e) {
      lose(e);
    } catch (RuntimeException | Error e) {
      LOG.error("what came from {} was not handled; its connection is closed", peer, e);
      lose(new IOException(e));
    }
  }

  private void read() throws IOException {
    int total = 0;
    int bytes;
    do {
      bytes = in.readFrom(connection.stream());
      for (ByteBuffer frame = in.next(); frame != null; frame = in.next()) {
        received(frame);
      }
      total += bytes;
    } while (bytes > 0 && connection.isBuffered() && total < MAX_READ_BYTES);
    if (total > 0) {
      heardNs = System.nanoTime();
    }
    List<TrunkStream> ready = List.copyOf(arrived);
    arrived.clear();
    tell(ready);
    if (bytes < 0 || out.isBroken()) {
      throw new EOFException("closed by the other side");
    }
    if (bytes > 0 && connection.isBuffered()) {
      reader.wake(this);
    }
  }

  private void tell(Collection<TrunkStream> ready) {
    for (TrunkStream stream : ready) {
      try {
        stream.ready();
      } catch (RuntimeException | Error e) {
        LOG.error("a link to {} was not told of what came", peer, e);
      }
    }
  }

  private void received(ByteBuffer frame) throws IOException {
    if (frame.remaining() < Integer.BYTES) {
      throw new IOException("received a frame without the number of its stream");
    }
    int number = frame.getInt();
    TrunkStream stream = streams.get(number);
    if (stream == null && isOpenedThere(number) && frame.hasRemaining()) {
      lastOpened = number;
      stream = new TrunkStream(this, number);
      streams.put(number, stream);
      endpoint.accept(stream);
    }
    if (stream == null) {
      // It was closed here meanwhile.
      return;
    }
    if (frame.hasRemaining()) {
      stream.received(ByteBuffer.allocate(frame.remaining()).put(frame).flip());
    } else {
      streams.remove(number);
      stream.end();
    }
    arrived.add(stream);
  }

  private boolean isOpenedThere(int number) {
    return number > lastOpened && (number & 1) == (dialed ? 0 : 1);
  }

  private void lose(IOException reason) {
    lost = true;
    // An exception without a message; see close().
    String why =
        reason instanceof ClosedChannelException ? "closed by this side" : reason.getMessage();
    LOG.info("the connection to {} is lost: {}", peer, why);
    out.close();
    onLost.accept(this);
    List<TrunkStream> ended = List.copyOf(streams.values());
    streams.clear();
    arrived.clear();
    ended.forEach(TrunkStream::end);
    tell(ended);
  }

  @Override
  public void select() {
    if (key == null || lost) {
      return;
    }
    int operations =
        out.isQueued() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
    try {
      if (key.interestOps() != operations) {
        key.interestOps(operations);
      }
    } catch (CancelledKeyException e) {
      // Another thread has closed the connection, and wakes the reader, which reports the loss.
      LOG.debug("the connection to {} is closed", peer, e);
    }
  }

  @Override
  public boolean isEnded() {
    return lost;
  }

  /** Writes what the socket takes and closes the connection; the reader reports the loss. */
  void close() {
    out.flushAndClose();
    reader.wake(this);
  }
}
