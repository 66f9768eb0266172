package dev.weir.gateway.http;

import dev.weir.flow.FlowFailure;
import dev.weir.options.UserFailure;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns failures into what a client may see. The text of an exception may hold a secret, so a
 * client gets a fixed text and the id of an incident. The log gets the exception under the same id.
 * A client sees the text of a failure only if the handler made the failure for its requester: a
 * {@link ReplyException} with a code of its own.
 */
public final class Failures {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  /** How Vert.x begins the text when a consumer gave up a message that it never saw. */
  private static final String DISCARDED = "Discarded the request";

  private Failures() {}

  /**
   * The problem to answer with. Logs the failure if the problem names an incident; so it is called
   * once for each failure.
   *
   * @param path the path of the request, for the log
   */
  public static Problem of(Throwable failure, String path) {
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    ProblemType type = type(failure);
    Integer code = code(failure);
    return switch (type) {
      case NO_SERVICE -> Problem.of(type, "nobody serves this address");
      case DISCARDED -> Problem.of(type, "the consumer is full or goes away");
      case DEADLINE -> Problem.of(type, "no reply in time; the request may still be handled");
      case STORE_FAILED ->
          Problem.withCode(type, "the service cannot write or read its files at the moment", code);
      case DISK_FULL -> Problem.withCode(type, "the disk of the service is full", code);
      case LOST ->
          incident(type, "the message was accepted but cannot be read back", code, failure, path);
      case INTERNAL -> incident(type, "the gateway failed", code, failure, path);
      case HANDLER_FAILED ->
          isForTheRequester(code)
              ? Problem.foreign(type, UserFailure.message(failure), code)
              : incident(type, "the handler of the service failed", code, failure, path);
      default -> Problem.foreign(type, UserFailure.message(failure), code);
    };
  }

  /** The same for a failure that is no exception's, such as a reply that cannot be sent. */
  public static Problem of(ProblemType type, String detail, Throwable cause, String path) {
    return incident(type, detail, null, cause, path);
  }

  private static Problem incident(
      ProblemType type, String detail, Integer code, Throwable failure, String path) {
    String incident = UUID.randomUUID().toString();
    LOG.error(
        "Incident {}: {} for {}: {}",
        incident,
        detail,
        LogText.of(path),
        LogText.of(UserFailure.message(failure)),
        UserFailure.forLog(failure));
    return new Problem(type, detail + ", see incident " + incident, code, incident);
  }

  /** True if a handler has dealt with the request, or may deal with it yet. */
  public static boolean wasHandled(Throwable failure) {
    return switch (type(failure)) {
      case HANDLER_FAILED, FORBIDDEN, NOT_FOUND, CONFLICT -> true;
      default -> false;
    };
  }

  /** True if no reply came in time. */
  public static boolean isDeadline(Throwable failure) {
    return type(failure) == ProblemType.DEADLINE;
  }

  private static ProblemType type(Throwable failure) {
    if (!(failure instanceof ReplyException reply)) {
      return ProblemType.INTERNAL;
    }
    return switch (reply.failureType()) {
      case NO_HANDLERS -> ProblemType.NO_SERVICE;
      case TIMEOUT -> isDiscarded(reply) ? ProblemType.DISCARDED : ProblemType.DEADLINE;
      case RECIPIENT_FAILURE -> type(reply.failureCode());
      default -> ProblemType.INTERNAL;
    };
  }

  private static boolean isDiscarded(ReplyException failure) {
    String message = UserFailure.message(failure);
    return message != null && message.startsWith(DISCARDED);
  }

  /** The code of the service, or null if the failure is not the service's. */
  private static Integer code(Throwable failure) {
    return failure instanceof ReplyException reply
            && reply.failureType() == ReplyFailure.RECIPIENT_FAILURE
        ? reply.failureCode()
        : null;
  }

  /** Vert.x gives the code -1 to exceptions of services, and Weir its own. */
  private static boolean isForTheRequester(int code) {
    return code >= 0 && code != FlowFailure.HANDLER_FAILED.code();
  }

  /**
   * A handler that fails with a code of {@link FlowFailure} means what that says, and one with 403,
   * 404 or 409 what the status says. With any other code it has failed.
   */
  private static ProblemType type(int code) {
    for (FlowFailure known : FlowFailure.values()) {
      if (known.code() == code) {
        return type(known);
      }
    }
    return switch (code) {
      case 403 -> ProblemType.FORBIDDEN;
      case 404 -> ProblemType.NOT_FOUND;
      case 409 -> ProblemType.CONFLICT;
      default -> ProblemType.HANDLER_FAILED;
    };
  }

  private static ProblemType type(FlowFailure failure) {
    return switch (failure) {
      case BAD_REQUEST -> ProblemType.BAD_REQUEST;
      case SERVICE_CLOSED -> ProblemType.CLOSED;
      case TOO_LARGE -> ProblemType.TOO_LARGE;
      case ID_REUSED -> ProblemType.KEY_REUSED;
      case DROPPED -> ProblemType.DROPPED;
      case HANDLER_FAILED -> ProblemType.HANDLER_FAILED;
      case NOT_DURABLE -> ProblemType.NOT_DURABLE;
      case SERVICE_FULL -> ProblemType.BUSY;
      case DISK_FULL -> ProblemType.DISK_FULL;
      case STORE_FAILED -> ProblemType.STORE_FAILED;
      case LOST -> ProblemType.LOST;
      case UNCERTAIN, FORGOTTEN -> ProblemType.UNCERTAIN;
      case NO_PRIMARY, NOT_IN_SYNC -> ProblemType.GROUP_UNAVAILABLE;
    };
  }
}
