package dev.weir.bench.load;

/** How an operation ended. */
public enum Reply {
  /** Answered with the expected content. */
  OK,
  /** Answered, but not with what was expected. */
  CORRUPT,
  /** Refused by a limit, as the system says it does when it gets more than it can take. */
  REFUSED,
  /** Timed out, broken, or refused for another reason. */
  FAILED
}
