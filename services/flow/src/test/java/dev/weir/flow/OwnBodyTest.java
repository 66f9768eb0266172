package dev.weir.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.queue.Durability;
import dev.weir.testing.Await;
import dev.weir.testing.Futures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A handler may change its message's body: each delivery has its own. */
class OwnBodyTest extends FlowTestBase {
  private static final int ATTEMPTS = 3;

  private final List<String> seen = new CopyOnWriteArrayList<>();

  static Stream<Object> bodies() {
    return Stream.of(
        new JsonObject().put("pieces", 10).put("items", new JsonArray().add(1)),
        new JsonArray().add(new JsonObject().put("pieces", 10)),
        Buffer.buffer("ten pieces"),
        "ten pieces".getBytes());
  }

  private Future<?> changeAndFail(ServiceMessage<Object> message) {
    seen.add(text(message.body()));
    change(message.body());
    return Future.failedFuture("no stock");
  }

  private static void change(Object body) {
    if (body instanceof JsonObject json) {
      json.put("pieces", -1).getJsonArray("items", new JsonArray()).add("more");
    } else if (body instanceof JsonArray json) {
      json.getJsonObject(0).put("pieces", -1);
    } else if (body instanceof Buffer buffer) {
      buffer.setByte(0, (byte) 'X').appendString("more");
    } else {
      ((byte[]) body)[0] = 'X';
    }
  }

  private static String text(Object body) {
    return body instanceof byte[] bytes ? new String(bytes) : body.toString();
  }

  private Service serve(Weir weir) {
    return serve(
        weir,
        "orders",
        new ServiceOptions().setMaxAttempts(ATTEMPTS).setBackoffMs(1),
        this::changeAndFail);
  }

  private void assertOriginal(Service service, int attempts, String original) {
    Await.until("it is given up", () -> service.deadLetters().count() == 1);
    assertThat(seen).hasSize(attempts).containsOnly(original);
    ServiceDeadLetters.Letter letter =
        Futures.result("list", service.deadLetters().list(0, 1)).get(0);
    assertThat(text(letter.body())).isEqualTo(original);
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void everyAttemptAndTheDeadLetterHaveTheBodyAsItWasSent(Object body) {
    String original = text(body);
    Weir weir = weir();
    Service service = serve(weir);
    Futures.result("send", weir.send("orders", body, Durability.PROCESS));
    assertOriginal(service, ATTEMPTS, original);
    assertThat(text(body)).isEqualTo(original);

    Futures.result("requeue", service.deadLetters().requeueAll());
    Await.until("it is tried again", () -> seen.size() > ATTEMPTS);
    assertOriginal(service, 2 * ATTEMPTS, original);
  }

  /** Leaves messages on disk that nobody has handled. */
  private void leave(Object... bodies) {
    Weir before = weir();
    Gate gate = new Gate();
    Service service = serve(before, "orders", diskOnly(), gate::handle);
    Futures.result("pause", service.pause());
    for (Object body : bodies) {
      Futures.result("send", before.send("orders", body, Durability.PROCESS));
    }
    Futures.result("close", service.close(0));
    Futures.result("weir closes", before.close());
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void soDoMessagesOfAnEarlierRun(Object body) {
    leave(body);
    assertOriginal(serve(weir()), ATTEMPTS, text(body));
  }

  /** Such a message is tried again from memory, because its next attempt cannot be written. */
  @ParameterizedTest
  @MethodSource("bodies")
  void soDoMessagesOfAnEarlierRunOnAFullDisk(Object body) {
    leave(body);
    long minFreeBytes = Math.min(1L << 40, 10 * directory.toFile().getUsableSpace());
    Weir full =
        weir(new WeirOptions().setDirectory(directory.toString()).setMinFreeBytes(minFreeBytes));
    serve(full);
    assertFailure(
        Futures.failure("a send", full.send("orders", "more", Durability.PROCESS)),
        FlowFailure.DISK_FULL);
    Await.until("it was tried as often as it may be", () -> seen.size() >= ATTEMPTS);
    assertThat(seen).containsOnly(text(body));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void whoLooksAtAWaitingMessageGetsABodyOfItsOwnToo(Object body) {
    leave("first", body);
    Gate gate = new Gate();
    Service service = serve(weir(), "orders", diskOnly(), gate::handle);
    Await.until("the first is in handling", () -> gate.held.size() == 1);
    for (int i = 0; i < 2; i++) {
      List<ServiceWaitingMessages.Waiting> waiting =
          Futures.result("list", service.waitingMessages().list(0, 10));
      assertThat(waiting).hasSize(1);
      assertThat(text(waiting.get(0).body())).isEqualTo(text(body));
      change(waiting.get(0).body());
    }
    gate.open();
    Await.until("the second is in handling", () -> gate.held.size() == 1);
    assertThat(text(gate.bodies.get(1))).isEqualTo(text(body));
    gate.open();
  }
}
