package dev.weir.cluster;

/** What a replica is to its group at the moment. */
public enum Role {
  /** Knows of no primary and must not become one by itself. */
  WAITING,
  /** Asks the others whether it may become primary. */
  CANDIDATE,
  /** Follows a primary; holds, or is being brought, its history. */
  BACKUP,
  /** Follows a primary; votes and holds no messages. */
  WITNESS,
  /** Handles messages. */
  PRIMARY
}
