package dev.weir.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailuresTest {
  /** Throws when it is asked what happened. */
  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new AssertionError("no text");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new AssertionError("no cause");
    }
  }

  @Test
  void aFailureThatCannotBePrintedIsAnIncidentToo() {
    Problem problem = Failures.of(new Unprintable(), "/services/picky");
    assertThat(problem.detail()).startsWith("the gateway failed, see incident ");
    Problem reply =
        Failures.of(ProblemType.INTERNAL, "the reply", new Unprintable(), "/services/picky");
    assertThat(reply.detail()).startsWith("the reply, see incident ");
  }
}
