package dev.weir.group.apply;

import dev.weir.cluster.Inbound;
import io.vertx.core.buffer.Buffer;
import java.nio.ByteBuffer;

/** A message of a group that is in no log. */
public record PlainMessage(ByteBuffer buffer, long timestampMs, int version) implements Inbound {
  public PlainMessage(Buffer bytes, long timestampMs, int version) {
    this(ByteBuffer.wrap(bytes.getBytes()), timestampMs, version);
  }

  public PlainMessage(Buffer bytes, long timestampMs) {
    this(bytes, timestampMs, 1);
  }

  @Override
  public long clientId() {
    return 1;
  }

  @Override
  public long sequence() {
    return 1;
  }

  @Override
  public int offset() {
    return 0;
  }

  @Override
  public int length() {
    return buffer.limit();
  }
}
