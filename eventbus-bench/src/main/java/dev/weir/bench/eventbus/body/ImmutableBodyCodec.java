package dev.weir.bench.eventbus.body;

import dev.weir.flow.ImmutableCodec;
import java.nio.ByteBuffer;

/** Number, middle part, tail: the same bytes as a {@code Payload} of that operation. */
public final class ImmutableBodyCodec extends ImmutableCodec<ImmutableBody> {
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
