package dev.weir.gateway.limits;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;

/**
 * Refuses requests over HTTP/2 with more than one {@code Host} header. Vert.x takes the first in
 * place of an authority that is missing, and hides the others, by which a proxy could go.
 */
final class OneHost extends Http2FrameListenerDecorator {
  private OneHost(Http2FrameListener vertx) {
    super(vertx);
  }

  /** Called when Vert.x listens to a connection, with its settings and before its first request. */
  static void install(Http2ConnectionDecoder decoder) {
    decoder.frameListener(new OneHost(decoder.frameListener()));
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int stream,
      Http2Headers headers,
      int padding,
      boolean endOfStream)
      throws Http2Exception {
    check(stream, headers);
    super.onHeadersRead(context, stream, headers, padding, endOfStream);
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext context,
      int stream,
      Http2Headers headers,
      int dependsOn,
      short weight,
      boolean exclusive,
      int padding,
      boolean endOfStream)
      throws Http2Exception {
    check(stream, headers);
    super.onHeadersRead(
        context, stream, headers, dependsOn, weight, exclusive, padding, endOfStream);
  }

  private static void check(int stream, Http2Headers headers) throws Http2Exception {
    if (headers.getAll(HttpHeaderNames.HOST).size() > 1) {
      throw Http2Exception.streamError(stream, Http2Error.PROTOCOL_ERROR, "more than one host");
    }
  }
}
