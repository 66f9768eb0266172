package dev.weir.cluster;

/** What becomes of a message offered to a replica. */
public enum OfferResult {
  /** Taken; the reply follows when enough replicas hold it. */
  ACCEPTED,
  /** It was handled before; its reply has been given to the reply sink again. */
  ANSWERED,
  /** It was taken before; its reply follows when enough replicas hold it. */
  PENDING,
  /** No room at the moment: too many messages wait for the backups. Offer it again. */
  BUSY,
  /** Another member is primary, or none. */
  NOT_PRIMARY,
  /**
   * This member is primary but must not acknowledge now: too few replicas are in sync, or a backup
   * has not been heard of for longer than its lease.
   */
  UNAVAILABLE,
  /** Messages of this client before it have not arrived. */
  GAP,
  /** Handled so long ago that its reply is not kept any more. */
  FORGOTTEN,
  /** Larger than the group allows, or its sequence is below 1. */
  INVALID
}
