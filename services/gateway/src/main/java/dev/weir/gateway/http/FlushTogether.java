package dev.weir.gateway.http;

import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;

/**
 * For connections that carry many requests at once: replies come one by one from the event bus, and
 * each would be a write to the socket of its own. Those of one turn of the event loop leave
 * together.
 */
public final class FlushTogether {
  private static final int MAX_REPLIES = 256;

  private FlushTogether() {}

  /** Called on the event loop of the connection. */
  public static void on(Channel channel) {
    channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_REPLIES, true));
  }
}
