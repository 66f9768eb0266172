package dev.weir.cluster;

/** The log of a group cannot be used any more; the message says what to do. */
final class LogException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LogException(String message, Throwable cause) {
    super(message, cause);
  }
}
