package dev.weir.gateway.limits;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;

/**
 * Removes the headers by which a request asks to change its connection to HTTP/2, if that is not
 * allowed or if they are not well formed. HTTP permits a server to ignore them, so the request is
 * handled as one of HTTP/1.1. Vert.x would answer malformed ones with 400 and leak the memory of
 * the body.
 */
final class UpgradeFilter extends ChannelInboundHandlerAdapter {
  /** What Vert.x calls the handler that takes upgrades. */
  private static final String VERTX = "h2c";

  private static final String H2C = Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME.toString();
  private static final CharSequence SETTINGS = Http2CodecUtil.HTTP_UPGRADE_SETTINGS_HEADER;
  private static final int SETTING_BYTES = 6;

  private final boolean allowed;

  private UpgradeFilter(boolean allowed) {
    this.allowed = allowed;
  }

  static void install(ChannelPipeline pipeline, boolean allowed) {
    if (pipeline.get(VERTX) != null) {
      pipeline.addBefore(VERTX, null, new UpgradeFilter(allowed));
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    boolean request = message instanceof HttpRequest;
    if (request) {
      filter(((HttpRequest) message).headers());
    }
    context.fireChannelRead(message);
    if (request && context.pipeline().get(VERTX) == null) {
      context.pipeline().remove(this);
    }
  }

  private void filter(HttpHeaders headers) {
    if (!headers.contains(HttpHeaderNames.UPGRADE, H2C, true)) {
      return;
    }
    if (allowed && isWellFormed(headers)) {
      headers.set(HttpHeaderNames.CONNECTION, "Upgrade, HTTP2-Settings");
    } else {
      headers.remove(HttpHeaderNames.UPGRADE).remove(SETTINGS);
    }
  }

  private static boolean isWellFormed(HttpHeaders headers) {
    List<String> settings = headers.getAll(SETTINGS);
    return headers.containsValue(HttpHeaderNames.CONNECTION, "upgrade", true)
        && headers.containsValue(HttpHeaderNames.CONNECTION, "http2-settings", true)
        && settings.size() == 1
        && isWellFormed(settings.get(0));
  }

  private static boolean isWellFormed(String base64) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(base64));
      Http2Settings settings = new Http2Settings();
      while (bytes.remaining() >= SETTING_BYTES) {
        settings.put((char) bytes.getShort(), (Long) (bytes.getInt() & 0xFFFFFFFFL));
      }
      return !bytes.hasRemaining();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
