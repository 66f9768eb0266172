package dev.weir.bench;

/** The exit codes of a benchmark process. */
public final class ExitCodes {
  /** Every verdict is OK. */
  public static final int OK = 0;

  /** A verdict failed. */
  public static final int VERDICT_FAILED = 1;

  /** The command line cannot be understood. */
  public static final int USAGE = 2;

  /** The run could not take place or its results could not be written. */
  public static final int COULD_NOT_RUN = 3;

  private ExitCodes() {}
}
