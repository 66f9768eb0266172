package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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
