package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.queue.QueueException;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/** Turns failures of a service and of its queue into what a requester gets. */
final class Failures {
  private Failures() {}

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
