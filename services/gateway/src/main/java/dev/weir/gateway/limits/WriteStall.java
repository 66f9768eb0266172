package dev.weir.gateway.limits;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Detects a client that does not take what waits for it. Used on the connection's event loop. */
final class WriteStall {
  /** {@value}: who takes less before the timeout takes nothing to speak of. */
  private static final int MIN_PROGRESS_BYTES = 1024;

  private Object current;
  private long progressBytes;
  private long sinceMs = -1;

  boolean isOver(Channel channel, long nowMs, long timeoutMs) {
    ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
    if (out == null || channel.isWritable()) {
      sinceMs = -1;
      current = null;
      return false;
    }
    if (sinceMs == -1
        || out.current() != current
        || out.currentProgress() - progressBytes >= MIN_PROGRESS_BYTES) {
      sinceMs = nowMs;
      current = out.current();
      progressBytes = out.currentProgress();
    }
    return nowMs - sinceMs > timeoutMs;
  }
}
