package dev.weir.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.flow.ServiceMessage;
import dev.weir.flow.ServiceOptions;
import dev.weir.flow.Weir;
import dev.weir.flow.WeirOptions;
import dev.weir.gateway.http.ProblemType;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A key belongs to one client, one address and one body. */
class IdempotencyScopeTest extends GatewayTestBase {
  private static final String ALICE = "alice-0123456789abcdef";
  private static final String BOB = "bob-0123456789abcdef";

  private final List<String> ids = new CopyOnWriteArrayList<>();
  private final List<Object> bodies = new CopyOnWriteArrayList<>();

  @Override
  GatewayOptions options() {
    try {
      Path file = directory.resolve("data.tokens");
      Files.writeString(file, "same-name:" + ALICE + "\nsame-name:" + BOB + "\n");
      return super.options().setTokens(new TokenOptions().setDataTokensFile(file.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpResponse<String> post(String token, String path, String body) {
    return send(postJson(path, body, "Authorization", "Bearer " + token, "Idempotency-Key", "k1"));
  }

  private Future<?> keep(ServiceMessage<Object> message) {
    ids.add(message.id());
    bodies.add(message.body());
    return Future.succeededFuture();
  }

  @Test
  void noClientGetsTheReplyToAnother() {
    AtomicInteger handled = new AtomicInteger();
    serve(
        "work",
        memoryOnly(),
        message -> Future.succeededFuture("reply " + handled.incrementAndGet()));
    assertThat(post(ALICE, "/services/work", "1").body()).isEqualTo("reply 1");
    assertThat(post(BOB, "/services/work", "1").body()).isEqualTo("reply 2");
    assertThat(post(BOB, "/services/work", "1").body()).isEqualTo("reply 2");
    assertThat(post(ALICE, "/services/work", "1").body()).isEqualTo("reply 1");
    assertProblem(post(ALICE, "/services/work", "2"), ProblemType.KEY_REUSED);
  }

  @Test
  void noEventIsDroppedForTheKeyOfAnotherClient() {
    serve("orders", new ServiceOptions(), this::keep);
    String alice = accepted(post(ALICE, "/services/orders/events", "1"));
    String bob = accepted(post(BOB, "/services/orders/events", "2"));
    assertThat(accepted(post(ALICE, "/services/orders/events", "1"))).isEqualTo(alice);
    Await.until("both are handled", () -> bodies.size() == 2);
    assertThat(bodies).containsExactly(1, 2);
    assertThat(ids).containsExactly(alice, bob);
    assertThat(alice).isNotEqualTo(bob).endsWith("k1").doesNotContain(ALICE);
  }

  @Test
  void anEventWithAUsedKeyAndAnotherBodyIsRefusedAlsoAfterARestart() {
    serve("orders", new ServiceOptions(), this::keep);
    accepted(post(ALICE, "/services/orders/events", "1"));
    assertProblem(post(ALICE, "/services/orders/events", "2"), ProblemType.KEY_REUSED);
    restart();
    serve("orders", new ServiceOptions(), this::keep);
    assertProblem(post(ALICE, "/services/orders/events", "2"), ProblemType.KEY_REUSED);
    accepted(post(ALICE, "/services/orders/events", "1"));
    accepted(post(BOB, "/services/orders/events", "2"));
    Await.until("both are handled", () -> bodies.size() == 2);
    assertThat(bodies).containsExactly(1, 2);
  }

  @Test
  void anEventForAServiceOfAnotherNodeIsComparedToo() {
    serve("orders", new ServiceOptions(), this::keep);
    Weir other = Weir.create(vertx);
    Gateway usual = gateway;
    gateway = Futures.result("another gateway", Gateway.start(vertx, other, options()));
    try {
      accepted(post(ALICE, "/services/orders/events", "1"));
      assertProblem(post(ALICE, "/services/orders/events", "2"), ProblemType.KEY_REUSED);
    } finally {
      Futures.result("the other gateway closes", gateway.close());
      Futures.result("the other Weir closes", other.close());
      gateway = usual;
    }
  }

  private static String accepted(HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    return new JsonObject(response.body()).getString("id");
  }

  private void restart() {
    Await.until("all is handled", () -> !bodies.isEmpty());
    Futures.result("the gateway closes", gateway.close());
    Futures.result("weir closes", weir.close());
    weir = Weir.create(vertx, new WeirOptions().setDirectory(directory.toString()));
    gateway = Futures.result("the gateway starts", Gateway.start(vertx, weir, options()));
  }
}
