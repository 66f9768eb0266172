package dev.weir.flow.vertx;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;

/** Moves the bytes of Vert.x buffers to and from NIO buffers with one copy. Any thread. */
public final class BufferBytes {
  private BufferBytes() {}

  /** A buffer with the remaining bytes, which are read; it can grow, as any other. */
  public static Buffer read(ByteBuffer in) {
    ByteBuf bytes = VertxByteBufAllocator.DEFAULT.heapBuffer(in.remaining(), Integer.MAX_VALUE);
    return BufferInternal.buffer(bytes.writeBytes(in));
  }

  /** Writes all bytes of a buffer. */
  public static void write(Buffer buffer, ByteBuffer out) {
    int length = buffer.length();
    int end = out.position() + length;
    if (length > out.remaining()) {
      throw new BufferOverflowException();
    }
    ByteBuf bytes = ((BufferInternal) buffer).getByteBuf();
    bytes.getBytes(bytes.readerIndex(), out.duplicate().limit(end));
    out.position(end);
  }
}
