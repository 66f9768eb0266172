package dev.weir.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import java.util.function.BooleanSupplier;

/**
 * Passes the bytes of a WebSocket on to the codec, a few frames at a time, as long as the socket is
 * read. Vert.x keeps every decoded frame of a socket that is not read in objects that nobody
 * counts, and one read of the connection has room for ten thousand frames. On the event loop of the
 * connection.
 */
final class FrameGate {
  private static final int FRAMES = 16;
  private static final int MASK_BYTES = 4;
  private static final int MASKED = 0x80;
  private static final int LENGTH = 0x7F;
  private static final int MIDDLE = 126;

  private final BooleanSupplier paused;

  /** Null if nothing waits. */
  private ByteBuf waiting;

  /** False before the first byte of a frame. */
  private boolean begun;

  /** Bytes left of the length, if it takes more than the second byte. */
  private int lengthBytes;

  /** As far as it is known, with the mask. */
  private long length;

  private int maskBytes;

  /** Left of the current frame after its length. */
  private long left;

  /**
   * @param paused true while the socket is not read
   */
  FrameGate(BooleanSupplier paused) {
    this.paused = paused;
  }

  /** Whether there are bytes that were not passed on. */
  boolean isWaiting() {
    return waiting != null;
  }

  /**
   * Takes what was read; the caller signals the end of the read.
   *
   * @param bytes released by this or by the codec
   */
  void pass(ChannelHandlerContext context, ByteBuf bytes) {
    waiting = waiting == null ? bytes : Unpooled.wrappedBuffer(waiting, bytes);
    passWaiting(context);
  }

  /** Passes on what waits, until the socket is paused. */
  void passOn(ChannelHandlerContext context) {
    passWaiting(context);
    context.fireChannelReadComplete();
  }

  private void passWaiting(ChannelHandlerContext context) {
    while (waiting != null && !paused.getAsBoolean()) {
      ByteBuf bytes = waiting;
      int some = endOfFrames(bytes) - bytes.readerIndex();
      if (some < bytes.readableBytes()) {
        context.fireChannelRead(bytes.readRetainedSlice(some));
      } else {
        waiting = null;
        context.fireChannelRead(bytes);
      }
    }
  }

  /** The connection is closed. */
  void release() {
    if (waiting != null) {
      waiting.release();
      waiting = null;
    }
  }

  /** The index behind the next frames: RFC 6455, 5.2. */
  private int endOfFrames(ByteBuf bytes) {
    int end = bytes.writerIndex();
    int at = bytes.readerIndex();
    int frames = 0;
    while (at < end && frames < FRAMES) {
      if (left > 0) {
        int some = (int) Math.min(left, end - at);
        at += some;
        left -= some;
        frames += left == 0 ? 1 : 0;
      } else if (isLengthKnown(bytes.getByte(at++) & 0xFF)) {
        left = length;
        frames += left == 0 ? 1 : 0;
      }
    }
    return at;
  }

  /** Takes one byte of a header. */
  private boolean isLengthKnown(int next) {
    if (lengthBytes > 0) {
      length = length << Byte.SIZE | next;
      lengthBytes--;
    } else if (begun) {
      maskBytes = (next & MASKED) == 0 ? 0 : MASK_BYTES;
      int given = next & LENGTH;
      lengthBytes = given < MIDDLE ? 0 : given == MIDDLE ? Short.BYTES : Long.BYTES;
      length = given < MIDDLE ? given : 0;
    } else {
      begun = true;
      return false;
    }
    if (lengthBytes > 0) {
      return false;
    }
    begun = false;
    // One below 0 is refused by the codec.
    length = Math.max(0, length) + maskBytes;
    return true;
  }
}
