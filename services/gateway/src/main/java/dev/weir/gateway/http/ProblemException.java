package dev.weir.gateway.http;

/** Ends the handling of a request with a problem for its client. */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  public ProblemException(ProblemType type, String detail) {
    // It is an answer: nobody looks at its stack.
    super(detail, null, false, false);
    this.problem = Problem.of(type, detail);
  }

  public Problem problem() {
    return problem;
  }
}
