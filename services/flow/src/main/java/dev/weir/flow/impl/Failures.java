package dev.weir.flow.impl;

import dev.weir.flow.FlowFailure;
import dev.weir.options.HeapExhaustion;
import dev.weir.queue.Delivery;
import dev.weir.queue.DurableQueue;
import dev.weir.queue.DurableQueue.Admission;
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

  /** Of an admission that is a refusal. */
  static int code(Admission refused) {
    return of(QueueException.Reason.valueOf(refused.name())).code();
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

  /** Why a message that arrives is refused; a heap without room says nothing about the message. */
  static FlowFailure taken(Throwable cause) {
    return HeapExhaustion.isCause(cause) ? FlowFailure.SERVICE_FULL : FlowFailure.BAD_REQUEST;
  }

  /** A requester gets an answer; a one-way message is a dead letter, or tried {@code again}. */
  static void undecodable(
      String address,
      DurableQueue<Envelope> queue,
      Delivery<Envelope> delivery,
      String reason,
      boolean again) {
    if (delivery.attachment() instanceof Requester requester) {
      FlowFailure failure = again ? FlowFailure.HANDLER_FAILED : FlowFailure.BAD_REQUEST;
      requester.fail(failure, "the body cannot be decoded");
      queue.acknowledge(delivery);
    } else if (again) {
      queue.fail(delivery, reason);
    } else {
      MessageLog.deadLetter(address, DurableSends.idOf(address, delivery), reason);
      queue.reject(delivery, reason);
    }
  }
}
