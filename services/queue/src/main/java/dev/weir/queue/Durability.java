package dev.weir.queue;

/**
 * How safe a message is when its append completes. Levels are ordered: a message of a later
 * constant survives everything that one of an earlier constant survives.
 */
public enum Durability {
  /**
   * The message is in memory. The store may write it to free memory; otherwise the message is lost
   * with the process.
   */
  NONE,
  /** The operating system has the message: it survives a killed process, not a power loss. */
  PROCESS,
  /** The device has the message ({@code fsync}): it survives a power loss. */
  MACHINE
}
