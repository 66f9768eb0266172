package dev.weir.cluster;

/** How far a replica has brought a batch before it counts as held by that replica. */
public enum AckLevel {
  /** In the replica's memory: survives the loss of the other replicas, not of all. */
  RECEIVED,
  /** Handed to the operating system: survives killed processes. */
  PERSISTED,
  /** Forced to the device: survives the loss of power. */
  FLUSHED
}
