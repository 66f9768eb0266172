package dev.weir.bench.load;

/** How an operation ended. */
public enum Reply {
  /** Answered with the expected content. */
  OK,
  /** Answered, but not with what was expected. */
  CORRUPT,
  /** Refused, timed out or broken. */
  FAILED
}
