package dev.weir.flow;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.MessageCodec;
import java.nio.ByteBuffer;

/**
 * A codec for bodies that nobody can change: they cross the local bus as they are, without a copy.
 *
 * <p>The contract is the user's to keep: {@code T} is final and all it refers to is final and never
 * changed. The event bus finds the codec by the exact class of the body. Register it with {@link
 * Weir#registerCodec} on every node, before the first message.
 *
 * @param <T> the immutable class
 */
public abstract class ImmutableCodec<T> implements MessageCodec<T, T> {

  /** The exact number of bytes {@link #write} puts; any thread, not blocking. */
  public abstract int sizeBytes(T body);

  /** Writes exactly {@link #sizeBytes} bytes; any thread, not blocking. */
  public abstract void write(T body, ByteBuffer out);

  /** Reads what {@link #write} wrote; the buffer holds nothing else and must not be kept. */
  public abstract T read(ByteBuffer in);

  @Override
  public final T transform(T body) {
    return body;
  }

  @Override
  public final void encodeToWire(Buffer wire, T body) {
    ByteBuffer out = ByteBuffer.allocate(sizeBytes(body));
    write(body, out);
    wire.appendInt(out.capacity()).appendBytes(out.array());
  }

  @Override
  public final T decodeFromWire(int position, Buffer wire) {
    int length = wire.getInt(position);
    int start = position + Integer.BYTES;
    return read(ByteBuffer.wrap(wire.getBytes(start, start + length)));
  }

  @Override
  public final byte systemCodecID() {
    return -1;
  }
}
