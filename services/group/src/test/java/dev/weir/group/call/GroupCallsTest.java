package dev.weir.group.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.OfferResult;
import dev.weir.cluster.RequestRefusedException;
import dev.weir.cluster.RequestTimeoutException;
import dev.weir.flow.FlowFailure;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The code that a requester gets for each way in which a group does not answer. */
class GroupCallsTest {
  private static ReplyException failure(Future<Buffer> reply) {
    ReplyException failure = (ReplyException) GroupCalls.answer(reply).cause();
    assertThat(failure.failureType()).isEqualTo(ReplyFailure.RECIPIENT_FAILURE);
    return failure;
  }

  private static int code(Throwable cause) {
    return failure(Future.failedFuture(cause)).failureCode();
  }

  @ParameterizedTest
  @CsvSource({
    "SESSION_EXPIRED, FORGOTTEN",
    "GAP, FORGOTTEN",
    "FORGOTTEN, FORGOTTEN",
    "REJECTED, HANDLER_FAILED",
    "INVALID, TOO_LARGE",
    "TOO_MANY_CLIENTS, SERVICE_FULL"
  })
  void aRefusalOfTheGroupHasItsCodeAndReason(OfferResult refusal, FlowFailure code) {
    ReplyException failure =
        failure(Future.failedFuture(new RequestRefusedException(refusal, "the reason")));
    assertThat(failure.failureCode()).isEqualTo(code.code());
    assertThat(failure).hasMessage("the reason");
  }

  @Test
  void aRequestWhoseTimeIsOverIsToldWhetherItMayBeApplied() {
    assertThat(code(new RequestTimeoutException("late", true, null)))
        .isEqualTo(FlowFailure.UNCERTAIN.code());
    assertThat(code(new RequestTimeoutException("late", true, OfferResult.UNAVAILABLE)))
        .isEqualTo(FlowFailure.UNCERTAIN.code());
    assertThat(code(new RequestTimeoutException("late", false, OfferResult.UNAVAILABLE)))
        .isEqualTo(FlowFailure.NOT_IN_SYNC.code());
    assertThat(code(new RequestTimeoutException("late", false, OfferResult.NOT_PRIMARY)))
        .isEqualTo(FlowFailure.NO_PRIMARY.code());
    assertThat(failure(Future.succeededFuture(Buffer.buffer())).failureCode())
        .as("an empty message took its place")
        .isEqualTo(FlowFailure.UNCERTAIN.code());
  }

  @Test
  void anyOtherFailureLeavesOpenWhetherTheRequestWasApplied() {
    ReplyException failure = failure(Future.failedFuture(new IllegalStateException("closed")));
    assertThat(failure.failureCode()).isEqualTo(FlowFailure.UNCERTAIN.code());
    assertThat(failure).hasMessage("closed");
  }
}
