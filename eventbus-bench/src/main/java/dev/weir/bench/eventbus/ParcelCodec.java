package dev.weir.bench.eventbus;

import dev.weir.flow.ImmutableCodec;
import java.nio.ByteBuffer;

/** Number, middle part, tail: the same bytes as a {@code Payload} of that operation. */
final class ParcelCodec extends ImmutableCodec<Parcel> {
  @Override
  public String name() {
    return "weir-bench-parcel";
  }

  @Override
  public int sizeBytes(Parcel body) {
    return body.sizeBytes();
  }

  @Override
  public void write(Parcel body, ByteBuffer out) {
    out.putLong(body.operation()).put(body.middle()).putLong(body.tail());
  }

  @Override
  public Parcel read(ByteBuffer in) {
    long operation = in.getLong();
    byte[] middle = new byte[in.remaining() - Long.BYTES];
    in.get(middle);
    return new Parcel(operation, middle, in.getLong());
  }
}
