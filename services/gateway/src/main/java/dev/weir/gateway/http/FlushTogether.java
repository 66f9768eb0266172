package dev.weir.gateway.http;

import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * Writes the replies of one turn of the event loop together. On connections with many concurrent
 * requests each reply would otherwise be its own write to the socket.
 */
public final class FlushTogether {
  private static final int MAX_REPLIES = 256;

  private FlushTogether() {}

  /** Called on the event loop of the connection. */
  public static void on(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_REPLIES, true));
  }
}
