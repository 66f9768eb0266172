package dev.weir.bench.cluster.injection;

import dev.weir.bench.cluster.Kind;
import dev.weir.cluster.Inbound;
import dev.weir.cluster.Outbound;
import dev.weir.cluster.State;
import dev.weir.processor.CarCodec;
import dev.weir.processor.CarProcessor;
import dev.weir.processor.CarStateProcessor;
import dev.weir.processor.Encoding;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A processor without a cluster: the handler is called on the driver's thread. Its figures are the
 * cost of driver, encoding and handler, and so the floor of all other figures.
 */
public final class Loopback implements ProcessorUnderTest {
  private static final int SLOTS = 64;
  private static final int SLOT_BYTES = CarCodec.MAX_BYTES;

  private final BiConsumer<Inbound, Outbound> handler;
  private final ByteBuffer replies = ByteBuffer.allocateDirect(SLOTS * SLOT_BYTES);
  private final int[] lengths = new int[SLOTS];
  private final long[] sequences = new long[SLOTS];
  private final Request request = new Request();
  private final Reply reply = new Reply();
  private long handled;
  private long delivered;

  public Loopback(Kind kind, Encoding encoding) {
    this.handler = handler(kind, encoding);
  }

  private static BiConsumer<Inbound, Outbound> handler(Kind kind, Encoding encoding) {
    if (kind == Kind.ES) {
      return new CarProcessor(encoding)::onMessage;
    }
    CarStateProcessor processor =
        new CarStateProcessor(encoding, CarStateProcessor.DEFAULT_OBJECTS);
    MemoryState state = new MemoryState();
    return (message, out) -> processor.onMessage(message, state, out);
  }

  private static int slot(long index) {
    return (int) index & (SLOTS - 1);
  }

  @Override
  public boolean offer(long sequence, ByteBuffer body, int offset, int length) {
    if (handled - delivered == SLOTS) {
      return false;
    }
    request.sequence = sequence;
    request.buffer = body;
    request.offset = offset;
    request.length = length;
    lengths[slot(handled)] = 0;
    sequences[slot(handled)] = sequence;
    handler.accept(request, reply);
    handled++;
    return true;
  }

  @Override
  public int poll(Replies receiver) {
    int count = (int) (handled - delivered);
    while (delivered < handled) {
      int slot = slot(delivered++);
      receiver.onReply(sequences[slot], replies, slot * SLOT_BYTES, lengths[slot]);
    }
    return count;
  }

  @Override
  public void close() {
    // Nothing to release.
  }

  private static final class Request implements Inbound {
    private long sequence;
    private ByteBuffer buffer;
    private int offset;
    private int length;

    @Override
    public long clientId() {
      return 1;
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public long timestampMs() {
      return 0;
    }

    @Override
    public ByteBuffer buffer() {
      return buffer;
    }

    @Override
    public int offset() {
      return offset;
    }

    @Override
    public int length() {
      return length;
    }
  }

  private final class Reply implements Outbound {
    @Override
    public ByteBuffer claim(int maxBytes) {
      if (maxBytes < 0 || maxBytes > SLOT_BYTES) {
        throw new IllegalArgumentException(
            "maxBytes is " + maxBytes + ", allowed is 0 to " + SLOT_BYTES);
      }
      return replies;
    }

    @Override
    public int offset() {
      return slot(handled) * SLOT_BYTES;
    }

    @Override
    public void commit(int bytes) {
      lengths[slot(handled)] = bytes;
    }
  }

  /** The state of a processor without a cluster, in memory. */
  private static final class MemoryState implements State {
    private final Map<Long, ByteBuffer> objects = new HashMap<>();

    @Override
    public ByteBuffer get(long id) {
      ByteBuffer object = objects.get(id);
      return object == null ? null : object.asReadOnlyBuffer();
    }

    @Override
    public void put(long id, ByteBuffer value) {
      ByteBuffer object = objects.get(id);
      if (object == null || object.capacity() != value.remaining()) {
        object = ByteBuffer.allocate(value.remaining());
        objects.put(id, object);
      }
      object.put(0, value, value.position(), value.remaining());
    }

    @Override
    public void remove(long id) {
      objects.remove(id);
    }

    @Override
    public int size() {
      return objects.size();
    }
  }
}
