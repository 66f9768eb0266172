package dev.weir.gateway.http;

import dev.weir.flow.FlowFailure;
import io.vertx.core.eventbus.ReplyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What went wrong on the bus, as a client sees it. */
public final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  /** How Vert.x begins the text when a consumer gave up a message that it never saw. */
  private static final String DISCARDED = "Discarded the request";

  private Failures() {}

  public static Problem of(Throwable failure) {
    if (failure instanceof ReplyException reply) {
      return of(reply);
    }
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    LOG.error("a request failed in the gateway", failure);
    return Problem.of(ProblemType.INTERNAL, "the gateway failed, see its log");
  }

  private static Problem of(ReplyException failure) {
    return switch (failure.failureType()) {
      case NO_HANDLERS -> Problem.of(ProblemType.NO_SERVICE, "nobody serves this address");
      case TIMEOUT -> timeout(failure);
      case RECIPIENT_FAILURE -> byCode(failure);
      default -> Problem.foreign(ProblemType.INTERNAL, failure.getMessage(), null);
    };
  }

  /** True if a handler has dealt with the request, or may deal with it yet. */
  public static boolean wasHandled(Throwable failure) {
    return of(failure).type() == ProblemType.HANDLER_FAILED;
  }

  private static Problem timeout(ReplyException failure) {
    return failure.getMessage() != null && failure.getMessage().startsWith(DISCARDED)
        ? Problem.of(ProblemType.DISCARDED, "the consumer is full or goes away")
        : Problem.of(ProblemType.DEADLINE, "no reply in time; the request may still be handled");
  }

  private static Problem byCode(ReplyException failure) {
    return Problem.foreign(
        type(failure.failureCode()), failure.getMessage(), failure.failureCode());
  }

  /** A handler that fails with a code of {@link FlowFailure} means what that says. */
  private static ProblemType type(int code) {
    for (FlowFailure known : FlowFailure.values()) {
      if (known.code() == code) {
        return type(known);
      }
    }
    return ProblemType.HANDLER_FAILED;
  }

  private static ProblemType type(FlowFailure failure) {
    return switch (failure) {
      case BAD_REQUEST -> ProblemType.BAD_REQUEST;
      case SERVICE_CLOSED -> ProblemType.CLOSED;
      case TOO_LARGE -> ProblemType.TOO_LARGE;
      case DROPPED -> ProblemType.DROPPED;
      case HANDLER_FAILED -> ProblemType.HANDLER_FAILED;
      case NOT_DURABLE -> ProblemType.NOT_DURABLE;
      case SERVICE_FULL -> ProblemType.BUSY;
      case DISK_FULL -> ProblemType.DISK_FULL;
      case STORE_FAILED -> ProblemType.STORE_FAILED;
      case LOST -> ProblemType.LOST;
    };
  }
}
