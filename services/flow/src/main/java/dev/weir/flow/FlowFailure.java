package dev.weir.flow;

import io.vertx.core.eventbus.ReplyException;

/**
 * The reasons why a message was not handled, each with its code. A requester sees the {@link
 * #code()} as {@code failureCode()} of a {@link ReplyException} of type {@code RECIPIENT_FAILURE}.
 */
public enum FlowFailure {
  /** The message is not one the service can take. */
  BAD_REQUEST(400),
  /** The service is closing or closed. */
  SERVICE_CLOSED(410),
  /** The message is larger than the service takes. */
  TOO_LARGE(413),
  /** A durable send whose id the service remembers for a message with another fingerprint. */
  ID_REUSED(422),
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
  LOST(521),
  /** A group took the message, or may take it yet, and did not answer in time. */
  UNCERTAIN(530),
  /** No member of the group was primary in time; the message was not handled. */
  NO_PRIMARY(531),
  /** Too few members of the group were in sync in time; the message was not handled. */
  NOT_IN_SYNC(532),
  /**
   * The group may have handled the message, and has forgotten whether it did; or it has handled the
   * message before, and has forgotten the reply.
   */
  FORGOTTEN(533);

  private final int code;

  FlowFailure(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
