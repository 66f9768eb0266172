package dev.weir.gateway.security;

import dev.weir.gateway.http.LogText;
import io.vertx.core.http.HttpServerRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs requests to administer that are not let in, up to {@value #MAX_LINES} a second: a flood of
 * them must not fill the disk. Any thread.
 */
final class DenialLog {
  static final int MAX_LINES = 10;

  private static final Logger LOG = LoggerFactory.getLogger(DenialLog.class);
  private static final long SECOND_NS = 1_000_000_000;

  private long secondStartNs = System.nanoTime() - SECOND_NS;
  private int lines;
  private long unlogged;

  /**
   * @param principal the name of the token or of the user; null for a client that nobody knows
   */
  synchronized void denied(HttpServerRequest request, String principal, String reason) {
    long nowNs = System.nanoTime();
    if (nowNs - secondStartNs >= SECOND_NS) {
      if (unlogged > 0) {
        LOG.warn("{} more requests to administer were denied", unlogged);
      }
      secondStartNs = nowNs;
      lines = 0;
      unlogged = 0;
    }
    if (lines == MAX_LINES) {
      unlogged++;
      return;
    }
    lines++;
    LOG.warn(
        "{} {} denied to {} at {}: {}",
        LogText.of(request.method().name()),
        LogText.of(request.path()),
        principal == null ? "an unknown client" : LogText.of(principal),
        request.remoteAddress() == null ? "?" : request.remoteAddress().hostAddress(),
        reason);
  }
}
