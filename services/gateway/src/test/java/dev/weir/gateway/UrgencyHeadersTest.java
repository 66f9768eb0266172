package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceDeadLetters.Letter;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code Weir-Priority} and {@code Weir-Max-Attempts} of a client over HTTP. */
class UrgencyHeadersTest extends GatewayTestBase {
  private final List<Object> started = new CopyOnWriteArrayList<>();
  private final Promise<Object> first = Promise.promise();

  private Future<?> handle(ServiceMessage<Object> message) {
    started.add(message.body());
    return first.future();
  }

  /** To a service of three levels whose only worker is busy. */
  private Service threeLevels(String path) {
    Service orders =
        serve("orders", new ServiceOptions().setPriorities(3).setWorkers(1), this::handle);
    sendAsync(postJson(path, "\"first\""));
    Await.until("the worker is busy", () -> orders.stats().busyWorkers() == 1);
    return orders;
  }

  private long waiting(int level) {
    String address = level == 0 ? "orders" : Service.priority("orders", level);
    var stats = weir.service(address).stats();
    return stats.waitingInMemory() + stats.waitingOnDisk();
  }

  /** Has a message wait at each level, ends the first one, and waits until all have started. */
  private void overtake(String path) {
    threeLevels(path);
    List<CompletableFuture<HttpResponse<String>>> answers =
        List.of(
            sendAsync(postJson(path, "\"none\"")),
            sendAsync(postJson(path, "\"middle\"", "Weir-Priority", "1")),
            sendAsync(postJson(path, "\"urgent\"", "Weir-Priority", "2")));
    Await.until(
        "each level has one that waits",
        () -> waiting(0) == 1 && waiting(1) == 1 && waiting(2) == 1);
    first.complete();
    answers.forEach(answer -> assertThat(answer.join().statusCode()).isBetween(200, 204));
    Await.until("all have started", () -> started.size() == 4);
  }

  @Test
  void aRequestOfAHigherLevelStartsBeforeThoseOfLowerLevelsThatWait() {
    overtake("/services/orders");
    assertThat(started).containsExactly("first", "urgent", "middle", "none");
  }

  /** In which order is not certain: one that was just written may still have to be read. */
  @Test
  void anEventIsKeptInTheQueueOfItsLevel() {
    overtake("/services/orders/events");
    assertThat(started).containsExactlyInAnyOrder("first", "urgent", "middle", "none");
  }

  @ParameterizedTest
  @CsvSource({
    "/services/orders,3",
    "/services/orders,soon",
    "/services/orders,-1",
    "/services/orders/events,3",
    "/services/orders/events,soon",
  })
  void aLevelThatTheServiceHasNotIsRefusedByItsName(String path, String level) {
    serve("orders", new ServiceOptions().setPriorities(3), this::handle);
    HttpResponse<String> refused = send(postJson(path, "1", "Weir-Priority", level));
    assertProblem(refused, ProblemType.BAD_REQUEST);
    assertThat(refused.body()).contains("weir-priority is " + level + ", allowed is 0 to 2");
    assertThat(started).isEmpty();
  }

  @Test
  void aServiceOfOneLevelTakesNoNoticeOfThePriority() {
    first.complete("done");
    serve("orders", new ServiceOptions(), this::handle);
    HttpResponse<String> answer = send(postJson("/services/orders", "1", "Weir-Priority", "3"));
    assertThat(answer.statusCode()).isEqualTo(200);
  }

  @Test
  void anEventIsADeadLetterAfterTheAttemptsThatItsHeaderAllows() {
    Service orders =
        serve(
            "orders",
            new ServiceOptions().setMaxAttempts(4).setBackoffMs(1),
            message -> {
              started.add(message.body());
              return Future.failedFuture("not today");
            });
    for (String[] event : new String[][] {{"\"two\"", "2"}, {"\"one\"", "1"}, {"\"nine\"", "9"}}) {
      HttpResponse<String> accepted =
          send(postJson("/services/orders/events", event[0], "Weir-Max-Attempts", event[1]));
      assertThat(accepted.statusCode()).isEqualTo(202);
    }
    assertThat(send(postJson("/services/orders/events", "\"none\"")).statusCode()).isEqualTo(202);
    Await.until("all are dead letters", () -> orders.deadLetters().count() == 4);
    List<Letter> letters = Futures.result("the dead letters", orders.deadLetters().list(0, 10));
    assertThat(letters).extracting(Letter::reason).allMatch(why -> why.contains("not today"));
    assertThat(started).filteredOn("two"::equals).hasSize(2);
    assertThat(started).filteredOn("one"::equals).hasSize(1);
    // The limit of the service holds for all.
    assertThat(started).filteredOn("nine"::equals).hasSize(4);
    assertThat(started).filteredOn("none"::equals).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "many", "1.5"})
  void aBadNumberOfAttemptsIsRefusedByItsName(String attempts) {
    serve("orders", new ServiceOptions(), this::handle);
    HttpResponse<String> refused =
        send(postJson("/services/orders/events", "1", "Weir-Max-Attempts", attempts));
    assertProblem(refused, ProblemType.BAD_REQUEST);
    assertThat(refused.body())
        .contains("weir-max-attempts is " + attempts)
        .contains("allowed is a whole number of 1 or more");
    assertThat(started).isEmpty();
  }

  @Test
  void aRequestHasOneAttemptWhateverItsHeaderSays() {
    first.fail("not today");
    serve("orders", new ServiceOptions().setBackoffMs(1), this::handle);
    HttpResponse<String> answer = send(postJson("/services/orders", "1", "Weir-Max-Attempts", "5"));
    assertProblem(answer, ProblemType.HANDLER_FAILED);
    assertThat(started).containsExactly(1);
  }
}
