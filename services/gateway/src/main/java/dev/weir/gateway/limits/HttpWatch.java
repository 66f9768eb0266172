package dev.weir.gateway.limits;

import static io.netty.handler.codec.http.HttpHeaderNames.CONNECTION;
import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpHeaderValues.CLOSE;
import static io.netty.handler.codec.http.HttpHeaderValues.ZERO;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;

/** Observes the parts of HTTP/1 requests and responses on a connection. */
final class HttpWatch extends ChannelDuplexHandler {
  private static final String NAME = "weir-http";

  /** What Vert.x calls its own handler, the last of a pipeline. */
  private static final String VERTX = "handler";

  private final WatchedConnection connection;

  /** Those of a WebSocket. */
  private final FirstFrames frames = new FirstFrames();

  /** True from the head of a response to its end. */
  private boolean responding;

  /** True from a response that says it is the last one of the connection. */
  private boolean closing;

  /** True from the first request after that response: it is not handled, nor what follows it. */
  private boolean ended;

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

  /** Closes a WebSocket whose client sends too much, too slowly or what no client may. */
  static void closeSocket(Channel channel, WebSocketCloseStatus status) {
    channel.config().setAutoRead(false);
    // From here: Vert.x, further up, would write a close frame of its own and wait for the answer.
    ChannelHandlerContext context = channel.pipeline().context(NAME);
    context.writeAndFlush(new CloseWebSocketFrame(status)).addListener(written -> context.close());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (connection.progress.isWebSocket()) {
      if (message instanceof WebSocketFrame frame && !connection.frameCame(frame)) {
        ReferenceCountUtil.release(message);
        return;
      }
      if (message instanceof PingWebSocketFrame && !context.channel().isWritable()) {
        // The answers would gather without limit: RFC 6455, 5.5.3, allows to answer later pings
        // only.
        ReferenceCountUtil.release(message);
        return;
      }
      Object passed = message instanceof WebSocketFrame frame ? frames.passed(frame) : message;
      if (passed != null) {
        context.fireChannelRead(passed);
      }
      return;
    }
    if (message instanceof WebSocketFrame) {
      // Sent before the handshake was answered, which is not allowed; Vert.x would lose it.
      ReferenceCountUtil.release(message);
      context.close();
      return;
    }
    boolean begins = message instanceof HttpRequest;
    if (begins && closing) {
      ended = true;
      connection.mustLinger();
    }
    if (ended) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpObject part && part.decoderResult().isFailure()) {
      connection.mustLinger();
      if (!begins) {
        refuse(context, message);
        return;
      }
    }
    long nowMs = connection.nowMs();
    if (begins) {
      connection.progress.headCame(nowMs);
    }
    if (message instanceof LastHttpContent) {
      connection.progress.bodyCame(nowMs);
    }
    context.fireChannelRead(message);
  }

  /**
   * Closes a connection whose body cannot be read. Answers with 400 before, where no part of a
   * response was sent and no other response is due first. Vert.x would not answer.
   */
  private void refuse(ChannelHandlerContext context, Object malformed) {
    ReferenceCountUtil.release(malformed);
    if (responding || !connection.progress.isInFirstRequest()) {
      context.close();
      return;
    }
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST, Unpooled.EMPTY_BUFFER);
    answer.headers().set(CONTENT_LENGTH, ZERO).set(CONNECTION, CLOSE);
    context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  /** Vert.x would close a WebSocket with a malformed frame, but without telling the client why. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
    if (failure instanceof CorruptedWebSocketFrameException malformed) {
      connection.closeSocket(malformed.closeStatus());
    } else {
      context.fireExceptionCaught(failure);
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    long nowMs = connection.nowMs();
    if (message instanceof WebSocketFrame) {
      connection.progress.frame(nowMs);
    } else if (isInterim(message)) {
      if (((HttpResponse) message).status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
        connection.progress.becomesWebSocket(nowMs);
        connection.mustLinger();
      }
    } else {
      if (message instanceof HttpResponse response) {
        responding = true;
        closing |= response.headers().contains(CONNECTION, CLOSE, true);
      }
      if (message instanceof LastHttpContent) {
        responding = false;
        connection.progress.requestEnds(nowMs);
        if (closing && connection.progress.isBodyToCome()) {
          connection.mustLinger();
        }
        connection.answered();
      }
    }
    context.write(message, promise);
  }

  private static boolean isInterim(Object message) {
    return message instanceof HttpResponse response
        && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }
}
