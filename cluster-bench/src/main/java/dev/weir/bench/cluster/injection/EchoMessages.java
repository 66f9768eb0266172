package dev.weir.bench.cluster.injection;

import dev.weir.bench.verify.Payload;
import java.nio.ByteBuffer;

/** Messages of plain bytes. The reply must have the same bytes. */
public final class EchoMessages implements Messages {
  private static final long SEED = 17;

  private final Payload payload;
  private final byte[] template;

  /** Messages with this number of bytes, at least {@link Payload#MIN_SIZE_BYTES}. */
  public EchoMessages(int bytes) {
    this.payload = new Payload(SEED, bytes);
    this.template = payload.create(0);
  }

  @Override
  public int maxBytes() {
    return payload.sizeBytes();
  }

  @Override
  public int encode(long number, ByteBuffer buffer, int offset) {
    payload.stamp(template, number);
    buffer.put(offset, template);
    return template.length;
  }

  @Override
  public boolean isReply(long number, ByteBuffer buffer, int offset, int length) {
    return length == payload.sizeBytes()
        && payload.endsMatch(
            number, length, buffer.getLong(offset), buffer.getLong(offset + length - Long.BYTES));
  }
}
