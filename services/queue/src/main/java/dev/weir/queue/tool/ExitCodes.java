package dev.weir.queue.tool;

/** How the tool ends; documented in its help. */
final class ExitCodes {
  /** All was done, nothing is wrong. */
  static final int OK = 0;

  /** Something is damaged, lost or invalid. */
  static final int FOUND = 1;

  /** The command line cannot be followed. */
  static final int USAGE = 2;

  /** The directory or a file cannot be used. */
  static final int UNUSABLE = 3;

  private ExitCodes() {}
}
