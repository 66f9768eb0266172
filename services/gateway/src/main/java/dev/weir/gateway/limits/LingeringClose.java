package dev.weir.gateway.limits;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection whose client still sends. An immediate close would reset it, and the client's
 * system would then discard the last answer unread (RFC 9112, 9.6, and RFC 6455, 7.1.1). So the
 * server ends its own direction only, and discards what it receives until the client has ended the
 * other one: for a bounded time, and for a bounded number of bytes. On the event loop of the
 * connection.
 */
final class LingeringClose {
  /** A client that sends nothing for so long, or still sends after all periods, is cut off. */
  private static final long PERIOD_MS = 2_000;

  private static final int MAX_PERIODS = 5;
  private static final long MAX_BYTES = 256L << 20;

  private final ChannelHandlerContext context;
  private long bytes;
  private long bytesBefore;
  private int periods;

  /**
   * @param context closes the connection without another call of this
   */
  LingeringClose(ChannelHandlerContext context) {
    this.context = context;
  }

  /** Writes what waits, then ends the output. */
  void begin() {
    context.channel().config().setAutoRead(true);
    context
        .writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            written -> {
              if (written.isSuccess()) {
                endOutput();
              } else {
                context.close();
              }
            });
    lookLater();
  }

  private void endOutput() {
    Channel channel = context.channel();
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      ((DuplexChannel) channel).shutdownOutput();
    } else {
      tls.closeOutbound().addListener(ended -> ((DuplexChannel) channel).shutdownOutput());
    }
  }

  private void lookLater() {
    context.executor().schedule(this::look, PERIOD_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    periods++;
    if (bytes == bytesBefore || periods == MAX_PERIODS) {
      context.close();
    } else {
      bytesBefore = bytes;
      lookLater();
    }
  }

  /** Releases what the client has sent. */
  void discard(ByteBuf received) {
    bytes += received.readableBytes();
    received.release();
    if (bytes > MAX_BYTES) {
      context.close();
    }
  }

  /** Completes a promise when the connection is closed. */
  void whenClosed(ChannelPromise promise) {
    context.channel().closeFuture().addListener(closed -> promise.trySuccess());
  }
}
