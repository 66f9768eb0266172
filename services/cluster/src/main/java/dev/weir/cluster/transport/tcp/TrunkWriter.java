package dev.weir.cluster.transport.tcp;

import dev.weir.cluster.threads.Turn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the streams of a {@link Trunk} write: frames of one connection, in the order in which they
 * came, with a fair share for each stream. Any thread, unless said otherwise.
 */
final class TrunkWriter {
  /** Of one stream in one frame, and before the next stream has its turn. */
  static final int MAX_PART_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(TrunkWriter.class);
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** What waits for the socket at most; more waits in the links, each with a bound of its own. */
  private static final int QUEUE_BYTES = 256 << 10;

  /** Beyond that there is room for greetings, and for the ends of streams. */
  private static final int RESERVE_BYTES = 256 << 10;

  /** So much goes out before a turn ends. */
  private static final int TURN_BYTES = 32 << 10;

  private final Trunk trunk;
  private final TcpConnection connection;
  private final TcpReader reader;

  /** Writes what waits, at the end of a turn. */
  private final Runnable turnEnd = this::flushTurn;

  /** Guards the buffer and the streams that wait for room. */
  private final Object lock = new Object();

  private final FrameWriter out = new FrameWriter(QUEUE_BYTES + RESERVE_BYTES);
  private final ByteBuffer head = ByteBuffer.allocate(Integer.BYTES);

  /** Streams that could write nothing, and after them those that could write a part. */
  private final Set<TrunkStream> hungry = new LinkedHashSet<>();

  private final Set<TrunkStream> waiting = new LinkedHashSet<>();

  private volatile boolean queued;

  private volatile boolean broken;

  TrunkWriter(Trunk trunk, TcpConnection connection, TcpReader reader) {
    this.trunk = trunk;
    this.connection = connection;
    this.reader = reader;
  }

  boolean isBroken() {
    return broken;
  }

  /** Whether the socket accepted only a part: the reader writes the rest. */
  boolean isQueued() {
    return queued;
  }

  /**
   * Takes bytes of a stream, as many as there is room for, and no more than the share of a stream.
   * If that is not all, the stream is told when it is its turn again.
   */
  int write(TrunkStream stream, ByteBuffer from) throws IOException {
    int before = from.remaining();
    synchronized (lock) {
      int room = QUEUE_BYTES - out.size() - 2 * Integer.BYTES;
      add(stream, from, Math.min(room, MAX_PART_BYTES));
      if (from.hasRemaining()) {
        (from.remaining() == before ? hungry : waiting).add(stream);
        reader.wake(trunk);
      }
      flushUnlessInTurn();
    }
    checkUsable();
    return before - from.remaining();
  }

  /** Takes a greeting, for which there is room when there is none for other bytes. */
  void greet(TrunkStream stream, ByteBuffer greeting) throws IOException {
    synchronized (lock) {
      add(stream, greeting, QUEUE_BYTES + RESERVE_BYTES / 2 - out.size());
      flushUnlessInTurn();
    }
    checkUsable();
  }

  private void checkUsable() throws IOException {
    if (broken) {
      throw new ClosedChannelException();
    }
  }

  private void add(TrunkStream stream, ByteBuffer from, int most) {
    int part = Math.min(from.remaining(), most);
    if (broken || part <= 0) {
      return;
    }
    try {
      out.offer(head.putInt(0, stream.number()), from.slice(from.position(), part));
    } catch (Throwable e) {
      // Whether the bytes were taken is not known.
      breakOff();
      throw e;
    }
    from.position(from.position() + part);
  }

  /** Ends a stream at the other side; what it has written arrives before. */
  void end(TrunkStream stream) {
    synchronized (lock) {
      hungry.remove(stream);
      waiting.remove(stream);
      if (!broken && !out.offer(head.putInt(0, stream.number()), NOTHING)) {
        breakOff();
      }
      flushUnlessInTurn();
    }
  }

  private void flushUnlessInTurn() {
    boolean waits = Turn.sendAtEnd(turnEnd);
    if (!queued && (!waits || out.size() >= TURN_BYTES)) {
      flush();
    }
  }

  private void flushTurn() {
    synchronized (lock) {
      if (!queued) {
        flush();
      }
    }
  }

  /**
   * Writes as much as the socket accepts. The caller holds the lock. A thread that is interrupted
   * would close the socket.
   */
  private void flush() {
    if (broken || out.isEmpty()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      out.writeTo(connection.stream());
      boolean waits = !out.isEmpty();
      if (waits && !queued) {
        reader.wake(trunk);
      }
      queued = waits;
    } catch (IOException e) {
      breakOff();
    } catch (RuntimeException | Error e) {
      LOG.error("the connection to {} cannot be written", trunk.name(), e);
      breakOff();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Has the reader report the loss. */
  void breakOff() {
    broken = true;
    reader.wake(trunk);
  }

  /** Writes on, by the reader; returns the streams whose turn it is again. */
  List<TrunkStream> writeRest() {
    synchronized (lock) {
      if (queued) {
        flush();
      }
      if (queued) {
        return List.of();
      }
      List<TrunkStream> ready = new ArrayList<>(hungry);
      ready.addAll(waiting);
      hungry.clear();
      waiting.clear();
      return ready;
    }
  }

  /** Nothing is written any more. */
  void close() {
    broken = true;
    connection.close();
  }

  /** Writes what the socket takes, and then nothing any more. */
  void flushAndClose() {
    synchronized (lock) {
      flush();
      close();
    }
  }
}
