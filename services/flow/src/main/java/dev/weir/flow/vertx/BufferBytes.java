package dev.weir.flow.vertx;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.impl.buffer.VertxByteBufAllocator;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the bytes of Vert.x buffers to and from NIO buffers with one copy. With a Vert.x that does
 * not open its buffers to it, there are two. Any thread.
 */
public final class BufferBytes {
  private static final Logger LOG = LoggerFactory.getLogger(BufferBytes.class);

  private static final boolean OPEN =
      links(
          "bytes are copied once more on their way to and from the disk",
          () -> Open.write(Open.read(ByteBuffer.allocate(1)), ByteBuffer.allocate(1)));

  private static final boolean GIVEN =
      links("a buffer that is given is copied", () -> new GivenBuffer(Buffer.buffer()).copy());

  private BufferBytes() {}

  /** Whether something that names what is inside Vert.x goes with this Vert.x. */
  private static boolean links(String otherwise, Runnable something) {
    try {
      something.run();
      return true;
    } catch (LinkageError e) {
      LOG.info("{}: {}", otherwise, e.toString());
      return false;
    }
  }

  /** A buffer with the remaining bytes, which are read; it can grow, as any other. */
  public static Buffer read(ByteBuffer in) {
    if (OPEN) {
      return Open.read(in);
    }
    byte[] bytes = new byte[in.remaining()];
    in.get(bytes);
    return Buffer.buffer(bytes);
  }

  /** Writes all bytes of a buffer. */
  public static void write(Buffer buffer, ByteBuffer out) {
    if (OPEN) {
      Open.write(buffer, out);
    } else {
      out.put(buffer.getBytes());
    }
  }

  /**
   * A buffer whose copy has the same bytes, not copies of them; the buffer itself, which the bus
   * then copies, where this Vert.x lets nobody make such a one.
   */
  public static Buffer given(Buffer body) {
    if (GIVEN) {
      return new GivenBuffer(body);
    }
    return body;
  }

  /** In a class of its own, which is linked only when it is tried. */
  private static final class Open {
    private Open() {}

    static Buffer read(ByteBuffer in) {
      ByteBuf bytes = VertxByteBufAllocator.DEFAULT.heapBuffer(in.remaining(), Integer.MAX_VALUE);
      return BufferInternal.buffer(bytes.writeBytes(in));
    }

    static void write(Buffer buffer, ByteBuffer out) {
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
}
