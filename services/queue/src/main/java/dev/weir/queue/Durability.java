package dev.weir.queue;

/**
 * How safe a message is when its append completes. Levels are ordered: a later constant survives
 * everything an earlier one does.
 */
public enum Durability {
  /**
   * Bounded memory is all that is asked: the message may be written to disk to free memory, but is
   * lost with the process unless it happened to be written.
   */
  NONE,
  /** Handed to the operating system: survives a killed process, not a power loss. */
  PROCESS,
  /** Forced to the device ({@code fsync}, shared by all that commit together). */
  MACHINE
}
