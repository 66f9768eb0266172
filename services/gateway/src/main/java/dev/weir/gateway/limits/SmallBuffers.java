package dev.weir.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.Map;

/**
 * Keeps the buffers of codecs as small as what is in them. A codec of Netty's own drops the bytes
 * that it has decoded after 16 reads, and keeps the buffer: while a message lies across the end of
 * each read, it has 2 MiB by then, whatever the size of the messages.
 */
final class SmallBuffers {
  private SmallBuffers() {}

  /** Called when the codecs of a connection have changed. */
  static void of(ChannelPipeline pipeline) {
    for (Map.Entry<String, ChannelHandler> entry : pipeline) {
      if (entry.getValue() instanceof ByteToMessageDecoder codec) {
        codec.setCumulator(SmallBuffers::add);
      }
    }
  }

  /** As {@link ByteToMessageDecoder#MERGE_CUMULATOR} does, but what has been read takes no room. */
  private static ByteBuf add(ByteBufAllocator allocator, ByteBuf buffer, ByteBuf more) {
    if (buffer == more || !buffer.isReadable()) {
      return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, buffer, more);
    }
    int bytes = buffer.readableBytes() + more.readableBytes();
    int capacity = allocator.calculateNewCapacity(bytes, Integer.MAX_VALUE);
    boolean fits = buffer.writableBytes() >= more.readableBytes() && buffer.capacity() <= capacity;
    if (fits) {
      return ByteToMessageDecoder.MERGE_CUMULATOR.cumulate(allocator, buffer, more);
    }
    try {
      ByteBuf next = allocator.buffer(capacity).writeBytes(buffer).writeBytes(more);
      buffer.release();
      return next;
    } finally {
      more.release();
    }
  }
}
