package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.NoCopyBody;
import dev.weir.flow.Service;
import dev.weir.flow.ServiceDeadLetters;
import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies reach services of this node without a copy; services that change or keep them. */
class ChangedBodyTest extends GatewayTestBase {
  private static final String ORDER = "{\"pieces\":10,\"items\":[{\"a\":1}]}";

  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final List<JsonObject> kept = new ArrayList<>();

  /** Replies with its changed body, keeps it, and changes what it has kept with each request. */
  private Future<?> changeAndKeep(ServiceMessage<JsonObject> message) {
    kept.forEach(earlier -> earlier.put("pieces", -1));
    JsonObject body = message.body();
    seen.add(body.encode());
    body.put("number", kept.size()).getJsonArray("items").clear();
    kept.add(body);
    return Future.succeededFuture(body);
  }

  private static String reply(int number) {
    return "{\"pieces\":10,\"items\":[],\"number\":" + number + "}";
  }

  @Test
  void aRepeatGetsTheReplyAsItWasThoughTheServiceChangesItLater() {
    serve("work", memoryOnly(), this::changeAndKeep);
    String[] key = {"Idempotency-Key", "k1"};
    assertThat(send(postJson("/services/work", ORDER, key)).body()).isEqualTo(reply(0));
    assertThat(send(postJson("/services/work", ORDER)).body()).isEqualTo(reply(1));
    assertThat(send(postJson("/services/work", ORDER, key)).body()).isEqualTo(reply(0));
    assertThat(send(postJson("/services/work", ORDER)).body()).isEqualTo(reply(2));
    assertThat(seen).hasSize(3).containsOnly(ORDER);
  }

  @Test
  void aReplyThatIsGivenIsAnsweredAndRepeatedAsAnyOther() {
    serve("give", memoryOnly(), message -> Future.succeededFuture(NoCopyBody.of(message.body())));
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> response =
          send(postJson("/services/give", ORDER, "Idempotency-Key", "k1"));
      assertThat(response.body()).isEqualTo(ORDER);
      assertThat(response.headers().firstValue("content-type")).contains("application/json");
      assertThat(
              send(post(
                      "/services/give",
                      "application/octet-stream",
                      "bytes",
                      "Idempotency-Key",
                      "k2"))
                  .body())
          .isEqualTo("bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "application/octet-stream"})
  void everyAttemptOfAnEventAndItsDeadLetterHaveTheBodyAsItCame(String contentType) {
    Service service =
        serve(
            "work",
            new ServiceOptions().setMaxAttempts(3).setBackoffMs(1),
            message -> {
              seen.add(message.body().toString());
              change(message.body());
              return Future.failedFuture("no stock");
            });
    assertThat(send(post("/services/work/events", contentType, ORDER)).statusCode()).isEqualTo(202);
    Await.until("it is given up", () -> service.deadLetters().count() == 1);
    assertThat(seen).hasSize(3).containsOnly(ORDER);
    ServiceDeadLetters.Letter letter =
        Futures.result("list", service.deadLetters().list(0, 1)).get(0);
    assertThat(letter.body()).hasToString(ORDER);
  }

  private static void change(Object body) {
    if (body instanceof JsonObject json) {
      json.put("pieces", -1);
    } else {
      ((Buffer) body).setByte(0, (byte) 'X').appendString("more");
    }
  }
}
