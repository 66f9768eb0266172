package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DrainTest extends GatewayTestBase {
  private final Promise<Object> reply = Promise.promise();

  private CompletableFuture<HttpResponse<String>> sendAndHold() {
    serve("held", memoryOnly().setDrainTimeoutMs(1), message -> reply.future());
    CompletableFuture<HttpResponse<String>> held = sendAsync(postJson("/services/held", "1"));
    Await.until("it is in handling", () -> gateway.inFlight() == 1);
    return held;
  }

  @Test
  void answersWith503WhileItDrainsAndFinishesWhatIsInHandling() {
    serve("events", new ServiceOptions(), message -> Future.succeededFuture());
    CompletableFuture<HttpResponse<String>> held = sendAndHold();
    Future<Void> drained = gateway.drain();
    assertThat(gateway.isDraining()).isTrue();
    for (String path : new String[] {"/services/held", "/services/events/events"}) {
      HttpResponse<String> refused = send(postJson(path, "1"));
      assertProblem(refused, ProblemType.CLOSED);
      assertThat(refused.headers().firstValue("connection")).contains("close");
      assertThat(refused.headers().firstValue("retry-after")).contains("1");
    }
    assertThat(drained.isComplete()).isFalse();
    reply.complete("done");
    assertThat(held.join().body()).isEqualTo("done");
    Futures.result("it has drained", drained);
    assertThat(send(postJson("/services/held", "1")).statusCode()).isEqualTo(503);
  }

  @Test
  void closesWhenAllIsAnswered() {
    CompletableFuture<HttpResponse<String>> held = sendAndHold();
    Future<Void> closed = gateway.close(30_000);
    assertThat(send(postJson("/services/held", "1")).statusCode()).isEqualTo(503);
    reply.complete("done");
    assertThat(held.join().body()).isEqualTo("done");
    Futures.result("it closes", closed);
    assertRefusesConnections();
  }

  @Test
  void closesWhenTheTimeIsOver() {
    CompletableFuture<HttpResponse<String>> held = sendAndHold();
    Futures.result("it closes", gateway.close(50));
    assertRefusesConnections();
    assertThatThrownBy(held::join).hasRootCauseInstanceOf(IOException.class);
    assertThat(gateway.close(1)).isSameAs(gateway.close());
  }

  private void assertRefusesConnections() {
    assertThatThrownBy(() -> client.send(postJson("/services/held", "1"), BodyHandlers.ofString()))
        .isInstanceOf(IOException.class);
  }
}
