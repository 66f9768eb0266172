package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceMessage;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests with a key; for events see {@link EventsTest}. */
class IdempotencyTest extends GatewayTestBase {
  private final AtomicInteger handled = new AtomicInteger();

  private static final String[] KEY = {"Idempotency-Key", "\"k1\""};

  private HttpRequest request(String body, String... more) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(postJson("/services/work", body, KEY), (name, value) -> true);
    return (more.length == 0 ? request : request.headers(more)).build();
  }

  @Test
  void aRepeatedRequestGetsTheSameReplyAndIsNotHandledAgain() {
    serve(
        "work",
        memoryOnly(),
        message -> Future.succeededFuture("reply " + handled.incrementAndGet()));
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> response = send(request("1"));
      assertThat(response.body()).isEqualTo("reply 1");
      assertThat(response.headers().firstValue("content-type"))
          .contains("text/plain; charset=utf-8");
    }
    assertThat(send(postJson("/services/work", "1")).body()).isEqualTo("reply 2");
  }

  @Test
  void aRepeatWaitsForTheFirst() {
    Promise<Object> reply = Promise.promise();
    serve(
        "work",
        memoryOnly(),
        message -> {
          handled.incrementAndGet();
          return reply.future();
        });
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      sent.add(sendAsync(request("1")));
    }
    Await.until("all are there", () -> gateway.inFlight() == 4);
    reply.complete("once");
    sent.forEach(response -> assertThat(response.join().body()).isEqualTo("once"));
    assertThat(handled).hasValue(1);
  }

  @Test
  void aKeyIsOfOneRequestOnly() {
    serve("work", memoryOnly(), message -> Future.succeededFuture("ok"));
    assertThat(send(request("1")).body()).isEqualTo("ok");
    assertProblem(send(request("2")), ProblemType.KEY_REUSED);
    assertThat(send(request("1")).body()).isEqualTo("ok");
  }

  @Test
  void whoStoppedWaitingFindsTheReply() {
    Promise<Object> reply = Promise.promise();
    serve(
        "work",
        memoryOnly(),
        message -> {
          handled.incrementAndGet();
          return reply.future();
        });
    assertProblem(send(request("1", "Weir-Timeout-Ms", "50")), ProblemType.DEADLINE);
    CompletableFuture<HttpResponse<String>> repeated = sendAsync(request("1"));
    Await.until("it waits", () -> gateway.inFlight() == 1);
    reply.complete("late");
    assertThat(repeated.join().body()).isEqualTo("late");
    assertThat(handled).hasValue(1);
  }

  @Test
  void repeatsThatStoppedWaitingTakeNoRoomOfLaterOnes() {
    Promise<Object> reply = Promise.promise();
    serve("work", memoryOnly(), message -> reply.future());
    for (int round = 0; round < 2; round++) {
      List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        sent.add(sendAsync(request("1", "Weir-Timeout-Ms", "1")));
      }
      sent.forEach(response -> assertProblem(response.join(), ProblemType.DEADLINE));
    }
    reply.complete("late");
    assertThat(send(request("1")).body()).isEqualTo("late");
  }

  @Test
  void theHandlersFailureIsRemembered() {
    serve(
        "work",
        memoryOnly(),
        message -> Future.failedFuture("failure " + handled.incrementAndGet()));
    assertProblem(send(request("1")), ProblemType.HANDLER_FAILED);
    assertProblem(send(request("1")), ProblemType.HANDLER_FAILED);
    assertThat(handled).hasValue(1);
  }

  @Test
  void theHandlersRefusalIsRemembered() {
    vertx
        .eventBus()
        .consumer("work", message -> message.fail(409, "refusal " + handled.incrementAndGet()));
    assertProblem(send(request("1")), ProblemType.CONFLICT);
    assertProblem(send(request("1")), ProblemType.CONFLICT);
    assertThat(handled).hasValue(1);
  }

  @Test
  void aReadIsAnotherRequestThanAChange() {
    serve("work", memoryOnly(), message -> Future.succeededFuture("ok"));
    assertThat(send(request("1", "Weir-Read", "0")).body()).isEqualTo("ok");
    assertProblem(send(request("1")), ProblemType.KEY_REUSED);
  }

  @Test
  void aRequestAboutAnotherKeyIsAnotherRequest() {
    serve("work", memoryOnly(), message -> Future.succeededFuture("ok"));
    assertThat(send(request("1", "Weir-Key", "ann")).body()).isEqualTo("ok");
    assertProblem(send(request("1", "Weir-Key", "bob")), ProblemType.KEY_REUSED);
    assertProblem(send(request("1")), ProblemType.KEY_REUSED);
    assertThat(send(request("1", "Weir-Key", "ann")).body()).isEqualTo("ok");
  }

  /** Answers no request before it is told to. */
  private static final class Repeatable implements ServiceHandler<Object> {
    final List<Promise<Object>> replies = new CopyOnWriteArrayList<>();

    @Override
    public Future<?> handle(ServiceMessage<Object> message) {
      assertThat(message.headers().get(ServiceMessage.MESSAGE_ID)).isEqualTo("k1");
      Promise<Object> reply = Promise.promise();
      replies.add(reply);
      return reply.future();
    }

    @Override
    public boolean answersRepeats() {
      return true;
    }
  }

  @Test
  void aServiceThatAnswersRepeatsIsAskedAgainForEach() {
    Repeatable group = new Repeatable();
    serve("work", memoryOnly(), group);
    assertProblem(send(request("1", "Weir-Timeout-Ms", "50")), ProblemType.DEADLINE);
    // None if the time was over before the handler was free.
    int late = group.replies.size();
    CompletableFuture<HttpResponse<String>> first = sendAsync(request("1"));
    Await.until("it is asked again", () -> group.replies.size() == late + 1);
    assertProblem(send(request("2")), ProblemType.KEY_REUSED);
    CompletableFuture<HttpResponse<String>> repeated = sendAsync(request("1"));
    Await.until("it is asked for the repeat", () -> group.replies.size() == late + 2);
    group.replies.get(late + 1).complete("once");
    assertThat(repeated.join().body()).isEqualTo("once");
    assertThat(first.join().body()).isEqualTo("once");
    assertThat(send(request("1")).body()).isEqualTo("once");
    assertThat(group.replies).hasSize(late + 2);
  }

  @Test
  void aFailureToAnswerARepeatLeavesTheFirstWaiting() {
    Repeatable group = new Repeatable();
    serve("work", memoryOnly(), group);
    CompletableFuture<HttpResponse<String>> first = sendAsync(request("1"));
    Await.until("it is asked", () -> group.replies.size() == 1);
    CompletableFuture<HttpResponse<String>> repeated = sendAsync(request("1"));
    Await.until("it is asked again", () -> group.replies.size() == 2);
    group
        .replies
        .get(1)
        .fail(
            new ReplyException(
                ReplyFailure.RECIPIENT_FAILURE, FlowFailure.UNCERTAIN.code(), "no answer"));
    assertProblem(repeated.join(), ProblemType.UNCERTAIN);
    group.replies.get(0).complete("once");
    assertThat(first.join().body()).isEqualTo("once");
  }

  @Test
  void oneThatIsLostHoldsUpARefusalNoLongerThanItsTime() {
    Repeatable group = new Repeatable();
    serve("work", memoryOnly(), group);
    assertProblem(send(request("1", "Weir-Timeout-Ms", "500")), ProblemType.DEADLINE);
    // The client may hear of the end of the lost one before that has ended.
    repeatAndRefuse(group);
    assertProblem(repeatAndRefuse(group), ProblemType.CONFLICT);
  }

  private HttpResponse<String> repeatAndRefuse(Repeatable group) {
    int before = group.replies.size();
    CompletableFuture<HttpResponse<String>> repeated = sendAsync(request("1"));
    Await.until(
        "it is asked again, or the refusal was told before",
        () -> group.replies.size() > before || repeated.isDone());
    ReplyException refusal = new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 409, "refused");
    group.replies.stream().skip(before).forEach(asked -> asked.fail(refusal));
    return repeated.join();
  }

  @Test
  void aRequestThatNobodyTookMayBeRepeated() {
    assertProblem(send(request("1")), ProblemType.NO_SERVICE);
    serve("work", memoryOnly(), message -> Future.succeededFuture("ok"));
    assertThat(send(request("1")).body()).isEqualTo("ok");
  }
}
