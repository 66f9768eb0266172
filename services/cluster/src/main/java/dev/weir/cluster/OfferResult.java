package dev.weir.cluster;

/** The result of offering a message to a replica. */
public enum OfferResult {
  /** The message is accepted; the reply follows when the message is committed. */
  ACCEPTED,
  /** The message was handled before; its reply went to the reply sink again. */
  ANSWERED,
  /** The message was accepted before; the reply follows when the message is committed. */
  PENDING,
  /** Too many messages wait for the backups at the moment. Offer the message again. */
  BUSY,
  /** Another member is primary, or none. */
  NOT_PRIMARY,
  /**
   * This member is primary but must not acknowledge now: too few replicas are in sync, or a backup
   * has not been heard of for longer than its lease.
   */
  UNAVAILABLE,
  /** Earlier messages of this client have not arrived. */
  GAP,
  /** The message was handled so long ago that its reply is not kept any more. */
  FORGOTTEN,
  /** The message is larger than the group allows, or its sequence is below 1. */
  INVALID,
  /**
   * The handler of the message threw, and no replica handles the message again. Only as the failure
   * of a client's request: an offer of such a message gives ACCEPTED or ANSWERED.
   */
  REJECTED,
  /**
   * The client has sent nothing for {@link GroupOptions#setClientExpiryMs}, or made room for
   * another one after half of that, so the group has forgotten which of its messages were handled.
   * The message is not handled. The client needs a new id.
   */
  SESSION_EXPIRED,
  /**
   * The client is new, and the group knows {@link GroupOptions#setMaxClients} others, none of which
   * is idle for half of {@link GroupOptions#setClientExpiryMs}.
   */
  TOO_MANY_CLIENTS
}
