package dev.weir.queue.tool;

/** Exit codes of the tool; its help documents them. */
final class ExitCodes {
  /** The command is done and nothing is wrong. */
  static final int OK = 0;

  /** Something is damaged, lost or invalid. */
  static final int FOUND = 1;

  /** The command line is wrong. */
  static final int USAGE = 2;

  /** The directory or a file cannot be used. */
  static final int UNUSABLE = 3;

  /** The heap is too small for a message. */
  static final int MEMORY = 4;

  private ExitCodes() {}
}
