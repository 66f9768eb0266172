package dev.weir.cluster.log;

/** Says that the log of a group cannot be used any more; the message says what to do. */
public final class LogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public LogException(String message, Throwable cause) {
    super(message, cause);
  }
}
