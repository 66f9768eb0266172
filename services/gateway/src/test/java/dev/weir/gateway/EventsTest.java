package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Topic;
import dev.weir.flow.TopicOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.queue.DeliveryOrder;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventsTest extends GatewayTestBase {
  private record Seen(Object body, String id, String header, boolean request) {}

  private final List<Seen> seen = new CopyOnWriteArrayList<>();

  private Future<?> handle(ServiceMessage<Object> message) {
    seen.add(
        new Seen(
            message.body(),
            message.id(),
            message.headers().get("X-Request-Id"),
            message.isRequest()));
    return Future.succeededFuture();
  }

  private String accepted(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    assertThat(response.headers().firstValue("content-type")).contains("application/json");
    return new JsonObject(response.body()).getString("id");
  }

  @ParameterizedTest
  @ValueSource(strings = {"process", "machine", "PROCESS"})
  void isAcceptedWithTheIdThatTheHandlerSees(String durability) {
    serve("orders", new ServiceOptions(), this::handle);
    String id =
        accepted(
            send(
                postJson(
                    "/services/orders/events",
                    "{\"a\":1}",
                    "Weir-Durability",
                    durability,
                    "X-Request-Id",
                    "b")));
    Await.until("it is handled", () -> seen.size() == 1);
    assertThat(seen).containsExactly(new Seen(new JsonObject().put("a", 1), id, "b", false));
  }

  /** The event bus has no codec for a larger one; one within an object is taken. */
  @ParameterizedTest
  @ValueSource(strings = {"orders", "orders/events"})
  void aWholeNumberOfMoreThan64BitsIsRefusedAsTheMistakeOfItsClient(String path) {
    serve("orders", new ServiceOptions(), this::handle);
    JsonObject problem =
        assertProblem(
            send(postJson("/services/" + path, "123456789012345678901234567890")),
            ProblemType.BAD_REQUEST);
    assertThat(problem.getString("detail")).contains("64 bits");
    assertThat(seen).isEmpty();
    accepted(send(postJson("/services/orders/events", "{\"a\":123456789012345678901234567890}")));
    Await.until("it is handled", () -> seen.size() == 1);
  }

  @Test
  void toATopicReachesEverySubscriberOnceForAKey() {
    Futures.result(
        "opening the topic",
        weir.topic("orders", new TopicOptions().setSubscribers(List.of("a", "b"))));
    serve(Topic.subscriber("orders", "a"), new ServiceOptions(), this::handle);
    assertThat(send(postJson("/services/orders/events", "1")).statusCode()).isEqualTo(503);
    serve(Topic.subscriber("orders", "b"), new ServiceOptions(), this::handle);
    for (int i = 0; i < 2; i++) {
      String id = accepted(send(postJson("/services/orders/events", "1", "Idempotency-Key", "k")));
      assertThat(id).isEqualTo("k");
    }
    accepted(send(postJson("/services/orders/events", "1", "Idempotency-Key", "end")));
    Await.until("both have both", () -> seen.size() >= 4);
    assertThat(seen).extracting(Seen::id).containsExactlyInAnyOrder("k", "k", "end", "end");
  }

  @Test
  void isAcceptedOnceForAKey() {
    serve("orders", new ServiceOptions(), this::handle);
    for (String key : List.of("k1", "\"k1\"", "k2", "k1")) {
      assertThat(accepted(send(postJson("/services/orders/events", "1", "Idempotency-Key", key))))
          .isEqualTo(key.replace("\"", ""));
    }
    Await.until("both are handled", () -> seen.size() == 2);
    assertThat(accepted(send(postJson("/services/orders/events", "2")))).isNotBlank();
    Await.until("the last is handled", () -> seen.size() == 3);
    assertThat(seen).extracting(Seen::id).startsWith("k1", "k2");
  }

  @Test
  void aKeyADelayAndAnExpiryGoWithTheMessage() {
    Promise<Object> first = Promise.promise();
    List<String> started = new CopyOnWriteArrayList<>();
    Service service =
        serve(
            "orders",
            new ServiceOptions().setOrder(DeliveryOrder.KEY),
            message -> {
              started.add(message.body() + " of " + message.key());
              return first.future();
            });
    accepted(send(postJson("/services/orders/events", "1", "Weir-Key", "a")));
    accepted(send(postJson("/services/orders/events", "2", "Weir-Key", "a")));
    accepted(send(postJson("/services/orders/events", "3", "Weir-Delay-Ms", "600000")));
    accepted(send(postJson("/services/orders/events", "4", "Weir-Expires-In-Ms", " 600000 ")));
    Await.until("those that may start have started", () -> started.size() == 2);
    assertThat(started).containsExactly("1 of a", "4 of null");
    Await.until("the delayed one waits", () -> service.stats().scheduled() == 1);
    first.complete();
    Await.until("the next of the key has started", () -> started.contains("2 of a"));
    assertThat(Futures.result("released", service.releaseScheduled())).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "Weir-Delay-Ms,soon,weir-delay-ms is soon",
    "Weir-Expires-In-Ms,0,weir-expires-in-ms is 0",
    "Weir-Key,'',key has 0 characters",
  })
  void aBadKeyDelayOrExpiryIsRefusedByItsName(String header, String value, String text) {
    serve("orders", new ServiceOptions(), this::handle);
    HttpResponse<String> refused = send(postJson("/services/orders/events", "1", header, value));
    assertProblem(refused, ProblemType.BAD_REQUEST);
    assertThat(refused.body()).contains(text).contains("allowed is");
  }

  @Test
  void aServiceThatKeepsNothingRefuses() {
    serve("memory", memoryOnly(), this::handle);
    assertProblem(send(postJson("/services/memory/events", "1")), ProblemType.NOT_DURABLE);
  }

  @Test
  void aServiceThatIsFullRefuses() {
    serve(
        "small",
        new ServiceOptions().setMaxMessageBytes(100).setWorkers(1),
        message -> Future.succeededFuture());
    assertProblem(
        send(postJson("/services/small/events", "\"" + "x".repeat(200) + "\"")),
        ProblemType.TOO_LARGE);
  }
}
