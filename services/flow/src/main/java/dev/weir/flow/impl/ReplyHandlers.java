package dev.weir.flow.impl;

import dev.weir.flow.ServiceMessage;
import dev.weir.flow.vertx.BusMessages;
import dev.weir.flow.vertx.PendingReplies;
import io.vertx.core.Vertx;
import io.vertx.core.eventbus.Message;
import java.util.concurrent.TimeUnit;

/**
 * Which requesters still wait for their replies, and for how long: those of this node as far as
 * {@link PendingReplies} knows, those of other nodes by the {@linkplain ServiceMessage#TIMEOUT_MS
 * time} that their requests name.
 */
final class ReplyHandlers {
  /** A longer time is cut to it. */
  private static final long MAX_TIMEOUT_MS = TimeUnit.DAYS.toMillis(365);

  private final PendingReplies pending;

  ReplyHandlers(Vertx vertx) {
    this.pending = new PendingReplies(vertx);
  }

  /** When the requester of another node gives up, by {@link System#nanoTime}; 0 if unknown. */
  static long deadlineNs(Message<?> request) {
    if (request.replyAddress() == null || !BusMessages.isFromWire(request)) {
      return 0;
    }
    String timeoutMs = request.headers().get(ServiceMessage.TIMEOUT_MS);
    if (timeoutMs == null) {
      return 0;
    }
    try {
      long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(parse(timeoutMs));
      return deadlineNs == 0 ? 1 : deadlineNs;
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long parse(String timeoutMs) {
    return Math.min(MAX_TIMEOUT_MS, Math.max(0, Long.parseLong(timeoutMs.trim())));
  }

  /** Whether it does not wait any more. */
  boolean isGone(Requester requester) {
    String address = requester.localAddress();
    if (address == null) {
      return requester.deadlineNs() != 0 && System.nanoTime() - requester.deadlineNs() > 0;
    }
    return pending.isGone(address);
  }

  /** For how long it waits yet; {@link Long#MAX_VALUE} if that is not known. */
  long remainingNs(Requester requester) {
    String address = requester.localAddress();
    if (address != null) {
      return pending.remainingNs(address);
    }
    long deadlineNs = requester.deadlineNs();
    return deadlineNs == 0 ? Long.MAX_VALUE : deadlineNs - System.nanoTime();
  }
}
