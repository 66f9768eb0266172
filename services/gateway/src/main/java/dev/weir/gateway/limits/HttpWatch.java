package dev.weir.gateway.limits;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/** Sees the parts of HTTP/1 requests and responses go by. */
final class HttpWatch extends ChannelDuplexHandler {
  private static final String NAME = "weir-http";

  /** What Vert.x calls its own handler, the last of a pipeline. */
  private static final String VERTX = "handler";

  private final WatchedConnection connection;

  private HttpWatch(WatchedConnection connection) {
    this.connection = connection;
  }

  static void install(WatchedConnection connection) {
    connection.channel.pipeline().addBefore(VERTX, NAME, new HttpWatch(connection));
  }

  static void remove(WatchedConnection connection) {
    ChannelPipeline pipeline = connection.channel.pipeline();
    if (pipeline.get(NAME) != null) {
      pipeline.remove(NAME);
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof WebSocketFrame && !connection.progress.isWebSocket()) {
      // Sent before the handshake was answered, which is not allowed; Vert.x would lose it.
      ReferenceCountUtil.release(message);
      context.close();
      return;
    }
    long nowMs = connection.nowMs();
    if (message instanceof HttpRequest) {
      connection.progress.headCame(nowMs);
    }
    if (message instanceof LastHttpContent) {
      connection.progress.bodyCame(nowMs);
    }
    context.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    long nowMs = connection.nowMs();
    if (message instanceof WebSocketFrame) {
      connection.progress.frame(nowMs);
    } else if (isInterim(message)) {
      if (((HttpResponse) message).status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
        connection.progress.becomesWebSocket(nowMs);
      }
    } else if (message instanceof LastHttpContent) {
      connection.progress.requestEnds(nowMs);
    }
    context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }
}
