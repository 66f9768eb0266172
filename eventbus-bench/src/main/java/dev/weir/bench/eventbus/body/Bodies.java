package dev.weir.bench.eventbus.body;

import dev.weir.bench.program.Names;
import dev.weir.bench.verify.Payload;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.function.Function;

/**
 * Makes and checks the bodies of one kind and size. A sender calls {@link #take} and {@link
 * #giveBack} on one thread; the checks may run on any.
 */
public abstract class Bodies {
  private static final long SEED = 20261120;

  final Payload payload;

  Bodies(int sizeBytes) {
    this.payload = new Payload(SEED, sizeBytes);
  }

  /** The body of an operation. */
  public abstract Object take(long operation);

  /** Takes an unused body back, so that it can be sent again. */
  public void giveBack(Object body) {}

  /** The operation a body belongs to; -1 if it is not a body of this kind. */
  public abstract long operationOf(Object body);

  /** Whether the body has the content of the operation, as far as {@link #describeCheck} says. */
  public abstract boolean matches(long operation, Object body);

  /** What is sent and what is checked. */
  public abstract String describe();

  /** How much of a body is checked. */
  public String describeCheck() {
    return payload.describeCheck();
  }

  /** The two kinds of bodies, with their names in the results. */
  public enum Kind {
    BUFFER(Buffers::new),
    IMMUTABLE(ImmutableBodies::new);

    private final Function<Integer, Bodies> factory;

    Kind(Function<Integer, Bodies> factory) {
      this.factory = factory;
    }

    public Bodies bodies(int sizeBytes) {
      return factory.apply(sizeBytes);
    }

    @Override
    public String toString() {
      return Names.of(this);
    }
  }

  /**
   * Vert.x buffers, which the bus copies. A buffer that came back is stamped and sent again, so
   * that the cost of new bodies is not measured.
   */
  private static final class Buffers extends Bodies {
    private final ArrayDeque<Buffer> idle = new ArrayDeque<>();

    Buffers(int sizeBytes) {
      super(sizeBytes);
    }

    @Override
    public Object take(long operation) {
      Buffer buffer = idle.poll();
      if (buffer == null) {
        return Buffer.buffer(payload.create(operation));
      }
      return buffer
          .setLong(0, operation)
          .setLong(buffer.length() - Long.BYTES, payload.tail(operation));
    }

    @Override
    public void giveBack(Object body) {
      idle.push((Buffer) body);
    }

    @Override
    public long operationOf(Object body) {
      return body instanceof Buffer buffer && buffer.length() >= Long.BYTES
          ? buffer.getLong(0)
          : -1;
    }

    @Override
    public boolean matches(long operation, Object body) {
      if (!(body instanceof Buffer buffer) || buffer.length() != payload.sizeBytes()) {
        return false;
      }
      return payload.isSampled(operation)
          ? payload.contentMatches(operation, buffer.getBytes())
          : payload.endsMatch(
              operation,
              buffer.length(),
              buffer.getLong(0),
              buffer.getLong(buffer.length() - Long.BYTES));
    }

    @Override
    public String describe() {
      return "Vert.x Buffer, copied by the bus; the sender uses its buffers again";
    }
  }

  /**
   * ImmutableBodies, which cross the bus as they are. All that are sent share their middle part.
   */
  private static final class ImmutableBodies extends Bodies {
    private final byte[] middle;

    ImmutableBodies(int sizeBytes) {
      super(sizeBytes);
      byte[] whole = payload.create(0);
      this.middle = Arrays.copyOfRange(whole, Long.BYTES, whole.length - Long.BYTES);
    }

    @Override
    public Object take(long operation) {
      return new ImmutableBody(operation, middle, payload.tail(operation));
    }

    @Override
    public long operationOf(Object body) {
      return body instanceof ImmutableBody immutable ? immutable.operation() : -1;
    }

    @Override
    public boolean matches(long operation, Object body) {
      if (!(body instanceof ImmutableBody immutable)) {
        return false;
      }
      return payload.isSampled(operation)
          ? payload.contentMatches(operation, bytes(immutable))
          : payload.endsMatch(
              operation, immutable.sizeBytes(), immutable.operation(), immutable.tail());
    }

    private static byte[] bytes(ImmutableBody immutable) {
      return ByteBuffer.allocate(immutable.sizeBytes())
          .putLong(immutable.operation())
          .put(immutable.middle())
          .putLong(immutable.tail())
          .array();
    }

    @Override
    public String describe() {
      return "immutable class with an ImmutableCodec; what is sent shares one middle part";
    }
  }
}
