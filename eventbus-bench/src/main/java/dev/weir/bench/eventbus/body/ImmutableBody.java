package dev.weir.bench.eventbus.body;

import dev.weir.flow.ImmutableCodec;
import java.nio.ByteBuffer;

/** A body that nobody can change: what {@link dev.weir.flow.ImmutableCodec} asks for. */
public final class ImmutableBody {
  /** Bytes besides the middle part. */
  static final int ENDS_BYTES = 16;

  private final long operation;
  private final byte[] middle;
  private final long tail;

  /** Keeps the array, which nobody may change afterwards; several bodies may share it. */
  ImmutableBody(long operation, byte[] middle, long tail) {
    this.operation = operation;
    this.middle = middle;
    this.tail = tail;
  }

  long operation() {
    return operation;
  }

  long tail() {
    return tail;
  }

  /** Not to be changed. */
  byte[] middle() {
    return middle;
  }

  int sizeBytes() {
    return ENDS_BYTES + middle.length;
  }

  /** Number, middle part, tail: the same bytes as a {@code Payload} of that operation. */
  public static final class ImmutableBodyCodec extends ImmutableCodec<ImmutableBody> {
    @Override
    public String name() {
      return "weir-bench-parcel";
    }

    @Override
    public int sizeBytes(ImmutableBody body) {
      return body.sizeBytes();
    }

    @Override
    public void write(ImmutableBody body, ByteBuffer out) {
      out.putLong(body.operation()).put(body.middle()).putLong(body.tail());
    }

    @Override
    public ImmutableBody read(ByteBuffer in) {
      long operation = in.getLong();
      byte[] middle = new byte[in.remaining() - Long.BYTES];
      in.get(middle);
      return new ImmutableBody(operation, middle, in.getLong());
    }
  }
}
