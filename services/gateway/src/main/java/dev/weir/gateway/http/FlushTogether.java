package dev.weir.gateway.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Writes the replies of one turn of the event loop together. On connections with many concurrent
 * requests each reply would otherwise be its own write to the socket.
 *
 * <p>While the socket takes nothing more, Vert.x writes the heads of replies over HTTP/2 and
 * flushes them with their bodies, which wait until the socket takes more. With enough heads it
 * never would: they count as not taken as long as they are not flushed. So they are flushed here.
 */
public final class FlushTogether extends FlushConsolidationHandler {
  private static final int MAX_REPLIES = 256;

  private final Runnable afterRead;

  private FlushTogether(Runnable afterRead) {
    super(MAX_REPLIES, true);
    this.afterRead = afterRead;
  }

  /** Called on the event loop of the connection. */
  public static void on(Channel channel) {
    on(channel, () -> {});
  }

  /**
   * Called on the event loop of the connection.
   *
   * @param afterRead run there whenever all was handled that could be read
   */
  public static void on(Channel channel, Runnable afterRead) {
    channel.pipeline().addFirst(new FlushTogether(afterRead));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    super.channelReadComplete(context);
    afterRead.run();
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    super.write(context, message, promise);
    if (!context.channel().isWritable()) {
      flush(context);
    }
  }
}
