package dev.weir.cluster.client;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The streams of several clients on one connection, after both ends have agreed to share it. What
 * all of them write in a turn of the event loop is one write. Its frames:
 *
 * <pre>
 * int bytes that follow, int number of the stream, bytes of the stream; none if the stream ends
 * </pre>
 *
 * Streams are opened by the client, by their first bytes. At its end the connection is closed with
 * the last of them. On the context of the connection.
 */
final class SharedLink implements ClientFrames.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(SharedLink.class);

  /** Of one stream in one frame. */
  private static final int MAX_PART_BYTES = 64 << 10;

  /** More than there are groups of one service. */
  private static final int MAX_STREAMS = 16 << 10;

  private final Context context;
  private final ClientLink link;

  /** Null at the client's end: there the other end opens none. */
  private final Consumer<ClientLink> onOpened;

  private final Runnable onEnded;

  /** After that time without a frame the other end is taken for dead. */
  private final long silenceNs;

  private final Map<Integer, Stream> streams = new HashMap<>();

  /** Of the last stream that was opened. */
  private int last;

  /** What the streams have written in this turn. */
  private Buffer out = Buffer.buffer();

  private List<Promise<Void>> writes = new ArrayList<>();
  private boolean ended;
  private long heardNs = System.nanoTime();

  private SharedLink(
      Context context,
      ClientLink link,
      Consumer<ClientLink> onOpened,
      Runnable onEnded,
      long silenceNs) {
    this.context = context;
    this.link = link;
    this.onOpened = onOpened;
    this.onEnded = onEnded;
    this.silenceNs = silenceNs;
  }

  /**
   * The client's end.
   *
   * @param onEnded called once, before the streams are told: no stream can be opened any more
   */
  static SharedLink ofClient(Context context, ClientLink link, Runnable onEnded, int silenceMs) {
    return new SharedLink(context, link, null, onEnded, TimeUnit.MILLISECONDS.toNanos(silenceMs));
  }

  /**
   * The member's end.
   *
   * @param onOpened gets each stream of the client, and sets its handlers
   */
  static SharedLink ofMember(Context context, ClientLink link, Consumer<ClientLink> onOpened) {
    return new SharedLink(context, link, onOpened, () -> {}, Long.MAX_VALUE);
  }

  /** Opens a stream; null if the link has ended, or has no number left. */
  ClientLink open() {
    if (last == Integer.MAX_VALUE) {
      end();
    }
    return ended ? null : add(last + 1);
  }

  private Stream add(int number) {
    Stream stream = new Stream(number);
    last = number;
    streams.put(number, stream);
    return stream;
  }

  @Override
  public int minBytes() {
    return Integer.BYTES;
  }

  @Override
  public int maxBytes() {
    return Integer.BYTES + MAX_PART_BYTES;
  }

  @Override
  public void onFrame(Buffer frame) {
    heardNs = System.nanoTime();
    int number = frame.getInt(0);
    Stream stream = streams.get(number);
    if (stream == null && onOpened != null && number > last && frame.length() > Integer.BYTES) {
      if (streams.size() == MAX_STREAMS) {
        link.close();
        return;
      }
      stream = add(number);
      onOpened.accept(stream);
    }
    if (stream != null) {
      // Otherwise it was closed here meanwhile.
      stream.received(frame);
    }
  }

  @Override
  public void onInvalid(int bytes) {
    link.close();
  }

  /** The connection is closed, or of no use. */
  void end() {
    if (ended) {
      return;
    }
    ended = true;
    onEnded.run();
    link.abort();
    List<Stream> all = new ArrayList<>(streams.values());
    streams.clear();
    all.forEach(Stream::end);
  }

  private Future<Void> write(int number, Buffer bytes) {
    if (out.length() == 0) {
      context.runOnContext(v -> flush());
    }
    int from = 0;
    do {
      int part = Math.min(bytes.length() - from, MAX_PART_BYTES);
      out.appendInt(Integer.BYTES + part).appendInt(number).appendBuffer(bytes, from, part);
      from += part;
    } while (from < bytes.length());
    Promise<Void> written = Promise.promise();
    writes.add(written);
    return written.future();
  }

  private void flush() {
    List<Promise<Void>> done = writes;
    Buffer all = out;
    writes = new ArrayList<>();
    out = Buffer.buffer();
    link.write(all).onComplete(result -> done.forEach(write -> tell(write, result)));
  }

  private static void tell(Promise<Void> write, AsyncResult<Void> result) {
    try {
      write.handle(result);
    } catch (RuntimeException | Error e) {
      LOG.error("a client could not go on after a write", e);
    }
  }

  private final class Stream implements ClientLink {
    private final int number;
    private Handler<Buffer> bytes = nobody -> {};
    private Runnable onClosed = () -> {};
    private boolean over;

    Stream(int streamNumber) {
      number = streamNumber;
    }

    void received(Buffer frame) {
      if (frame.length() == Integer.BYTES) {
        streams.remove(number);
        end();
        return;
      }
      try {
        bytes.handle(frame.getBuffer(Integer.BYTES, frame.length()));
      } catch (RuntimeException | Error e) {
        // The other streams go on.
        LOG.error("what came on a stream was not handled; the stream is closed", e);
        close();
      }
    }

    @Override
    public void handler(Handler<Buffer> handler) {
      bytes = handler;
    }

    @Override
    public void closeHandler(Runnable closed) {
      onClosed = closed;
    }

    @Override
    public Future<Void> write(Buffer buffer) {
      return over
          ? Future.failedFuture("the connection is closed")
          : SharedLink.this.write(number, buffer);
    }

    /** The other streams are to be read. */
    @Override
    public boolean pause() {
      return false;
    }

    @Override
    public void resume() {
      // It was not paused.
    }

    @Override
    public void close() {
      if (!streams.remove(number, this)) {
        return;
      }
      if (streams.isEmpty() && onOpened == null) {
        SharedLink.this.end();
      } else {
        SharedLink.this.write(number, Buffer.buffer());
      }
      end();
    }

    @Override
    public void abort() {
      close();
    }

    @Override
    public void unanswered() {
      if (System.nanoTime() - heardNs > silenceNs) {
        SharedLink.this.end();
      } else {
        close();
      }
    }

    private void end() {
      if (!over) {
        over = true;
        onClosed.run();
      }
    }

    @Override
    public SocketAddress remoteAddress() {
      return link.remoteAddress();
    }
  }
}
