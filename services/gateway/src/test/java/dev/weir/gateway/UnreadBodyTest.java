package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.Service;
import dev.weir.flow.ServiceHandler;
import dev.weir.flow.ServiceOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON for handlers of bytes; {@code TypedGatewayTest} of weir-group has those of a class. */
class UnreadBodyTest extends GatewayTestBase {
  private static final String TEXT = " {\"item\": \"nail\", \"count\": 3}";

  private final List<Object> seen = new CopyOnWriteArrayList<>();

  private Service serve(ServiceOptions options) {
    ServiceHandler<Buffer> handler =
        message -> {
          seen.add(message.body());
          return Future.succeededFuture(message.body());
        };
    return Futures.result("serving", weir.serve("orders", Buffer.class, options, handler));
  }

  @Test
  void aHandlerOfBytesGetsTheTextAsItCame() {
    serve(memoryOnly());
    assertThat(send(postJson("/services/orders", TEXT)).body()).isEqualTo(TEXT);
    assertThat(send(postJson("/services/orders", "[ 1 ]")).body()).isEqualTo("[ 1 ]");
    assertThat(seen).containsExactly(Buffer.buffer(TEXT), Buffer.buffer("[ 1 ]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"item\":}", "[1", "{} {}", "{\"item\":\"nail\",\"count\":3}x"})
  void textThatIsNoJsonReachesNoHandler(String text) {
    serve(memoryOnly());
    assertProblem(send(postJson("/services/orders", text)), ProblemType.BAD_REQUEST);
    assertProblem(send(postJson("/services/orders/events", text)), ProblemType.BAD_REQUEST);
    assertThat(seen).isEmpty();
  }

  @Test
  void anEventReachesAHandlerOfBytesAsJson() {
    Service service = serve(new ServiceOptions());
    assertThat(send(postJson("/services/orders/events", TEXT)).statusCode()).isEqualTo(202);
    Await.until("it is handled", () -> service.stats().completed() == 1);
    assertThat(((Buffer) seen.get(0)).toJsonObject())
        .isEqualTo(new JsonObject().put("item", "nail").put("count", 3));
  }
}
