package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.options.HeapExhaustion;
import dev.weir.options.UserFailure;
import dev.weir.queue.QueueException;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns failures of a service and of its queue into what a requester gets. */
final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  private Failures() {}

  /** Logs why a body cannot be decoded, which no requester may read; returns what it may. */
  static String undecoded(String address, Throwable cause) {
    HeapExhaustion.report(cause);
    LOG.warn(
        "service {}: the body of a message cannot be decoded", address, UserFailure.forLog(cause));
    return "the body cannot be decoded";
  }

  /** The same for a body that cannot be written to disk. */
  static String unwritten(String address, Throwable cause) {
    HeapExhaustion.report(cause);
    LOG.warn(
        "service {}: the body of a message cannot be written to disk",
        address,
        UserFailure.forLog(cause));
    return "the body cannot be written to disk";
  }

  /** Logs the failure of a handler that has no requester to be told. */
  static void logUnanswered(String address, Throwable failure) {
    LOG.warn("service {}: handler failed", address, UserFailure.forLog(failure));
  }

  static ReplyException exception(FlowFailure failure, String text) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, failure.code(), text);
  }

  static ReplyException of(QueueException refused) {
    return exception(of(refused.reason()), refused.getMessage());
  }

  static FlowFailure of(QueueException.Reason reason) {
    return switch (reason) {
      case QUEUE_FULL, BUFFER_FULL -> FlowFailure.SERVICE_FULL;
      case DISK_FULL -> FlowFailure.DISK_FULL;
      case ID_REUSED -> FlowFailure.ID_REUSED;
      case MESSAGE_TOO_LARGE -> FlowFailure.TOO_LARGE;
      case DROPPED, EXPIRED, PURGED -> FlowFailure.DROPPED;
      case CLOSED -> FlowFailure.SERVICE_CLOSED;
      case CORRUPT -> FlowFailure.LOST;
      default -> FlowFailure.STORE_FAILED;
    };
  }
}
