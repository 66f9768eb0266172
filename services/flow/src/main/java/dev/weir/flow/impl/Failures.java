package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.options.HeapExhaustion;
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
    LOG.warn("service {}: the body of a message cannot be decoded", address, cause);
    return "the body cannot be decoded";
  }

  /** The same for a body that cannot be written to disk. */
  static String unwritten(String address, Throwable cause) {
    LOG.warn("service {}: the body of a message cannot be written to disk", address, cause);
    return "the body cannot be written to disk";
  }

  /** What a failure says; never null. */
  static String text(Throwable failure) {
    try {
      return failure.getMessage() == null ? failure.toString() : failure.getMessage();
    } catch (RuntimeException | Error e) {
      return className(failure, e);
    }
  }

  /** The failure's class and what it says; never null. */
  static String described(Throwable failure) {
    try {
      return String.valueOf(failure);
    } catch (RuntimeException | Error e) {
      return className(failure, e);
    }
  }

  /** All that can be said of a failure of a user that throws when it is asked. */
  private static String className(Throwable failure, Throwable thrown) {
    HeapExhaustion.report(thrown);
    return failure.getClass().getName();
  }

  /** Logs the failure of a handler that has no requester to be told. */
  static void logUnanswered(String address, Throwable failure) {
    try {
      LOG.warn("service {}: handler failed", address, failure);
    } catch (RuntimeException | Error e) {
      LOG.warn("service {}: handler failed: {}", address, className(failure, e));
    }
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
