package dev.weir.flow;

import dev.weir.queue.QueueException;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;

/**
 * Why a message was not handled. A requester sees the {@link #code()} as {@code failureCode()} of a
 * {@link ReplyException} of type {@code RECIPIENT_FAILURE}.
 */
public enum FlowFailure {
  /** The message is not one the service can take. */
  BAD_REQUEST(400),
  /** The service is closing or closed. */
  SERVICE_CLOSED(410),
  /** The message is larger than the service takes. */
  TOO_LARGE(413),
  /** The message was dropped: by the service's policy, or because its time was over. */
  DROPPED(429),
  /** The handler threw, returned null, or failed without a code of its own. */
  HANDLER_FAILED(500),
  /** A durable send to a service that keeps nothing on disk. */
  NOT_DURABLE(501),
  /** Memory, and the disk budget if there is one, are used up. */
  SERVICE_FULL(503),
  /** The file system has too little free space. */
  DISK_FULL(507),
  /** The store cannot write or read its files at the moment. */
  STORE_FAILED(520),
  /** The message was accepted but could not be read back. */
  LOST(521);

  private final int code;

  FlowFailure(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** What a requester gets. */
  ReplyException toException(String text) {
    return new ReplyException(ReplyFailure.RECIPIENT_FAILURE, code, text);
  }

  static ReplyException of(QueueException refused) {
    return of(refused.reason()).toException(refused.getMessage());
  }

  static FlowFailure of(QueueException.Reason reason) {
    return switch (reason) {
      case QUEUE_FULL, BUFFER_FULL -> SERVICE_FULL;
      case DISK_FULL -> DISK_FULL;
      case MESSAGE_TOO_LARGE -> TOO_LARGE;
      case DROPPED, EXPIRED, PURGED -> DROPPED;
      case CLOSED -> SERVICE_CLOSED;
      case CORRUPT -> LOST;
      default -> STORE_FAILED;
    };
  }
}
