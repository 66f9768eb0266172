package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.FlowFailure;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.eventbus.DeliveryOptions;
import io.vertx.core.eventbus.MessageConsumerOptions;
import io.vertx.core.eventbus.ReplyException;
import io.vertx.core.eventbus.ReplyFailure;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureTest extends GatewayTestBase {

  @Test
  void answersWith404WhenNobodyServesTheAddress() {
    assertProblem(send(postJson("/services/nobody", "1")), ProblemType.NO_SERVICE);
    assertProblem(send(postJson("/services/nobody/events", "1")), ProblemType.NO_SERVICE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/services/__vertx.reply.1",
        "/services/weir.durable%2Forders",
        "/services/%20",
        "/services/orders/../__vertx.reply.1"
      })
  void doesNotReachWhatIsInternal(String path) {
    vertx.eventBus().consumer("weir.durable/orders", message -> message.reply("reached"));
    HttpResponse<String> response = send(postJson(path, "1"));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/nothing", "/services", "/services/orders/other", "/services/a/events/b"})
  void answersWith404WhereThereIsNothing(String path) {
    assertProblem(send(postJson(path, "1")), ProblemType.NOT_FOUND);
  }

  @ParameterizedTest
  @CsvSource({"GET,/services/a,POST", "DELETE,/services/a/events,POST", "POST,/services/a/ws,GET"})
  void namesTheMethodThatIsAllowed(String method, String path, String allowed) {
    HttpResponse<String> response = send(to(path).method(method, BodyPublishers.noBody()).build());
    assertProblem(response, ProblemType.METHOD_NOT_ALLOWED);
    assertThat(response.headers().firstValue("allow")).contains(allowed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\":}", "nope", "{} {}", "\"\\ud800", "[[[[", "{\"a\":1e}"})
  void refusesWhatIsNotJson(String body) {
    serve("json", new ServiceOptions(), message -> Future.succeededFuture());
    assertProblem(send(postJson("/services/json", body)), ProblemType.BAD_REQUEST);
    assertProblem(send(postJson("/services/json/events", body)), ProblemType.BAD_REQUEST);
  }

  private static final class Unprintable extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no text");
    }
  }

  @Test
  void answersWhenTheFailureOfAHandlerThrowsAtItsMessage() {
    serve("picky", new ServiceOptions(), message -> Future.failedFuture(new Unprintable()));
    assertProblem(send(postJson("/services/picky", "1")), ProblemType.HANDLER_FAILED);
  }

  @Test
  void refusesJsonThatIsNestedTooDeeply() {
    assertProblem(
        send(postJson("/services/json", "[".repeat(40_000) + "]".repeat(40_000))),
        ProblemType.BAD_REQUEST);
  }

  @ParameterizedTest
  @CsvSource({
    "image/png,X-A,b",
    "text/html,X-A,b",
    "text/plain;charset=klingon,X-A,b",
    "application/json,Content-Encoding,gzip"
  })
  void refusesAMediaTypeItDoesNotKnow(String contentType, String header, String value) {
    assertProblem(
        send(post("/services/a", contentType, "1", header, value)),
        ProblemType.UNSUPPORTED_MEDIA_TYPE);
  }

  @ParameterizedTest
  @CsvSource({
    "Weir-Timeout-Ms,0",
    "Weir-Timeout-Ms,-1",
    "Weir-Timeout-Ms,60001",
    "Weir-Timeout-Ms,99999999999999999999",
    "Weir-Timeout-Ms,soon",
    "Idempotency-Key,''"
  })
  void refusesABadHeaderOfARequest(String header, String value) {
    assertProblem(send(postJson("/services/a", "1", header, value)), ProblemType.BAD_REQUEST);
  }

  @ParameterizedTest
  @CsvSource({"Weir-Timeout-Ms,1000", "Weir-Durability,none", "Weir-Durability,maybe"})
  void refusesABadHeaderOfAnEvent(String header, String value) {
    assertProblem(
        send(postJson("/services/a/events", "1", header, value)), ProblemType.BAD_REQUEST);
  }

  @ParameterizedTest
  @ValueSource(ints = {100_001, 150_000, 1_000_000})
  void refusesABodyOverTheLimit(int bytes) {
    String body = "x".repeat(bytes);
    assertProblem(send(post("/services/a", "text/plain", body)), ProblemType.TOO_LARGE);
    HttpResponse<String> chunked =
        send(
            to("/services/a")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("x".repeat(150_000))))
                .build());
    assertProblem(chunked, ProblemType.TOO_LARGE);
  }

  @Test
  void answersWith504WhenTheDeadlineIsOver() {
    serve("never", memoryOnly().setDrainTimeoutMs(1), message -> Promise.promise().future());
    assertProblem(
        send(postJson("/services/never", "1", "Weir-Timeout-Ms", "50")), ProblemType.DEADLINE);
  }

  @Test
  void answersWith429WhenTheServiceIsFull() {
    Promise<Object> end = Promise.promise();
    serve("full", memoryOnly().setWorkers(1).setMemoryMessages(1), message -> end.future());
    List<CompletableFuture<HttpResponse<String>>> sent = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      sent.add(sendAsync(postJson("/services/full", "1")));
    }
    Await.until("one is refused", () -> sent.stream().anyMatch(CompletableFuture::isDone));
    HttpResponse<String> refused =
        sent.stream().filter(CompletableFuture::isDone).findFirst().orElseThrow().join();
    assertThat(assertProblem(refused, ProblemType.BUSY).getInteger("code"))
        .isEqualTo(FlowFailure.SERVICE_FULL.code());
    assertThat(refused.headers().firstValue("retry-after")).contains("1");
    end.complete();
    sent.forEach(response -> assertThat(response.join().statusCode()).isIn(204, 429));
  }

  @Test
  void answersWith503WhenTheServiceCloses() {
    Promise<Object> end = Promise.promise();
    Service service = serve("closing", memoryOnly(), message -> end.future());
    CompletableFuture<HttpResponse<String>> first = sendAsync(postJson("/services/closing", "1"));
    Await.until("it is busy", () -> service.stats().busyWorkers() == 1);
    Future<Void> closed = service.close();
    Await.until(
        "it refuses",
        () ->
            send(postJson("/services/closing", "1", "Weir-Timeout-Ms", "1000")).statusCode()
                == 503);
    end.complete("done");
    assertThat(first.join().body()).isEqualTo("done");
    Futures.result("closed", closed);
  }

  @Test
  void answersWith500AndTheCodeWhenTheHandlerFails() {
    serve(
        "fails",
        memoryOnly(),
        message ->
            Future.failedFuture(
                new ReplyException(ReplyFailure.RECIPIENT_FAILURE, 4711, "no\n\tat x")));
    HttpResponse<String> response = send(postJson("/services/fails", "1"));
    assertThat(assertProblem(response, ProblemType.HANDLER_FAILED).getInteger("code"))
        .isEqualTo(4711);
    assertThat(response.body()).contains("\"detail\":\"no\"");
  }

  @Test
  void answersWith500WhenTheHandlerThrows() {
    serve(
        "throws",
        memoryOnly(),
        message -> {
          throw new IllegalStateException("broken");
        });
    assertProblem(send(postJson("/services/throws", "1")), ProblemType.HANDLER_FAILED);
  }

  @ParameterizedTest
  @EnumSource(FlowFailure.class)
  void everyFailureOfAServiceHasItsStatus(FlowFailure failure) {
    vertx.eventBus().consumer("fails", message -> message.fail(failure.code(), "as asked"));
    HttpResponse<String> response = send(postJson("/services/fails", "1"));
    int status =
        switch (failure) {
          case BAD_REQUEST -> 400;
          case TOO_LARGE -> 413;
          case ID_REUSED -> 422;
          case DROPPED, SERVICE_FULL -> 429;
          case HANDLER_FAILED, LOST -> 500;
          case NOT_DURABLE -> 501;
          case SERVICE_CLOSED, STORE_FAILED, NO_PRIMARY, NOT_IN_SYNC -> 503;
          case UNCERTAIN, FORGOTTEN -> 504;
          case DISK_FULL -> 507;
        };
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).contains("\"code\":" + failure.code());
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 409})
  void aHandlerMayRefuseWithAStatus(int code) {
    vertx.eventBus().consumer("refuses", message -> message.fail(code, "seat A1 is taken"));
    HttpResponse<String> response = send(postJson("/services/refuses", "1"));
    assertThat(response.statusCode()).isEqualTo(code);
    assertThat(response.body()).contains("\"detail\":\"seat A1 is taken\"", "\"code\":" + code);
  }

  @Test
  void aDiscardedRequestIsNotATimeout() {
    vertx
        .eventBus()
        .consumer(new MessageConsumerOptions().setAddress("narrow").setMaxBufferedMessages(1))
        .handler(message -> {})
        .pause();
    HttpRequest request = postJson("/services/narrow", "1", "Weir-Timeout-Ms", "2000");
    List<HttpResponse<String>> responses =
        List.of(sendAsync(request), sendAsync(request)).stream()
            .map(CompletableFuture::join)
            .sorted(Comparator.comparing(HttpResponse::statusCode))
            .toList();
    assertProblem(responses.get(0), ProblemType.DISCARDED);
    assertProblem(responses.get(1), ProblemType.DEADLINE);
  }

  @Test
  void aReplyWithABadHeaderIsTheHandlersFailure() {
    vertx
        .eventBus()
        .consumer(
            "bad",
            message ->
                message.reply("x", new DeliveryOptions().addHeader("X-A", "a\r\nSet-Cookie: b")));
    HttpResponse<String> response = send(postJson("/services/bad", "1"));
    assertProblem(response, ProblemType.HANDLER_FAILED);
    assertThat(response.headers().firstValue("set-cookie")).isEmpty();
  }
}
